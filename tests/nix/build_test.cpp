#include "nix/build.h"

#include <catch2/catch.hpp>

#include "nix/draft_fixture.h"

using namespace autopin;
using namespace autopin::nix;
using Catch::Matchers::Contains;

namespace {

std::vector<std::string> instantiate(DraftFixture& fixture,
                                     const std::string& expression) {
  fixture.invocation.expression = "with import <nixpkgs> { };\n" + expression;
  Evaluator evaluator(fixture.world, fixture.invocation);
  return made(evaluator.discover().evaluation).targets;
}

BuildResult build(DraftFixture& fixture,
                  const std::vector<std::string>& targets) {
  // No cache is asked: these tests have no network.
  fixture.invocation.build_flags = {"--option", "substituters", ""};
  Store store(fixture.world, fixture.invocation);
  Builder builder(fixture.world, fixture.invocation);
  return builder.build(builder.plan(store, targets), {}, {});
}

}  // namespace

TEST_CASE("a build links its results as nix-build does") {
  DraftFixture fixture;
  const auto targets = instantiate(fixture, "[ png zlib.dev ]");
  const BuildResult built = build(fixture, targets);
  REQUIRE(built.ok());
  REQUIRE(built.out_paths.size() == 2);
  CHECK_THAT(built.log, Contains("@nix {"));
  REQUIRE(built.out_links.size() == 2);
  CHECK(built.out_links[0] == fixture.folder() / "result");
  CHECK(built.out_links[1] == fixture.folder() / "result-2-dev");
  for (std::size_t i = 0; i < 2; ++i)
    CHECK(std::filesystem::read_symlink(built.out_links[i]) ==
          built.out_paths[i]);
}

TEST_CASE("no link where none is wanted") {
  DraftFixture fixture;
  fixture.invocation.out_link.wanted = false;
  const BuildResult built = build(fixture, instantiate(fixture, "png"));
  REQUIRE(built.ok());
  CHECK(built.out_links.empty());
  CHECK(fixture.world.files.list(fixture.folder()).empty());
}

TEST_CASE("a failing build is a value, and independent ones go on") {
  DraftFixture fixture;
  const std::string fresh = fixture.folder().string();
  const auto targets = instantiate(fixture, R"(
let m = name: buildCommand: buildInputs: stdenv.mkDerivation {
  inherit name buildInputs; buildCommand = buildCommand + " # )" +
                                                fresh +
                                                R"("; };
in m "top" "echo > $out" [
  (m "one" "echo first trouble >&2; exit 3" [ ])
  (m "two" "echo second trouble >&2; exit 4" [ ])
])");
  std::string seen;
  Store store(fixture.world, fixture.invocation);
  fixture.invocation.build_flags = {"--option", "substituters", "", "-j", "2"};
  Builder builder(fixture.world, fixture.invocation);
  const BuildResult built =
      builder.build(builder.plan(store, targets),
                    [&](Stream stream, std::string_view bytes) {
                      if (stream == Stream::err)
                        seen += bytes;
                    },
                    {});
  CHECK_FALSE(built.ok());
  CHECK(built.out_paths.empty());
  CHECK_THAT(built.log,
             Contains("first trouble") && Contains("second trouble"));
  CHECK(seen == built.log);
  CHECK(built.out_links.empty());
}

TEST_CASE("a shell's inputs are built, not the shell") {
  DraftFixture fixture;
  const auto targets =
      instantiate(fixture, "[ (mkShell { packages = [ png zlib.dev ]; }) ]");
  Store store(fixture.world, fixture.invocation);
  fixture.invocation.build_flags = {"--option", "substituters", ""};
  Builder builder(fixture.world, fixture.invocation);
  const BuildPlan plan = builder.plan(store, targets);
  CHECK(plan.shell);
  CHECK_THAT(plan.why_shell, Contains("nobuildPhase"));
  REQUIRE(plan.targets.size() == 2);
  const BuildResult built = builder.build(plan, {}, {});
  CHECK(built.ok());
  CHECK(built.out_paths.size() == 2);
  CHECK(built.out_links.empty());
  // While nix-build on the shell fails, as it is meant to.
  const BuildResult itself = builder.build(
      {.targets = targets, .shell = false, .why_shell = ""}, {}, {});
  CHECK_FALSE(itself.ok());
}

TEST_CASE("a shell without inputs is built at once") {
  DraftFixture fixture;
  const BuildResult built = build(fixture, instantiate(fixture, "mkShell { }"));
  CHECK(built.ok());
}
