#include <catch2/catch.hpp>

#include "fix/fix_fixture.h"

using namespace autopin;
using namespace autopin::fix;
using Catch::Matchers::Contains;

namespace {

/// An environment of two packages, one of them the draft's own.
const char* const draft = R"(with import <nixpkgs> { };
let
  app = stdenv.mkDerivation {
    name = "app-1";
    postInstall = "true";
  };
in
buildEnv {
  name = "both";
  paths = [ zlib app ];
}
)";

/// What buildEnv says of a file of both.
std::string message(Bench& bench, const std::string& file) {
  auto& store = bench.store();
  return "collision between `" +
         store.output_path(bench.drv("zlib-1.2.11")).value_or("") + "/" + file +
         "' and `" + store.output_path(bench.drv("app-1")).value_or("") + "/" +
         file + "'";
}

Offer offer_of(Bench& bench, const std::string& line) {
  Failure failure = failure_of("file-collision", {}, bench.drv("both"),
                               {"drop-colliding-file"});
  failure.diagnosis.lines = {{1, line}};
  return offer_for(failure, bench.situation(), {});
}

}  // namespace

TEST_CASE("a file that no program reads is left out of one package") {
  struct Row {
    std::string file, line;
  };
  for (const auto& age : ages)
    for (const auto& row :
         std::vector<Row>{{"lib/python3.11/site-packages/tests/__init__.py",
                           "rm -r $out/lib/python*/site-packages/tests"},
                          {"lib/python3.11/site-packages/LICENSE",
                           "rm -r $out/lib/python*/site-packages/LICENSE"},
                          {"share/info/dir", "rm $out/share/info/dir"}}) {
      INFO(age.set << " " << row.file);
      Bench bench(draft, {}, {}, age.set);
      const auto offer = offer_of(bench, message(bench, row.file));
      REQUIRE(offer.proposals.size() >= 2);
      bool in_app = false;
      for (const auto& proposal : offer.proposals) {
        const auto& after = bench.after(proposal.edits);
        INFO(bench.text(after));
        CHECK(proposal.risk == Risk::exact);
        CHECK_FALSE(proposal.check(after));
        if (proposal.where == "in the draft's own package") {
          in_app = true;
          CHECK_THAT(bench.sees(after, "app-1", "postInstall"),
                     Contains("true") && Contains(row.line));
        }
      }
      CHECK(in_app);
    }
}

TEST_CASE("a file that may be wanted is left to a person") {
  Bench bench(draft, {}, {}, ages.front().set);
  for (const std::string file :
       {"bin/x", "lib/python3.11/site-packages/six.py",
        "lib/python3.11/site-packages/tests_of_mine/x.py",
        "share/info/dir/../../../x", "lib/python3.11/site-packages/../tests",
        "lib/python3.11/site-packages/$(touch INJECTED)"}) {
    INFO(file);
    CHECK(offer_of(bench, message(bench, file)).proposals.empty());
  }
  CHECK(offer_of(bench, "").proposals.empty());
  CHECK(offer_of(bench, "collision between `/nix/store/" +
                            std::string(32, 'a') + "-x/LICENSE' and `y'")
            .proposals.empty());
}
