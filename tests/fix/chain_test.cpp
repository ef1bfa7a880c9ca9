#include "fix/chain.h"

#include <catch2/catch.hpp>

using namespace autopin;
using namespace autopin::fix;

namespace {

std::string base(const nix::Source& source, const Chain& chain) {
  return std::string(source.text_of(chain.base));
}

std::vector<std::string> functions(const Chain& chain) {
  std::vector<std::string> names;
  for (const Layer& layer : chain.layers)
    names.push_back(layer.function);
  return names;
}

}  // namespace

TEST_CASE("a chain comes apart innermost first, with parentheses or without") {
  const auto source = nix::Source::parse(
      "(((py.bleach).override { a = 1; }).overridePythonAttrs (old: rec { b = "
      "2; })).overrideDerivation (prev: { })");
  const Chain chain = chain_of(source, source.root());
  CHECK(base(source, chain) == "py.bleach");
  REQUIRE(functions(chain) == std::vector<std::string>{"override",
                                                       "overridePythonAttrs",
                                                       "overrideDerivation"});
  CHECK(chain.layers[0].previous.empty());
  REQUIRE(chain.layers[0].attrset);
  CHECK(source.text_of(*chain.layers[0].attrset) == "{ a = 1; }");
  CHECK(chain.layers[1].previous == "old");
  REQUIRE(chain.layers[1].attrset);
  CHECK(source.text_of(*chain.layers[1].attrset) == "rec { b = 2; }");
  CHECK(chain.layers[2].previous == "prev");
  REQUIRE(chain.base_expr);
  CHECK(source.text_of(*chain.base_expr) == "py.bleach");
}

TEST_CASE("the base of a.b.override is a range without a node") {
  const auto source = nix::Source::parse("pkgs.zlib.overrideAttrs (o: { })");
  const Chain chain = chain_of(source, source.root());
  CHECK(base(source, chain) == "pkgs.zlib");
  CHECK_FALSE(chain.base_expr);
  CHECK(functions(chain) == std::vector<std::string>{"overrideAttrs"});
}

TEST_CASE("final: prev: has what was before second") {
  const auto source =
      nix::Source::parse("zlib.overrideAttrs (final: prev: { x = prev.x; })");
  const Chain chain = chain_of(source, source.root());
  REQUIRE(chain.layers.size() == 1);
  CHECK(chain.layers[0].previous == "prev");
}

TEST_CASE("what is no literal leaves the layer without an attrset") {
  const auto source = nix::Source::parse("zlib.override common");
  const Chain chain = chain_of(source, source.root());
  REQUIRE(chain.layers.size() == 1);
  CHECK_FALSE(chain.layers[0].attrset);
  CHECK(source.text_of(chain.layers[0].argument) == "common");
}

TEST_CASE("other calls are no chain") {
  for (const char* text :
       {"callPackage ./x.nix { }", "zlib.overrideScope (f: p: { })", "zlib",
        "overrideAttrs (o: { })", "a.b.c", "(x.override or y) { }"}) {
    INFO(text);
    const auto source = nix::Source::parse(text);
    const Chain chain = chain_of(source, source.root());
    CHECK(chain.layers.empty());
    CHECK(base(source, chain) == text);
  }
}

TEST_CASE("a body is found through let, with, assert and parameters") {
  const auto source = nix::Source::parse(
      "(a: { b, c ? 1 }: let d = 1; in with d; assert true; (rec { e = d; }))");
  const auto body = literal_body(source, source.root());
  REQUIRE(body);
  CHECK(source.text_of(body->attrset) == "rec { e = d; }");
  CHECK(body->parameters.size() == 2);
  CHECK(body->parameters.front() == "a");
  const auto computed = nix::Source::parse("a: a // { }");
  CHECK_FALSE(literal_body(computed, computed.root()));
}
