#include "fix/scope.h"

#include <catch2/catch.hpp>

using namespace autopin;
using namespace autopin::fix;
using nix::ExprId;
using nix::ExprKind;

namespace {

/// The `which`th variable of that name.
ExprId variable(const nix::Source& source, std::string_view name,
                std::size_t which = 0) {
  for (ExprId id = 0; id < source.size(); ++id)
    if (source.at(id).kind == ExprKind::variable &&
        source.at(id).name == name && which-- == 0)
      return id;
  FAIL("no variable " << name);
  return nix::no_expr;
}

/// The text of the binder's expression, shortened by what follows `head`.
std::string binder_text(const nix::Source& source, const Binder& binder) {
  return binder.at == nix::no_expr
             ? std::string()
             : std::string(source.text_of(binder.at)).substr(0, 12);
}

std::vector<std::string> texts(const nix::Source& source,
                               const std::vector<ExprId>& ids) {
  std::vector<std::string> found;
  for (const ExprId id : ids)
    found.emplace_back(source.text_of(id));
  return found;
}

}  // namespace

TEST_CASE("the innermost binder of a name gives it its value") {
  const auto source = nix::Source::parse(
      "x: let x = 1; in { a = x; b = ({ x, ... }: x) { x = 2; }; c = y: x; }");
  const ExprId in_set = variable(source, "x", 0);
  CHECK(binder_of(source, in_set, "x").kind == Binder::Kind::let);
  const ExprId in_function = variable(source, "x", 1);
  CHECK(binder_of(source, in_function, "x").kind == Binder::Kind::parameter);
  CHECK(binder_text(source, binder_of(source, in_function, "x")) ==
        "{ x, ... }: ");
  const ExprId under_y = variable(source, "x", 2);
  CHECK(binder_of(source, under_y, "x").kind == Binder::Kind::let);
  CHECK(binder_text(source, binder_of(source, under_y, "y")) == "y: x");
}

TEST_CASE("@ names, formals with defaults and rec sets bind") {
  const auto source = nix::Source::parse(
      "{ a ? b, b, ... }@all: rec { c = all; d = c; e.f = e; }");
  CHECK(binder_of(source, variable(source, "b"), "b").kind ==
        Binder::Kind::parameter);
  CHECK(binder_of(source, variable(source, "all"), "all").kind ==
        Binder::Kind::parameter);
  CHECK(binder_of(source, variable(source, "c"), "c").kind ==
        Binder::Kind::let);
  CHECK(binder_of(source, variable(source, "e"), "e").kind ==
        Binder::Kind::let);
}

TEST_CASE("a plain set binds nothing, and a plain inherit looks outside") {
  const auto plain = nix::Source::parse("z: { z = 1; a = z; }");
  CHECK(binder_of(plain, variable(plain, "z"), "z").kind ==
        Binder::Kind::parameter);
  const auto inherited = nix::Source::parse(
      "f: let g = f; inherit (f g) h; in rec { inherit g; "
      "k = g; l = h; }");
  CHECK(binder_text(inherited, binder_of(inherited, variable(inherited, "h"),
                                         "h")) == "let g = f; i");
  CHECK(binder_text(inherited,
                    binder_of(inherited, variable(inherited, "g", 1), "g"))
            .starts_with("rec"));
}

TEST_CASE("with comes after every lexical binder, innermost head first") {
  const auto source = nix::Source::parse(
      "pkgs: with pkgs; with python3Packages; let six = 1; in [ six zlib ]");
  CHECK(binder_of(source, variable(source, "six"), "six").kind ==
        Binder::Kind::let);
  const auto binder = binder_of(source, variable(source, "zlib"), "zlib");
  CHECK(binder.kind == Binder::Kind::with);
  CHECK(binder.at == nix::no_expr);
  CHECK(texts(source, binder.withs) ==
        std::vector<std::string>{"python3Packages", "pkgs"});
  CHECK(texts(source, enclosing_withs(source, variable(source, "zlib"))) ==
        std::vector<std::string>{"python3Packages", "pkgs"});
  // The head of a `with` is not inside of it.
  const auto head = binder_of(source, variable(source, "python3Packages"), "q");
  CHECK(texts(source, head.withs) == std::vector<std::string>{"pkgs"});
  CHECK(binder_of(source, variable(source, "pkgs"), "nothing").kind ==
        Binder::Kind::global);
}

TEST_CASE("the innermost formals around a place") {
  const auto source =
      nix::Source::parse("{ lib }: x: { y, ... }: z: [ lib y ]");
  const auto function = enclosing_formals(source, variable(source, "lib"));
  REQUIRE(function);
  CHECK(source.text_of(*function) == "{ y, ... }: z: [ lib y ]");
  const auto none = nix::Source::parse("x: [ x ]");
  CHECK_FALSE(enclosing_formals(none, variable(none, "x")));
}

TEST_CASE("a text may move only to where its names mean the same") {
  const auto source = nix::Source::parse(
      "pkgs: {\n"
      "  here = pkgs.zlib;\n"
      "  same = a: [ a ];\n"
      "  shadowed = pkgs: [ b pkgs ];\n"
      "  own = (let q = 1; in q + (f: f) 2);\n"
      "}");
  const ExprId moved =
      source.find_binding(source.at(source.root()).body, "here")->value;
  const ExprId own =
      source.find_binding(source.at(source.root()).body, "own")->value;
  CHECK(means_the_same_at(source, moved, variable(source, "a")));
  CHECK_FALSE(means_the_same_at(source, moved, variable(source, "b")));
  // What it binds itself moves with it.
  CHECK(means_the_same_at(source, own, variable(source, "b")));
}

TEST_CASE(
    "a name that a with may give means another thing under another with") {
  const auto source = nix::Source::parse(
      "p: { a = with p; [ zlib ]; b = with p.q; [ png ]; c = [ gcc ]; }");
  const ExprId zlib = variable(source, "zlib");
  CHECK_FALSE(means_the_same_at(source, zlib, variable(source, "png")));
  CHECK_FALSE(means_the_same_at(source, zlib, variable(source, "gcc")));
  CHECK(means_the_same_at(source, zlib, zlib));
  CHECK(encloses(source, source.root(), zlib));
  CHECK_FALSE(encloses(source, zlib, source.root()));
}
