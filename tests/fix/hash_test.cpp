#include <catch2/catch.hpp>

#include "fix/fix_fixture.h"

using namespace autopin;
using namespace autopin::fix;
using Catch::Matchers::Contains;

namespace {

constexpr const char* zeros =
    "0000000000000000000000000000000000000000000000000000";
constexpr const char* got =
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";  // of no bytes
constexpr const char* got_base32 =
    "0mdqa9w1p6cmli6976v4wi0sw9r4p5prkj7lzfd1877wk11c9c73";
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
