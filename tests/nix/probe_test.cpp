#include "nix/probe.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "nix/draft_fixture.h"

using namespace autopin;
using namespace autopin::nix;
using Catch::Matchers::Contains;

namespace {

struct Probed {
  Draft draft;
  std::vector<std::string> plain;
  ProbeResult result;

  std::string text(const Node& node) const {
    return draft.text(node.file).substr(node.range.begin,
                                        node.range.end - node.range.begin);
  }
  /// The node whose text is that, the `which`th of them.
  const Node& node(const std::string& wanted, std::size_t which = 0) const {
    for (const Node& node : result.nodes) {
      if (text(node) == wanted && which-- == 0)
        return node;
    }
    throw Error("a test", wanted, "no such node");
  }
  std::vector<std::string> names(const std::string& wanted,
                                 std::size_t which = 0) const {
    std::vector<std::string> found;
    for (const DerivationRecord& record : node(wanted, which).records)
      found.push_back(record.name);
    return found;
  }
};

Probed probe_draft(DraftFixture& fixture) {
  Evaluator evaluator(fixture.world, fixture.invocation);
  Probed probed;
  auto discovery = evaluator.discover();
  probed.draft = std::move(discovery.draft);
  if (const auto* plain = std::get_if<Instantiated>(&discovery.evaluation))
    probed.plain = plain->drvs;
  probed.result = probe(evaluator, probed.draft, probed.plain);
  return probed;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("each link of an override chain is tied to what it made") {
  DraftFixture fixture;
  fixture.write("draft.nix", R"(with import <nixpkgs> { };
runCommand "shell" {
  buildInputs = [
    (png)
    (python3Packages.bleach.override {
      html5lib = python3Packages.html5lib.overridePythonAttrs (old: {
        version = "0.9";
      });
    })
  ];
} ""
)");
  const Probed probed = probe_draft(fixture);
  CHECK(probed.result.faithful);
  CHECK(std::get<Instantiated>(probed.result.evaluation).drvs == probed.plain);
  CHECK(probed.names("png") == Names{"png-1.6"});
  const std::string inner =
      R"(python3Packages.html5lib.overridePythonAttrs (old: {
        version = "0.9";
      }))";
  CHECK(probed.names(inner) == Names{"python3.9-html5lib-0.9"});
  const Node& made = probed.node(inner);
  CHECK(made.records[0].pname == "html5lib");
  CHECK(made.records[0].version == "0.9");
  CHECK(made.records[0].output == "out");
  CHECK(made.records[0].has_override_python_attrs);
  CHECK_THAT(made.records[0].position, Contains("package_set/default.nix:"));

  const Node* outer = probed.result.outermost(probed.plain[0]);
  REQUIRE(outer);
  CHECK_THAT(probed.text(*outer), Catch::StartsWith("runCommand"));
  CHECK(probed.result.innermost(made.records[0].drv) == &made);

  // Only overridden, not used: no drv, but what it can be overridden by.
  const Node& base = probed.node("python3Packages.html5lib");
  REQUIRE(base.records.size() == 1);
  CHECK(base.records[0].drv.empty());
  CHECK(base.records[0].has_override);
  CHECK(base.form == NodeForm::select_prefix);
  CHECK(probed.node("python3Packages").is(Role::python_packages));
  CHECK(probed.node("import <nixpkgs> { }").is(Role::package_set));
}

TEST_CASE("nothing is forced that the draft does not force") {
  DraftFixture fixture;
  fixture.write("draft.nix", R"(
let
  pkgs = import <nixpkgs> { overlays = [ (final: prev: {
    png = prev.png.override { zlib = final.zlib; };
    bad = final.bad.override { };
    gone = prev.no_such_package.overrideAttrs (old: { });
  }) ]; };
  inherit (pkgs) broken zlib no_such_package;
  unused = pkgs.no_such_package;
  recursion = recursion;
  choose = a: b: if a == null then b else a;
in
with pkgs;
stdenv.mkDerivation {
  name = "lazy";
  buildInputs = [ png ] ++ (if false then [ broken unused recursion ] else [ ]);
  set = builtins.attrNames { inherit broken unused recursion; x = pkgs.broken; };
  count = builtins.length [ broken unused recursion pkgs.bad ];
  default = (pkgs.absent or zlib).name;
  deep = pkgs.absent.more.still or "none";
  has = if pkgs ? absent.more then "1" else "0";
  passthru = { inherit unused; y = recursion; };
  chosen = choose null zlib.dev;
}
)");
  const Probed probed = probe_draft(fixture);
  REQUIRE(probed.plain.size() == 1);
  CHECK(probed.result.faithful);
  CHECK(std::get<Instantiated>(probed.result.evaluation).drvs == probed.plain);
  CHECK(probed.names("prev.png.override { zlib = final.zlib; }") ==
        Names{"png-1.6"});
}

TEST_CASE("outputs: what is picked by attribute is tied too") {
  DraftFixture fixture;
  fixture.write("draft.nix", R"(with import <nixpkgs> { };
stdenv.mkDerivation {
  name = "x";
  buildInputs = [ zlib ];
  lib = "${zlib.out}/lib";
})");
  const Probed probed = probe_draft(fixture);
  REQUIRE(probed.node("zlib", 0).records.size() == 1);
  CHECK(probed.node("zlib", 0).records[0].output == "dev");
  CHECK(probed.node("zlib.out").records[0].output == "out");
  CHECK(probed.node("zlib.out").records[0].drv ==
        probed.node("zlib", 0).records[0].drv);
}

TEST_CASE("the styles of today: finalAttrs, overlays, withPackages, inherit") {
  DraftFixture fixture;
  fixture.write("draft.nix", R"({ pkgs ? import <nixpkgs> {
  overlays = [ (final: prev: {
    mine = final.stdenv.mkDerivation (finalAttrs: {
      pname = "mine";
      version = "1";
      src = final.fetchurl {
        url = "x://h/mine-${finalAttrs.version}.tar";
        sha256 = "0000000000000000000000000000000000000000000000000000";
      };
      nativeBuildInputs = with final; [ png ];
    });
    python3 = prev.python3.override {
      packageOverrides = self: super: {
        html5lib = super.html5lib.overridePythonAttrs (_: { doCheck = false; });
      };
    };
  }) ];
} }:
let
  inherit (pkgs) mkShell zlib;
  env = pkgs.python3.withPackages (ps: with ps; [ bleach (ps.six) ]);
  tools = { inherit (pkgs) png; inherit env; };
in mkShell { packages = [ env pkgs.mine tools.png zlib ]; })");
  const Probed probed = probe_draft(fixture);
  REQUIRE(probed.plain.size() == 1);
  CHECK(probed.result.faithful);
  CHECK(probed.names(
            "super.html5lib.overridePythonAttrs (_: { doCheck = false; })") ==
        Names{"python3.9-html5lib-1.1"});
  CHECK(probed.names("bleach") == Names{"python3.9-bleach-4.0"});
  CHECK(probed.names("ps.six") == Names{"python3.9-six-1.16"});
  CHECK(probed.names("pkgs.mine") == Names{"mine-1"});
  CHECK(probed.names("env", 0) == Names{"python3-3.9.1-env"});
  CHECK(probed.node("zlib", 0).form == NodeForm::inherited);
  CHECK(probed.names("zlib", 0) == Names{"zlib-1.2"});
  CHECK(probed.names("png", 0) == Names{"png-1.6"});
  CHECK(probed.names("png", 1) == Names{"png-1.6"});
  CHECK(probed.node("png", 1).form == NodeForm::inherited);
  CHECK(probed.node("pkgs.python3").is(Role::interpreter));
  CHECK_THAT(probed.names(R"(final.fetchurl {
        url = "x://h/mine-${finalAttrs.version}.tar";
        sha256 = "0000000000000000000000000000000000000000000000000000";
      })")[0],
             Contains("mine-1.tar"));
}

TEST_CASE("the second file of a draft is probed, from whatever folder") {
  DraftFixture fixture;
  fixture.write("draft.nix",
                "{ pkgs ? import <nixpkgs> { } }:\n"
                "pkgs.callPackage ./pkgs/mine.nix { }\n");
  const auto second = fixture.write("pkgs/mine.nix", R"({
  stdenv,
  python3Packages,
}:
stdenv.mkDerivation {
  name = "mine";
  src = ./.;
  buildInputs = [ (python3Packages.six.overridePythonAttrs (old: { })) ];
}
)");
  const Probed probed = probe_draft(fixture);
  CHECK(probed.result.faithful);
  CHECK(probed.result.left_out.empty());
  const Node& node =
      probed.node("python3Packages.six.overridePythonAttrs (old: { })");
  CHECK(node.file == second);
  CHECK(node.made(node.records[0].drv));
  // The expression in the second file is the innermost that made the whole.
  const Node* inner = probed.result.innermost(probed.plain[0]);
  REQUIRE(inner);
  CHECK(probed.result.makers(probed.plain[0]).size() == 2);
}

TEST_CASE("an expression in a function called twice made two derivations") {
  DraftFixture fixture;
  fixture.write("draft.nix", R"(with import <nixpkgs> { };
let make = n: stdenv.mkDerivation { name = "made-${n}"; };
in [ (make "a") (make "b") ])");
  const Probed probed = probe_draft(fixture);
  CHECK(probed.plain.size() == 2);
  CHECK(probed.names("stdenv.mkDerivation { name = \"made-${n}\"; }") ==
        Names{"made-a", "made-b"});
  CHECK(probed.names("make \"b\"") == Names{"made-b"});
}

TEST_CASE("where evaluation fails, what was met before is tied") {
  DraftFixture fixture;
  fixture.write("draft.nix",
                "with import <nixpkgs> { }; runCommand \"x\" { "
                "buildInputs = [ zlib (png.nothing) ]; } \"\"");
  const Probed probed = probe_draft(fixture);
  CHECK(probed.plain.empty());
  CHECK(std::holds_alternative<EvaluationFailed>(probed.result.evaluation));
  CHECK(probed.result.faithful);
  CHECK(probed.names("zlib") == Names{"zlib-1.2"});
}

TEST_CASE("a file that is also a source is left out, and that is said") {
  DraftFixture fixture;
  fixture.write("draft.nix", R"(with import <nixpkgs> { };
stdenv.mkDerivation { name = "x"; text = ./b.nix; dep = import ./b.nix { inherit png; }; })");
  const auto second = fixture.write("b.nix", "{ png }: png");
  const Probed probed = probe_draft(fixture);
  REQUIRE(probed.plain.size() == 1);
  CHECK(probed.result.faithful);
  CHECK(probed.result.left_out == std::vector<std::filesystem::path>{second});
  CHECK(probed.names("import ./b.nix { inherit png; }") == Names{"png-1.6"});
}

TEST_CASE("texts that are awkward to wrap") {
  DraftFixture fixture;
  fixture.write("draft.nix",
                "# head\r\nwith import <nixpkgs> { };\r\n"
                "let f = { p ? png, ... }@args: p; \"odd name\" = "
                "zlib; in\r\n"
                "stdenv.mkDerivation rec { name = \"x\";\r\n"
                "  a = ''\n    ${zlib}/bin ''${not} $${not}\n  "
                "'';\r\n"
                "  ${\"b\"} = f{p=zlib;}; c = [zlib(f { })];\r\n"
                "  inherit (python3.pkgs) six \"html5lib\";\r\n"
                "  d = assert zlib != null; -1; e = !true || png "
                "== zlib; g = [ ] ++ [ png ];\r\n"
                "} // { meta = { }; }  # no end of line");
  const Probed probed = probe_draft(fixture);
  REQUIRE(probed.plain.size() == 1);
  CHECK(probed.result.faithful);
  CHECK(probed.names("f{p=zlib;}") == Names{"zlib-1.2"});
  CHECK(probed.names("\"html5lib\"") == Names{"python3.9-html5lib-1.1"});
}

TEST_CASE("what an override may name") {
  DraftFixture fixture;
  fixture.write(
      "old.nix",
      R"({ a, b ? 1, ... }: a.stdenv.mkDerivation { name = "old"; })");
  fixture.write("draft.nix", R"(with import <nixpkgs> { };
let
  # As makeOverridable was before it told its function's arguments.
  oldCall = f: args: f args // { override = new: oldCall f (args // new); };
  strict = { stdenv, c ? null }: stdenv.mkDerivation { name = "strict"; };
in [
  png
  (oldCall strict { inherit stdenv; })
  python3Packages.inline
  (stdenv.mkDerivation { name = "bare"; })
])");
  const Probed probed = probe_draft(fixture);
  Evaluator evaluator(fixture.world, fixture.invocation);
  const auto arguments = override_arguments(
      evaluator, probed.draft,
      {&probed.node("png"), &probed.node("oldCall strict { inherit stdenv; }"),
       &probed.node("python3Packages.inline"),
       &probed.node("stdenv.mkDerivation { name = \"bare\"; }")});
  REQUIRE(arguments.size() == 4);
  REQUIRE(arguments[0]);
  CHECK(arguments[0]->names == Names{"stdenv", "zlib"});
  CHECK(arguments[0]->closed);
  REQUIRE(arguments[1]);
  CHECK(arguments[1]->names == Names{"stdenv", "c"});
  CHECK(arguments[1]->closed);
  REQUIRE(arguments[2]);
  CHECK(arguments[2]->names.empty());
  CHECK_FALSE(arguments[2]->closed);
  CHECK_FALSE(arguments[3]);
}

TEST_CASE("doors to one interpreter have one drv") {
  DraftFixture fixture;
  fixture.write("draft.nix", R"(with import <nixpkgs> { };
let other = python3.override { packageOverrides = self: super: { }; };
in [ python3Packages.six python3.pkgs.six (other.withPackages (ps: [ ps.six ])) png ])");
  const Probed probed = probe_draft(fixture);
  Evaluator evaluator(fixture.world, fixture.invocation);
  const auto found = interpreters(
      evaluator, probed.draft,
      {&probed.node("python3Packages"), &probed.node("python3", 1),
       &probed.node("ps"), &probed.node("ps.six"), &probed.node("png")});
  for (std::size_t i = 0; i < 4; ++i) {
    REQUIRE(found[i]);
    CHECK(found[i]->version == "3.9");
    CHECK(found[i]->implementation == "cpython");
    CHECK(found[i]->drv == found[0]->drv);
  }
  CHECK_FALSE(found[4]);
}
