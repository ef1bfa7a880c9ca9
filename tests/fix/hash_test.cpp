#include <catch2/catch.hpp>

#include "fix/fix_fixture.h"

using namespace autopin;
using namespace autopin::fix;
using Catch::Matchers::Contains;

namespace {

constexpr const char* got_hex =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr const char* zeros_sri =
    "sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

std::string draft_with(const std::string& hash, const std::string& more = "") {
  return "let pkgs = import <nixpkgs> { };" + more +
         " in\npkgs.stdenv.mkDerivation {\n  pname = \"app\";\n  version = "
         "\"1\";\n  src = pkgs.fetchurl {\n    url = "
         "\"https://example.org/src\";\n    sha256 = " +
         hash + ";\n  };\n}\n";
}

Failure mismatch(const std::string& drv, const std::string& specified) {
  return failure_of("hash-mismatch",
                    {{"specified", {specified}}, {"got", {got}}}, drv,
                    {"use-hash"});
}

}  // namespace

TEST_CASE("a placeholder is replaced by the hash that came, in its spelling") {
  struct Row {
    std::string written, after;
  };
  const auto row = GENERATE(
      values<Row>({{std::string("\"") + zeros + "\"", got_base32},
                   {std::string("\"") + std::string(64, '0') + "\"", got_hex},
                   {std::string("\"") + zeros_sri + "\"", got}}));
  INFO(row.written);
  Bench bench(draft_with(row.written));
  const auto drv = bench.drv("src");
  REQUIRE_FALSE(drv.empty());
  const auto offer = offer_for(mismatch(drv, zeros), bench.situation(), {});
  REQUIRE(offer.proposals.size() == 1);
  CHECK(offer.proposals[0].risk == Risk::trust);
  const auto& after = bench.after(offer.proposals[0].edits);
  CHECK(bench.text(after) == draft_with("\"" + row.after + "\""));
  CHECK_FALSE(offer.proposals[0].check(after));
  CHECK(offer.proposals[0].check(bench.situation()));
}

TEST_CASE("lib.fakeHash is a placeholder too") {
  Bench bench(draft_with("lib.fakeSha256",
                         " lib.fakeSha256 = \"" + std::string(zeros) + "\";"));
  const auto offer =
      offer_for(mismatch(bench.drv("src"), zeros), bench.situation(), {});
  REQUIRE(offer.proposals.size() == 1);
  CHECK_THAT(bench.text(bench.after(offer.proposals[0].edits)),
             Contains(got_base32) && Contains("lib.fakeSha256 = "));
}

TEST_CASE("a real hash is the user's to decide on") {
  const std::string real =
      "\"0c46dyqdla85z3h3frxvdmqwbqk1bldbac03c1ip0l43j8nn3i44\"";
  Bench bench(draft_with(real));
  const Failure failure = mismatch(
      bench.drv("src"), "0c46dyqdla85z3h3frxvdmqwbqk1bldbac03c1ip0l43j8nn3i44");
  const auto offer = offer_for(failure, bench.situation(), {});
  CHECK(offer.proposals.empty());
  REQUIRE(offer.why_not.size() == 1);
  CHECK(offer.why_not[0].refused);
  CHECK_THAT(offer.why_not[0].why, Contains("--accept-changed-hash"));
  const auto accepted = offer_for(failure, bench.situation(), {true});
  REQUIRE(accepted.proposals.size() == 1);
  CHECK_THAT(bench.text(bench.after(accepted.proposals[0].edits)),
             Contains(got_base32));
}

TEST_CASE("of two equal placeholders the one of the failing source is meant") {
  const std::string text = draft_with(std::string("\"") + zeros + "\"",
                                      "\n  other = pkgs.fetchurl {\n    url = "
                                      "\"https://example.org/other\";\n    "
                                      "sha256 = \"" +
                                          std::string(zeros) + "\";\n  };\n");
  std::string used = text;
  used.replace(used.find("pname"), 0, "inherit other; ");
  Bench bench(used);
  const auto offer =
      offer_for(mismatch(bench.drv("src"), zeros), bench.situation(), {});
  REQUIRE(offer.proposals.size() == 1);
  const auto after = bench.text(bench.after(offer.proposals[0].edits));
  CHECK(after.find(zeros) < after.find(got_base32));
  CHECK(after.find(got_base32) != std::string::npos);
}

TEST_CASE("what is no hash is none") {
  Bench bench(draft_with(std::string("\"") + zeros + "\""));
  for (const std::string bad :
       {"", "sha256-${INJECTED}", "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "abc"}) {
    Failure failure = mismatch(bench.drv("src"), zeros);
    failure.diagnosis.params["got"] = {bad};
    const auto offer = offer_for(failure, bench.situation(), {true});
    CHECK(offer.proposals.empty());
    CHECK(offer.why_not.size() == 1);
  }
}

TEST_CASE("a hash that stands in no file of the draft is left alone") {
  Bench bench(
      "(import <nixpkgs> { overlays = [ (self: super: { tool = "
      "self.fetchurl { url = \"https://example.org/src\"; sha256 = "
      "builtins.concatStringsSep \"\" [ \"" +
      std::string(zeros) + "\" ]; }; }) ]; }).tool\n");
  const auto offer =
      offer_for(mismatch(bench.drv("src"), zeros), bench.situation(), {});
  CHECK((offer.proposals.empty() ||
         bench.text(bench.after(offer.proposals[0].edits)).find(got_base32) !=
             std::string::npos));
}

namespace {

Failure invalid(const std::string& hash) {
  return failure_of("hash-invalid", {{"hash", {hash}}}, "", {"use-fake-hash"});
}

/// A package with something vendored, as one age's builders take it.
std::string vendoring(const std::string& more) {
  return "let pkgs = import <nixpkgs> { };\n"
         "  vendor = hash: pkgs.fetchurl { url = \"https://example.org/deps\"; "
         "sha256 = hash; };\n  buildIt = { vendorHash ? deps, deps ? null, ... "
         "}@args: pkgs.stdenv.mkDerivation (args // { vendored = vendor "
         "vendorHash; });\nin\nbuildIt {\n  pname = \"app\";\n  version = "
         "\"1\";\n" +
         more + "}\n";
}

}  // namespace

TEST_CASE(
    "a stand-in for a hash becomes the placeholder, as its attribute is") {
  struct Row {
    std::string attribute, hash, after;
  };
  for (const auto& row :
       std::vector<Row>{{"sha256", "xxx", zeros},
                        {"sha256", "TODO", zeros},
                        {"sha256", std::string(40, 'x'), zeros},
                        {"hash", "fixme", zeros_sri},
                        {"hash", "sha256-xxxxxxxxxxxxxxxxxxxxxxx", zeros_sri}})
    for (const auto& age : ages) {
      INFO(age.set << " " << row.hash);
      const auto text = [&](const std::string& hash) {
        return "with import <nixpkgs> { };\nfetchurl {\n  url = "
               "\"https://x.example/a\";\n  " +
               row.attribute + " = \"" + hash + "\";\n}\n";
      };
      Bench bench(text(row.hash), {}, {}, age.set);
      const auto offer = offer_for(invalid(row.hash), bench.situation(), {});
      REQUIRE(offer.proposals.size() == 1);
      CHECK(offer.proposals.front().risk == Risk::trust);
      const auto& after = bench.after(offer.proposals.front().edits);
      CHECK(bench.text(after) == text(row.after));
      CHECK_FALSE(offer.proposals.front().check(after));
    }
}

TEST_CASE(
    "what may be a real hash that was cut off is the user's to decide on") {
  const std::string cut = "0c46dyqdla85z3h3frxvdmqwbqk1bldbac03c1ip0l43j8nn3i4";
  Bench bench(draft_with("\"" + cut + "\""));
  const auto offer = offer_for(invalid(cut), bench.situation(), {});
  CHECK(offer.proposals.empty());
  REQUIRE(offer.why_not.size() == 1);
  CHECK(offer.why_not.front().refused);
  CHECK_THAT(offer.why_not.front().why, Contains("--accept-changed-hash"));
  const auto accepted = offer_for(invalid(cut), bench.situation(), {true});
  REQUIRE(accepted.proposals.size() == 1);
  const auto& after = bench.after(accepted.proposals.front().edits);
  CHECK(bench.text(after) == draft_with(std::string("\"") + zeros + "\""));
}

TEST_CASE("a word that is no hash of the draft's, or two, is left alone") {
  const std::string text =
      "with import <nixpkgs> { };\n{ a = fetchurl { url = \"xxx\"; sha256 = "
      "\"yyy\"; }; b = fetchurl { url = \"https://x.example\"; sha256 = "
      "\"yyy\"; }; }\n";
  Bench bench(text);
  for (const std::string hash : {"", "xxx", "yyy", "zzz", "sha265"}) {
    INFO(hash);
    CHECK(
        offer_for(invalid(hash), bench.situation(), {true}).proposals.empty());
  }
}

TEST_CASE("a stale hash of what is vendored is renewed on the user's word") {
  const std::string stale =
      "0c46dyqdla85z3h3frxvdmqwbqk1bldbac03c1ip0l43j8nn3i44";
  for (const std::string kind : {"vendor-hash-stale", "vendor-inconsistent"}) {
    Bench bench(vendoring("  vendorHash = \"" + stale + "\";\n"));
    const Failure failure = failure_of(kind, {{"module", {"x"}}},
                                       bench.drv("app-1"), {"use-fake-hash"});
    const auto offer = offer_for(failure, bench.situation(), {});
    CHECK(offer.proposals.empty());
    REQUIRE(offer.why_not.size() == 1);
    CHECK(offer.why_not.front().refused);
    const auto accepted = offer_for(failure, bench.situation(), {true});
    REQUIRE(accepted.proposals.size() == 1);
    CHECK(accepted.proposals.front().risk == Risk::trust);
    const auto& after = bench.after(accepted.proposals.front().edits);
    CHECK_FALSE(accepted.proposals.front().check(after));
    CHECK_THAT(bench.text(after),
               Contains(std::string("vendorHash = \"") + zeros_sri + "\";"));
  }
}
