// Ways of writing a draft that a fix must find its way through: line ends,
// names bound elsewhere, sets that are merged, flags that are there already.

#include <catch2/catch.hpp>

#include "base/text.h"
#include "fix/fix_fixture.h"
#include "fix/named.h"
#include "fix/set_override.h"

using namespace autopin;
using namespace autopin::fix;
using Catch::Matchers::Contains;

namespace {

const Situation& after_first(Bench& bench, const Offer& offer) {
  REQUIRE_FALSE(offer.proposals.empty());
  const auto& after = bench.after(offer.proposals[0].edits);
  CHECK_FALSE(offer.proposals[0].check(after));
  return after;
}

/// After six of bleach's package set is made an older one.
const Situation& with_older_six(Bench& bench) {
  SetEntry entry;
  entry.attribute = "six";
  entry.change.attributes.push_back(set_attribute("version", "\"1.10\""));
  entry.functions = {true, true, false};
  const auto set =
      PythonSet::of(bench.situation(), bench.drv("python3.6-bleach-4.0"));
  REQUIRE(set);
  const auto edits = override_in_set(*set, {entry});
  REQUIRE(edits);
  return bench.after(*edits);
}

Offer hash_offer(Bench& bench, const std::string& drv) {
  return offer_for(
      failure_of("hash-mismatch", {{"specified", {zeros}}, {"got", {got}}},
                 bench.drv(drv), {"use-hash"}),
      bench.situation(), {});
}

}  // namespace

TEST_CASE("what is put into a file of CR LF lines ends its lines so") {
  Bench bench(
      "let pkgs = import <nixpkgs> { };\r\nin "
      "pkgs.python36Packages.bleach\r\n");
  const std::string text = bench.text(with_older_six(bench));
  CHECK_THAT(text, Contains("packageOverrides = self: super: {\r\n"));
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;
       ++at)
    CHECK(text[at - 1] == '\r');
}

TEST_CASE("an interpreter by way of its set is no door of its own") {
  Bench bench(
      "let\n  pkgs = import <nixpkgs> { };\n  py = pkgs.python36Packages;\nin\n"
      "py.python.withPackages (_: [ py.bleach ])\n");
  const auto& after = with_older_six(bench);
  CHECK_THAT(bench.text(after), Contains("py = (pkgs.python36.override {") &&
                                    Contains("}).pkgs;\nin\npy.python."));
  CHECK(bench.drv("python3.6-six-1.16", after).empty());
  CHECK_FALSE(bench.drv("python3.6-six-1.10", after).empty());
}

TEST_CASE("Go takes one -skip: what it skipped before, it skips still") {
  struct Row {
    std::string flags, seen;
  };
  const auto row = GENERATE(values<Row>(
      {{"", "-skip=^TestNet$"},
       {"  checkFlags = [ \"-short\" ];\n", "-short -skip=^TestNet$"},
       {"  checkFlags = [ \"-skip=^TestDial$\" ];\n",
        "-skip=^TestDial$ -skip=^TestDial$|^TestNet$"},
       {"  checkFlags = [ \"-skip\" \"TestA|TestB\" \"-short\" ];\n",
        "-skip TestA|TestB -short -skip=TestA|TestB|^TestNet$"}}));
  INFO(row.flags);
  Bench bench(
      "with import <nixpkgs> { };\nstdenv.mkDerivation {\n  pname = \"app\";\n"
      "  version = \"1\";\n  goModules = \"vendor\";\n" +
      row.flags + "}\n");
  const auto offer =
      offer_for(failure_of("test-failed", {{"tests", {"TestNet/tcp"}}},
                           bench.drv("app-1"), {"disable-tests"}),
                bench.situation(), {});
  CHECK(bench.sees(after_first(bench, offer), "app-1", "checkFlags") ==
        row.seen);
}

TEST_CASE("flags of Go that cannot be told apart are left alone") {
  Bench bench(
      "with import <nixpkgs> { };\nstdenv.mkDerivation {\n  pname = \"app\";\n"
      "  version = \"1\";\n  goModules = \"vendor\";\n"
      "  checkFlags = [ \"-skip='a b'\" ];\n}\n");
  const auto offer =
      offer_for(failure_of("test-failed", {{"tests", {"TestNet"}}},
                           bench.drv("app-1"), {"disable-tests"}),
                bench.situation(), {});
  CHECK(offer.proposals.empty());
}

TEST_CASE("what pkg-config is to find brings pkg-config where it is not") {
  for (const bool there : {false, true}) {
    INFO(there);
    Bench bench(
        "{ pkgs ? import <nixpkgs> { } }:\npkgs.stdenv.mkDerivation {\n"
        "  pname = \"app\";\n  version = \"1\";\n" +
        std::string(there ? "  nativeBuildInputs = [ pkgs.pkg-config ];\n"
                          : "") +
        "}\n");
    const auto offer =
        offer_for(failure_of("pkg-config-missing", {{"modules", {"zlib"}}},
                             bench.drv("app-1"), {"add-pkg-config-input"}),
                  bench.situation(), {});
    const auto& after = after_first(bench, offer);
    CHECK(bench.has_input(after, "app-1", "pkg-config-0.29"));
    const std::string text = bench.text(after);
    CHECK_THAT(text, Contains("buildInputs = [ pkgs.zlib ]"));
    CHECK(text.find("pkg-config") == text.rfind("pkg-config"));
  }
}

TEST_CASE("a Python package is also known by the name it is imported by") {
  Bench bench("with import <nixpkgs> { }; zlib\n", {},
              {{"import-names", {{"sklearn", "scikit-learn"}}},
               {"python-attributes", {{"scikit-learn", "scikitlearn"}}}});
  const auto names =
      other_spellings(bench.situation().parts().tables, "sklearn");
  for (const char* name : {"scikit-learn", "scikitlearn", "scikit_learn"})
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  CHECK(std::count(names.begin(), names.end(), "sklearn") == 0);
}

TEST_CASE("a hash that a let binds is mended where it alone is meant") {
  const std::string fetch =
      "stdenv.mkDerivation {\n  pname = \"app\";\n  version = \"1\";\n"
      "  src = fetchurl { url = \"https://example.org/src\"; ";
  struct Row {
    std::string before, rest, after;
  };
  const std::string bound = "\"" + std::string(zeros) + "\"";
  const std::string mended = "\"" + std::string(got_base32) + "\"";
  const std::string twice =
      " };\n  more = fetchurl { url = \"https://example.org/more\"; sha256 = "
      "fake; };\n}\n";
  const auto row = GENERATE_COPY(values<Row>(
      {{"fake = " + bound, "sha256 = fake; };\n}\n", "fake = " + mended},
       {"sha256 = " + bound, "inherit sha256; };\n}\n", "sha256 = " + mended},
       {"fake = " + bound, "sha256 = fake;" + twice,
        "src\"; sha256 = " + mended}}));
  INFO(row.before << row.rest);
  Bench bench("with import <nixpkgs> { };\nlet " + row.before + ";\nin " +
              fetch + row.rest);
  const auto& after = after_first(bench, hash_offer(bench, "src"));
  CHECK_THAT(bench.text(after), Contains(row.after));
  if (row.rest.find("more") != std::string::npos)
    CHECK(bench.drv("more", after) == bench.drv("more"));
}

TEST_CASE("a hash that a function is given, or that a file of sources has") {
  const auto rest = GENERATE(values<std::string>(
      {"(fetch \"src\" HASH)", "(fetchurl (import ./sources.nix).src)"}));
  INFO(rest);
  const std::string placeholder = "\"" + std::string(zeros) + "\"";
  const std::string draft =
      "with import <nixpkgs> { };\nlet fetch = name: sha256: fetchurl { url = "
      "\"https://example.org/${name}\"; inherit sha256; };\nin "
      "stdenv.mkDerivation {\n  pname = \"app\";\n  version = \"1\";\n  src "
      "= " +
      rest + ";\n}\n";
  const bool given = rest.find("HASH") != std::string::npos;
  Bench bench(replace_all(draft, "HASH", placeholder),
              {{"sources.nix",
                "{ src = { url = \"https://example.org/src\"; sha256 = " +
                    (given ? "\"\"" : placeholder) + "; }; }\n"}});
  const auto& after = after_first(bench, hash_offer(bench, "src"));
  CHECK_THAT(bench.text(after, given ? "draft.nix" : "sources.nix"),
             Contains("\"" + std::string(got_base32) + "\""));
}

TEST_CASE("a configuration that is inherited is the one to permit in") {
  struct Row {
    std::string draft, after;
  };
  const auto row = GENERATE(values<Row>(
      {{"{ config ? { } }:\nwith import <nixpkgs> { inherit config; }; zlib\n",
        "{ config ? { problems.handlers.app.broken = \"warn\"; "},
       {"let config = { a = 1; }; in\nwith import <nixpkgs> { inherit config; "
        "}; zlib\n",
        "a = 1; "}}));
  INFO(row.draft);
  Bench bench(row.draft);
  const auto offer =
      offer_for(failure_of("package-broken", {{"package", {"app-1"}}}, "",
                           {"allow-broken"}),
                bench.situation(), {});
  REQUIRE_FALSE(offer.proposals.empty());
  CHECK(offer.proposals[0].risk == Risk::permits);
  const std::string text = bench.text(bench.after(offer.proposals[0].edits));
  CHECK_THAT(text, Contains("problems.handlers.app.broken = \"warn\";"));
  CHECK_THAT(text, Contains("import <nixpkgs> { inherit config; }"));
}

TEST_CASE(
    "a configuration that is made elsewhere is merged with what permits") {
  struct Row {
    std::string draft, after;
  };
  const auto row = GENERATE(values<Row>(
      {{"import ./with.nix { allowBroken = false; }\n", ""},
       {"(import <nixpkgs> { config = import ./config.nix; }).zlib\n",
        "config = import ./config.nix // { allowUnfreePredicate = pkg: "}}));
  INFO(row.draft);
  Bench bench(
      row.draft,
      {{"with.nix", "config: (import <nixpkgs> { inherit config; }).zlib\n"},
       {"config.nix", "{ a = 1; }\n"}});
  const auto offer =
      offer_for(failure_of("package-unfree", {{"package", {"app-1"}}}, "",
                           {"allow-unfree"}),
                bench.situation(), {});
  REQUIRE_FALSE(offer.proposals.empty());
  const auto& after = bench.after(offer.proposals[0].edits);
  if (row.after.empty())
    CHECK_THAT(bench.text(after, "with.nix"),
               Contains("{ config = config // { allowUnfreePredicate = pkg: "));
  else
    CHECK_THAT(bench.text(after), Contains(row.after));
}

TEST_CASE("names that a predicate has by a let are extended there") {
  Bench bench(
      "let\n  allowed = [ \"steam\" ]; # these\n  pkgs = import <nixpkgs> { "
      "config.allowUnfreePredicate = p: builtins.elem p.pname allowed; };\nin "
      "pkgs.zlib\n");
  const auto offer =
      offer_for(failure_of("package-unfree", {{"package", {"app-1"}}}, "",
                           {"allow-unfree"}),
                bench.situation(), {});
  REQUIRE_FALSE(offer.proposals.empty());
  const std::string text = bench.text(bench.after(offer.proposals[0].edits));
  CHECK_THAT(text, Contains("allowed = [ \"steam\"") && Contains("\"app\""));
  CHECK_THAT(text, Contains("elem p.pname allowed;"));
}

TEST_CASE("a list of what a package is merged with is kept") {
  Bench bench(
      "let\n  pkgs = import <nixpkgs> { };\n  common = { version = \"1\"; "
      "buildInputs = [ pkgs.tool ]; };\nin\npkgs.stdenv.mkDerivation (common "
      "// {\n  pname = \"app\";\n})\n");
  const auto offer =
      offer_for(failure_of("header-missing", {{"header", {"zlib.h"}}},
                           bench.drv("app-1"), {"add-header-input"}),
                bench.situation(), {});
  const auto& after = after_first(bench, offer);
  CHECK_THAT(
      bench.text(after),
      Contains("buildInputs = (common.buildInputs or [ ]) ++ [ pkgs.zlib ];"));
  CHECK(bench.has_input(after, "app-1", "tool-1"));
}
