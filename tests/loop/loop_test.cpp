#include "loop/loop.h"

#include <catch2/catch.hpp>

#include "loop/loop_fixture.h"

using namespace autopin;
using Catch::Matchers::Contains;

namespace {

constexpr const char* one = R"({ pkgs ? import <nixpkgs> { } }:
pkgs.stdenv.mkDerivation {
  pname = "app";
  version = "1";
  buildInputs = [ pkgs.pkg-config ];
}
)";

constexpr const char* no_zlib =
    "a.c:1:10: fatal error: zlib.h: No such file or directory";
constexpr const char* no_png =
    "a.c:2:10: fatal error: png.h: No such file or directory";

bool has(const std::set<std::string>& names, const std::string& name) {
  return names.count(name) != 0;
}

}  // namespace

TEST_CASE("what is green stays as it is") {
  const auto run = run_loop(one, [](const auto&, int) { return Failing{}; });
  CHECK(run.end.code == ExitCode::green);
  CHECK(run.text == one);
  CHECK(run.builds == 1);
  CHECK(run.log.steps.empty());
  CHECK_FALSE(run.end.edited());
}

TEST_CASE("a failure is fixed, and the next one in the next round") {
  const auto run = run_loop(one, [](const auto& names, int) -> Failing {
    if (!has(names, "zlib-1.2"))
      return {{"app-1", no_zlib}};
    if (!has(names, "png-1.6"))
      return {{"app-1", no_png}};
    return {};
  });
  CHECK(run.end.code == ExitCode::green);
  CHECK(run.builds == 3);
  REQUIRE(run.log.rounds.size() == 3);
  CHECK(run.log.rounds[2].outcome == report::RoundOutcome::green);
  REQUIRE(run.log.steps.size() == 2);
  CHECK(run.log.steps[0].round == 1);
  CHECK(run.log.steps[1].round == 2);
  CHECK_THAT(run.text, Contains("zlib") && Contains("png") &&
                           Contains("(autopin step 1)") &&
                           Contains("(autopin step 2)"));
  CHECK(run.end.edited());
}

TEST_CASE("two failures of one round are fixed in that round") {
  const auto run = run_loop(R"(with import <nixpkgs> { };
let
  left = stdenv.mkDerivation {
    name = "left";
    buildInputs = [ ];
  };
  right = stdenv.mkDerivation {
    name = "right";
    buildInputs = [ ];
  };
in runCommand "both" { buildInputs = [ left right ]; } ""
)",
                            [](const auto& names, int) -> Failing {
                              Failing failing;
                              if (!has(names, "zlib-1.2"))
                                failing["left"] = no_zlib;
                              if (!has(names, "png-1.6"))
                                failing["right"] = no_png;
                              return failing;
                            });
  CHECK(run.end.code == ExitCode::green);
  CHECK(run.builds == 2);
  REQUIRE(run.log.steps.size() == 2);
  CHECK(run.log.steps[0].round == 1);
  CHECK(run.log.steps[1].round == 1);
  REQUIRE(run.log.rounds.size() == 2);
  CHECK(run.log.rounds[0].failures.size() == 2);
}

TEST_CASE("a step that did not help is taken back and not taken again") {
  // Whatever is done, the same header stays away.
  const auto run = run_loop(one, [](const auto&, int) -> Failing {
    return {{"app-1", no_zlib}};
  });
  CHECK(run.end.code == ExitCode::cannot_fix);
  REQUIRE_FALSE(run.log.steps.empty());
  std::set<std::string> diffs;
  for (const auto& step : run.log.steps) {
    CHECK_FALSE(step.taken_back.empty());
    INFO(step.diff);
    CHECK(diffs.insert(step.diff).second);
  }
  CHECK(report::standing_steps(run.log).empty());
  CHECK_THAT(run.end.message, Contains("zlib.h") || Contains("app-1"));
  CHECK_FALSE(run.log.learned.empty());
}

TEST_CASE("the ladder of a failing suite is climbed only as far as needed") {
  const std::string draft = R"({ pkgs ? import <nixpkgs> { } }:
pkgs.python36Packages.buildPythonPackage {
  pname = "app";
  version = "1";
  checkPhase = "pytest";
}
)";
  // One test fails; when that is skipped another does, in the same file; so on
  // until the suite is off.
  const auto run = run_loop(draft, [](const auto&, int number) -> Failing {
    if (number > 3)
      return {};
    return {{"python3.6-app-1", "FAILED tests/test_a.py::test_" +
                                    std::string(1, char('a' + number)) +
                                    " - AssertionError"}};
  });
  CHECK(run.end.code == ExitCode::green);
  REQUIRE_FALSE(run.log.steps.empty());
  CHECK(run.log.steps[0].fix == "disable-tests");
  for (const auto& step : run.log.steps)
    CHECK(step.risk == Risk::weakens_checks);
}

TEST_CASE("the user's word keeps a suite on") {
  LoopOptions options;
  options.policy.denied = {Risk::weakens_checks};
  const auto run = run_loop(R"({ pkgs ? import <nixpkgs> { } }:
pkgs.python36Packages.buildPythonPackage { pname = "app"; version = "1"; checkPhase = "pytest"; }
)",
                            [](const auto&, int) -> Failing {
                              return {{"python3.6-app-1",
                                       "FAILED tests/test_a.py::test_a - "
                                       "AssertionError"}};
                            },
                            options);
  CHECK(run.end.code == ExitCode::refused);
  CHECK(run.log.steps.empty());
  CHECK_THAT(run.end.message, Contains("--deny weakens-checks"));
}

TEST_CASE("the limit of rounds ends it") {
  LoopOptions options;
  options.max_rounds = 1;
  const auto run = run_loop(
      one,
      [](const auto& names, int) -> Failing {
        return has(names, "zlib-1.2") ? Failing{{"app-1", no_png}}
                                      : Failing{{"app-1", no_zlib}};
      },
      options);
  CHECK(run.end.code == ExitCode::limit);
  CHECK(run.builds == 1);
  CHECK_THAT(run.end.message, Contains("--max-rounds"));
  CHECK_FALSE(run.end.edited());
}

TEST_CASE("a build that takes too long ends it") {
  const auto run = run_loop(
      one, [](const auto&, int) { return Failing{}; }, {}, true);
  CHECK(run.end.code == ExitCode::limit);
  CHECK_THAT(run.end.message, Contains("--timeout"));
}

TEST_CASE("a failure that no rule describes is told by its last line") {
  const auto run = run_loop(one, [](const auto&, int) -> Failing {
    return {{"app-1", "xyzzy: the lamp went out"}};
  });
  CHECK(run.end.code == ExitCode::no_rule);
  CHECK(run.builds == 1);
  CHECK(run.text == one);
  CHECK_FALSE(run.end.message.empty());
}

TEST_CASE("a full disk stops it, and nothing is edited") {
  const auto run = run_loop(one, [](const auto&, int) -> Failing {
    return {{"app-1", "cp: error writing 'x': No space left on device"}};
  });
  CHECK(run.end.code == ExitCode::environment);
  CHECK(run.text == one);
  CHECK(run.log.steps.empty());
}

TEST_CASE("a draft that is no Nix is not built") {
  const auto run = run_loop("{ pkgs ? import <nixpkgs> { } }:\npkgs.zlib {\n",
                            [](const auto&, int) { return Failing{}; });
  CHECK(run.end.code == ExitCode::broken_draft);
  CHECK(run.builds == 0);
  CHECK_THAT(run.end.message, Contains("cannot be evaluated"));
}
