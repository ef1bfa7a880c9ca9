#include "fix/set_override.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "fix/fix_fixture.h"

using namespace autopin;
using namespace autopin::fix;
using Catch::Matchers::Contains;

namespace {

SetEntry pin_six() {
  SetEntry entry;
  entry.attribute = "six";
  entry.change.attributes.push_back(set_attribute("version", "\"1.10\""));
  entry.functions = {true, true, false};
  return entry;
}

/// The state after six is pinned in the set of the interpreter that made `of`.
const Situation& pinned(Bench& bench, const std::string& of,
                        const std::vector<SetEntry>& entries = {pin_six()}) {
  const auto set = PythonSet::of(bench.situation(), bench.drv(of));
  REQUIRE(set);
  const auto edits = override_in_set(*set, entries);
  REQUIRE(edits);
  return bench.after(*edits);
}

/// Names of all that is Python's six in the closure, sorted.
std::vector<std::string> sixes(Bench& bench, const Situation& of) {
  std::vector<std::string> names;
  for (const auto& drv : bench.store().closure(of.roots(), nix::Edges::build))
    if (const auto name = bench.store().derivation(drv).name();
        name.find("-six-") != std::string::npos)
      names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("one door becomes the overridden set where it stands") {
  Bench bench(
      "let pkgs = import <nixpkgs> { };\nin "
      "pkgs.python36Packages.bleach\n");
  const auto& after = pinned(bench, "python3.6-bleach-4.0");
  CHECK(bench.text(after) == R"(let pkgs = import <nixpkgs> { };
in (pkgs.python36.override {
  packageOverrides = self: super: {
    six = super.six.overridePythonAttrs (old: {
      # why (autopin step 1)
      version = "1.10";
    });
  };
}).pkgs.bleach
)");
  CHECK(sixes(bench, after) == Names{"python3.6-six-1.10"});
}

TEST_CASE("an interpreter as a door stays one") {
  Bench bench(
      "let pkgs = import <nixpkgs> { };\nin "
      "pkgs.python36.withPackages (ps: [ ps.bleach ])\n");
  const auto& after = pinned(bench, "python3.6-bleach-4.0");
  CHECK_THAT(bench.text(after),
             Contains("(pkgs.python36.override {") &&
                 Contains("}).withPackages (ps: [ ps.bleach ])"));
  CHECK(sixes(bench, after) == Names{"python3.6-six-1.10"});
}

TEST_CASE("several doors are led through one set by a let") {
  Bench bench(R"(with import <nixpkgs> { };

runCommand "shell" {
  buildInputs = [
    python36Packages.bleach
    (python36.withPackages (ps: [ ps.html5lib ]))
    python36.pkgs.six
  ];
} ""
)");
  const auto& after = pinned(bench, "python3.6-bleach-4.0");
  CHECK(sixes(bench, after) == Names{"python3.6-six-1.10"});
  CHECK_THAT(bench.text(after),
             Contains("  python36 = pkgs.python36.override {") &&
                 Contains("  python36Packages = python36.pkgs;\n"));
  // What was written stays as it was.
  CHECK_THAT(bench.text(after), Contains(R"(
    python36Packages.bleach
    (python36.withPackages (ps: [ ps.html5lib ]))
    python36.pkgs.six
)"));
}

TEST_CASE("several doors of a let extend that let") {
  Bench bench(R"(let
  pkgs = import <nixpkgs> { };
in
pkgs.runCommand "shell" {
  buildInputs = [ pkgs.python36Packages.bleach pkgs.python36Packages.html5lib ];
} ""
)");
  const auto& after = pinned(bench, "python3.6-bleach-4.0");
  CHECK(sixes(bench, after) == Names{"python3.6-six-1.10"});
  const std::string text = bench.text(after);
  CHECK(text.find("let") == text.rfind("let"));
  CHECK_THAT(text, Contains("[ python36Packages.bleach "
                            "python36Packages.html5lib ]"));
}

TEST_CASE("the other interpreter's set is left alone") {
  Bench bench(R"(with import <nixpkgs> { };
runCommand "shell" {
  buildInputs = [ python36Packages.bleach python27Packages.bleach ];
} ""
)");
  const auto& after = pinned(bench, "python3.6-bleach-4.0");
  CHECK(sixes(bench, after) ==
        Names{"python2.7-six-1.16", "python3.6-six-1.10"});
}

TEST_CASE("packageOverrides that are there get one more entry") {
  Bench bench(R"(let
  pkgs = import <nixpkgs> { };
  python = pkgs.python36.override {
    packageOverrides = final: prev: {
      html5lib = prev.html5lib.overridePythonAttrs (old: { version = "0.9"; });
    };
  };
in python.pkgs.bleach
)");
  const auto& after = pinned(bench, "python3.6-bleach-4.0");
  CHECK_THAT(bench.text(after),
             Contains("{ version = \"0.9\"; });\n"
                      "      six = prev.six.overridePythonAttrs (old: {\n"
                      "        # why (autopin step 1)\n"
                      "        version = \"1.10\";\n"
                      "      });\n    };"));
  CHECK(sixes(bench, after) == Names{"python3.6-six-1.10"});
  CHECK_FALSE(bench.drv("python3.6-html5lib-0.9", after).empty());
}

TEST_CASE("packageOverrides that are no literal are composed with") {
  Bench bench(R"(let
  pkgs = import <nixpkgs> { };
  mine = self: super: {
    html5lib = super.html5lib.overridePythonAttrs (old: { version = "0.9"; });
  };
in (pkgs.python36.override { packageOverrides = mine; }).pkgs.bleach
)");
  const auto& after = pinned(bench, "python3.6-bleach-4.0");
  CHECK(sixes(bench, after) == Names{"python3.6-six-1.10"});
  CHECK_FALSE(bench.drv("python3.6-html5lib-0.9", after).empty());
}

TEST_CASE("what the overrides say already is not said twice") {
  Bench bench(R"(let pkgs = import <nixpkgs> { };
in (pkgs.python36.override {
  packageOverrides = self: super: { six = super.zope_interface; };
}).pkgs.bleach
)");
  const auto set =
      PythonSet::of(bench.situation(), bench.drv("python3.6-bleach-4.0"));
  REQUIRE(set);
  CHECK_FALSE(override_in_set(*set, {pin_six()}));
}

TEST_CASE("a new attribute is a value that names its siblings by self") {
  Bench bench(
      "let pkgs = import <nixpkgs> { };\nin "
      "pkgs.python36Packages.bleach\n");
  SetEntry entry;
  entry.attribute = "html5lib";
  entry.comment = "new (autopin step 2)";
  entry.value = python_ref("buildPythonPackage") +
                " { pname = \"html5lib\"; version = \"2\"; "
                "propagatedBuildInputs = [ " +
                python_ref("zope_interface") + " " + top_ref("zlib") + " ]; }";
  const auto& after = pinned(bench, "python3.6-bleach-4.0", {entry});
  CHECK_THAT(bench.text(after),
             Contains("# new (autopin step 2)\n    html5lib = "
                      "self.buildPythonPackage {") &&
                 Contains("[ self.zope_interface pkgs.zlib ]"));
  CHECK(bench.has_input(after, "python3.6-html5lib-2",
                        "python3.6-zope.interface-4.0"));
}

TEST_CASE("no door that can be changed: no edit") {
  Bench bench("with import <nixpkgs> { };\npng\n");
  CHECK_FALSE(PythonSet::of(bench.situation(), bench.drv("png-1.6")));
}
