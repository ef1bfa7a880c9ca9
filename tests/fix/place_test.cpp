#include "fix/place.h"

#include <catch2/catch.hpp>

#include "fix/fix_fixture.h"

using namespace autopin;
using namespace autopin::fix;
using Catch::Matchers::Contains;

namespace {

constexpr const char* application = R"({ pkgs ? import <nixpkgs> { } }:

with pkgs.python36Packages;
buildPythonPackage {
  pname = "app";
  version = "1";
  propagatedBuildInputs = [ six ];
}
)";

/// The proposal of place_change whose place is called so.
std::optional<FileEdits> said(Bench& bench, const std::string& drv,
                              const DerivationChange& change,
                              const std::string& where) {
  for (auto& proposal : place_change(bench.situation(), drv, change, {}))
    if (proposal.where == where)
      return std::move(proposal.edits);
  return std::nullopt;
}

std::vector<std::string> wheres(Bench& bench, const std::string& drv,
                                const DerivationChange& change) {
  std::vector<std::string> names;
  for (const auto& proposal : place_change(bench.situation(), drv, change, {}))
    names.push_back(proposal.where);
  return names;
}

DerivationChange only(AttrChange change) {
  DerivationChange all;
  all.attributes.push_back(std::move(change));
  return all;
}

}  // namespace

TEST_CASE("the draft's own builder is changed where it stands") {
  Bench bench(application);
  const auto drv = bench.drv("python3.6-app-1");
  REQUIRE_FALSE(drv.empty());
  CHECK(is_python_package(bench.situation(), drv));
  const auto edits = said(bench, drv, only(set_attribute("doCheck", "false")),
                          "in the draft's own package");
  REQUIRE(edits);
  const auto& after = bench.after(*edits);
  CHECK_THAT(bench.text(after), Contains(R"(  propagatedBuildInputs = [ six ];
  # why (autopin step 1)
  doCheck = false;
})"));
  CHECK(bench.sees(bench.situation(), "python3.6-app-1", "doInstallCheck") ==
        "1");
  CHECK(bench.sees(after, "python3.6-app-1", "doInstallCheck") == "");
}

TEST_CASE("an item joins the list in the style of its siblings") {
  const std::string items =
      GENERATE(as<std::string>{}, "six", "py.six", "pkgs.python36Packages.six");
  INFO(items);
  Bench bench(
      "let pkgs = import <nixpkgs> { }; py = pkgs.python36Packages; in\n"
      "with py;\nbuildPythonPackage {\n  pname = \"app\";\n"
      "  version = \"1\";\n  propagatedBuildInputs = [ " +
      items + " ];\n}\n");
  const auto edits = said(
      bench, bench.drv("python3.6-app-1"),
      only(append_items("propagatedBuildInputs", {python_ref("html5lib")})),
      "in the draft's own package");
  REQUIRE(edits);
  const auto& after = bench.after(*edits);
  const std::string wanted = items.substr(0, items.size() - 3) + "html5lib ]";
  CHECK_THAT(bench.text(after), Contains(" " + wanted));
  CHECK(bench.has_input(after, "python3.6-app-1", "python3.6-html5lib-1.1"));
}

TEST_CASE("lists of every form are appended to, none is lost") {
  const std::string form = GENERATE(
      as<std::string>{}, "[ ]", "with pkgs; [ zlib ]", "[ pkgs.zlib ] ++ x",
      "x ++ [ pkgs.zlib ]", "x", "(if true then x else [ ])", "let y = x; in y",
      "let y = x; in [ pkgs.zlib ] ++ y");
  INFO(form);
  Bench bench(
      "let pkgs = import <nixpkgs> { }; x = [ pkgs.pkg-config ]; in\n"
      "pkgs.stdenv.mkDerivation {\n  pname = \"app\";\n  version = \"1\";\n"
      "  buildInputs = " +
      form + ";\n}\n");
  const auto drv = bench.drv("app-1");
  const auto before = bench.store().inputs(drv, nix::Edges::build);
  const auto edits =
      said(bench, drv, only(append_items("buildInputs", {top_ref("png")})),
           "in the draft's own package");
  REQUIRE(edits);
  const auto& after = bench.after(*edits);
  CHECK(bench.has_input(after, "app-1", "png-1.6"));
  CHECK(bench.store()
            .inputs(bench.drv("app-1", after), nix::Edges::build)
            .size() == before.size() + 1);
}

TEST_CASE("a binding by its other name is extended, not doubled") {
  Bench bench(R"(with import <nixpkgs> { };
stdenv.mkDerivation {
  pname = "app";
  version = "1";
  nativeBuildInputs = [ pkg-config ];
}
)");
  AttrChange change = append_items("buildInputs", {top_ref("zlib")});
  change.or_existing = {"nativeBuildInputs"};
  const auto edits = said(bench, bench.drv("app-1"), only(change),
                          "in the draft's own package");
  REQUIRE(edits);
  const auto& after = bench.after(*edits);
  CHECK(bench.text(after).find(" buildInputs") == std::string::npos);
  // As written there, the item is the package; stdenv picks outputs later.
  CHECK(bench.has_input(after, "app-1", "zlib-1.2"));
}

TEST_CASE("a fix goes into the override that is there") {
  Bench bench(R"(let py = (import <nixpkgs> { }).python36Packages;
in py.html5lib.overridePythonAttrs (old: {
  version = "0.9";
})
)");
  const auto drv = bench.drv("python3.6-html5lib-0.9");
  const auto edits =
      said(bench, drv, only(append_shell("preCheck", {"rm -f 'a b'."})),
           "in the override that is there");
  REQUIRE(edits);
  const auto& after = bench.after(*edits);
  CHECK_THAT(bench.text(after), Contains(R"(  version = "0.9";
  # why (autopin step 1)
  preCheck = (old.preCheck or "") + ''
    rm -f 'a b'.
  '';
}))"));
  CHECK_THAT(bench.sees(after, "python3.6-html5lib-0.9", "preCheck"),
             Contains("rm -f 'a b'."));
}

TEST_CASE("a layer without a name for what was before gets one") {
  Bench bench(R"(with import <nixpkgs> { };
python36Packages.html5lib.overridePythonAttrs { version = "0.9"; }
)");
  // In nixpkgs a plain { } is taken as well; this set's wants a function.
  CHECK(bench.situation().roots().empty());
  Bench other(R"(with import <nixpkgs> { };
python36Packages.html5lib.overridePythonAttrs (_: { version = "0.9"; })
)");
  const auto edits = said(other, other.drv("python3.6-html5lib-0.9"),
                          only(append_items("propagatedBuildInputs",
                                            {python_ref("zope_interface")})),
                          "in the override that is there");
  REQUIRE(edits);
  const auto& after = other.after(*edits);
  CHECK(other.has_input(after, "python3.6-html5lib-0.9",
                        "python3.6-zope.interface-4.0"));
  // The old value is kept.
  CHECK(other.has_input(after, "python3.6-html5lib-0.9", "python3.6-six-1.16"));
}

TEST_CASE("a hook grows at its end, whatever it is written as") {
  const std::string hook = GENERATE(as<std::string>{}, "''\n    echo one\n  ''",
                                    "\"echo one\"", "text", "(text + \"\")");
  INFO(hook);
  Bench bench(
      "let pkgs = import <nixpkgs> { }; text = \"echo one\\n\"; in\n"
      "pkgs.stdenv.mkDerivation {\n  pname = \"app\";\n"
      "  version = \"1\";\n  preCheck = " +
      hook + ";\n}\n");
  const auto edits =
      said(bench, bench.drv("app-1"),
           only(append_shell("preCheck", {"echo ${two} ''three''"})),
           "in the draft's own package");
  REQUIRE(edits);
  const auto& after = bench.after(*edits);
  const std::string seen = bench.sees(after, "app-1", "preCheck");
  CHECK_THAT(seen, Contains("echo one"));
  CHECK_THAT(seen, Contains("echo ${two} ''three''"));
  CHECK(seen.find("echo one") < seen.find("echo ${two}"));
  CHECK_THAT(bench.text(after), Contains("(autopin step 1)"));
}

TEST_CASE("a mere reference is wrapped, in parentheses where it must be") {
  Bench bench(R"(with import <nixpkgs> { };
runCommand "shell" {
  buildInputs = [
    python36Packages.html5lib
    (zlib)
  ];
} ""
)");
  const auto drv = bench.drv("python3.6-html5lib-1.1");
  const auto edits = said(bench, drv, only(set_attribute("doCheck", "false")),
                          "around its reference");
  REQUIRE(edits);
  const auto& after = bench.after(*edits);
  CHECK_THAT(
      bench.text(after),
      Contains(R"(    (python36Packages.html5lib.overridePythonAttrs (old: {
      # why (autopin step 1)
      doCheck = false;
    }))
    (zlib))"));
  CHECK(bench.sees(after, "python3.6-html5lib-1.1", "doInstallCheck") == "");
}

TEST_CASE("each reference that makes the derivation is wrapped") {
  Bench bench(R"(let pkgs = import <nixpkgs> { };
in pkgs.runCommand "shell" {
  buildInputs = [ pkgs.tool ];
  other = "${pkgs.tool}/bin";
} ""
)");
  const auto edits =
      said(bench, bench.drv("tool-1"),
           only(set_attribute("patched", "\"yes\"")), "around its reference");
  REQUIRE(edits);
  const auto& after = bench.after(*edits);
  CHECK(bench.sees(after, "tool-1", "patched") == "yes");
}

TEST_CASE("arguments go to the function, before the layers that are there") {
  Bench bench(R"(with import <nixpkgs> { };
python36Packages.bleach.overridePythonAttrs (old: {
  version = "3.0";
})
)");
  DerivationChange change;
  change.arguments.push_back(
      {"html5lib", python_ref("six"), "why (autopin step 1)"});
  const auto edits = said(bench, bench.drv("python3.6-bleach-3.0"), change,
                          "in the override that is there");
  REQUIRE(edits);
  const auto& after = bench.after(*edits);
  CHECK_THAT(bench.text(after),
             Contains("(python36Packages.bleach.override {") &&
                 Contains("}).overridePythonAttrs (old: {"));
  CHECK_FALSE(
      bench.has_input(after, "python3.6-bleach-3.0", "python3.6-html5lib-1.1"));
  CHECK(bench.has_input(after, "python3.6-bleach-3.0", "python3.6-six-1.16"));
}

TEST_CASE("a new argument joins the override that is there") {
  Bench bench(R"(with import <nixpkgs> { };
(python36Packages.bleach.override {
  six = python36Packages.zope_interface;
}).overridePythonAttrs (old: { version = "3.0"; })
)");
  DerivationChange change;
  change.arguments.push_back(
      {"html5lib", python_ref("six"), "why (autopin step 1)"});
  change.attributes.push_back(set_attribute("doCheck", "false"));
  const auto edits = said(bench, bench.drv("python3.6-bleach-3.0"), change,
                          "in the override that is there");
  REQUIRE(edits);
  const auto& after = bench.after(*edits);
  const std::string text = bench.text(after);
  CHECK(text.find(".override {") == text.rfind(".override {"));
  CHECK(bench.has_input(after, "python3.6-bleach-3.0",
                        "python3.6-zope.interface-4.0"));
  CHECK_FALSE(
      bench.has_input(after, "python3.6-bleach-3.0", "python3.6-html5lib-1.1"));
  CHECK(bench.sees(after, "python3.6-bleach-3.0", "doInstallCheck") == "");
}

TEST_CASE("a plain override is extended by arguments, not wrapped again") {
  Bench bench(R"(with import <nixpkgs> { };
runCommand "shell" { buildInputs = [ (tool.override { zlib = png; }) ]; } ""
)");
  DerivationChange change;
  change.arguments.push_back(
      {"stdenv", top_ref("stdenv"), "why (autopin step 1)"});
  const auto drv = bench.drv("tool-1");
  for (const auto& proposal :
       place_change(bench.situation(), drv, change, {})) {
    const auto& after = bench.after(proposal.edits);
    const std::string text = bench.text(after);
    CHECK(text.find(".override") == text.rfind(".override"));
    CHECK_THAT(text, Contains("stdenv = stdenv;"));
    CHECK(bench.has_input(after, "tool-1", "png-1.6"));
  }
  CHECK(wheres(bench, drv, change).size() == 1);
}

TEST_CASE("the lower functions get the names that they read") {
  Bench bench(R"(with import <nixpkgs> { };
python36Packages.html5lib.overrideAttrs (old: {
  patched = "yes";
})
)");
  const auto drv = bench.drv("python3.6-html5lib-1.1");
  const auto edits = said(bench, drv, only(set_attribute("doCheck", "false")),
                          "in the override that is there");
  REQUIRE(edits);
  const auto& after = bench.after(*edits);
  CHECK_THAT(bench.text(after), Contains("doInstallCheck = false;"));
  CHECK(bench.sees(after, "python3.6-html5lib-1.1", "doInstallCheck") == "");
}

TEST_CASE("a derivation that nobody names has no place but the set") {
  Bench bench(R"(with import <nixpkgs> { };
python36Packages.bleach
)");
  const auto drv = bench.drv("python3.6-html5lib-1.1");
  CHECK(places_of(bench.situation(), drv).empty());
  CHECK(wheres(bench, drv, only(set_attribute("doCheck", "false"))) ==
        std::vector<std::string>{"in the Python package set"});
  Bench plain("with import <nixpkgs> { };\npng\n");
  CHECK(wheres(plain, plain.drv("zlib-1.2"),
               only(set_attribute("doCheck", "false")))
            .empty());
}

TEST_CASE("the file that made the derivation is the one that is edited") {
  Bench bench("with import <nixpkgs> { };\ncallPackage ./second.nix { }\n",
              {{"second.nix",
                "{ stdenv, zlib }:\nstdenv.mkDerivation {\n  pname = "
                "\"second\";\n  version = \"1\";\n  buildInputs = [ zlib "
                "];\n}\n"}});
  const auto edits = said(bench, bench.drv("second-1"),
                          only(append_items("buildInputs", {top_ref("png")})),
                          "in the draft's own package");
  REQUIRE(edits);
  REQUIRE(edits->size() == 1);
  CHECK(edits->begin()->first.filename() == "second.nix");
  const auto& after = bench.after(*edits);
  // callPackage fills formals: the new name becomes one.
  CHECK_THAT(bench.text(after, "second.nix"),
             Contains("{ stdenv, zlib, png }:") && Contains("zlib png") ||
                 Contains("png"));
  CHECK(bench.has_input(after, "second-1", "png-1.6"));
}
