#include "loop/failures.h"

#include <catch2/catch.hpp>

#include "log/log_fixture.h"
#include "nix/draft_fixture.h"

using namespace autopin;
using namespace autopin::nix;

namespace {

/// A shell with two packages, as a check finds it.
struct Shell {
  DraftFixture fixture;
  std::vector<std::string> roots;
  std::optional<Store> store;

  Shell() {
    fixture.invocation.expression =
        "with import <nixpkgs> { }; mkShell { packages = [ "
        "python3Packages.bleach zlib ]; }";
    Evaluator evaluator(fixture.world, fixture.invocation);
    roots = made(evaluator.discover().evaluation).drvs;
    store.emplace(fixture.world, fixture.invocation);
  }

  std::string drv(std::string_view name) {
    for (const auto& drv : store->closure(roots, Edges::build))
      if (drv.find(name) != std::string::npos)
        return drv;
    throw Error("a test's draft", std::string(name), "is not in it");
  }
};

}  // namespace

TEST_CASE("a failed check is blamed on the package whose file complains") {
  Shell shell;
  const std::string bleach = shell.drv("-bleach-");
  const std::string zlib = shell.drv("-zlib-");
  const std::string complaint =
      "  File \"" + shell.store->output_path(bleach).value() +
      "/lib/x.py\", line 1, in <module>\n"
      "ImportError: libcublas.so.9.0: cannot open shared object file: No such "
      "file or directory\n";
  const auto blamed = [&](const std::string& log) {
    const auto findings = findings_of_check(testing::shipped_rules(), log,
                                            *shell.store, shell.roots);
    REQUIRE(findings.failures.size() == 1);
    CHECK(findings.failures[0].drv ==
          findings.failures[0].diagnosis.derivation);
    return findings.failures[0].drv;
  };

  CHECK(blamed(complaint) == bleach);
  // What nix-shell itself needed was built first, and well.
  const std::string building = "building '" + zlib + "'...\nmade\n";
  CHECK(blamed(building + complaint) == bleach);
  // It was not: then the lines are the builder's.
  CHECK(blamed(building + complaint + "error: builder for '" + zlib +
               "' failed with exit code 1\n") == zlib);
}
