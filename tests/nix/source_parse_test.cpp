#include <catch2/catch.hpp>

#include "nix/source.h"

using namespace autopin::nix;

namespace {

const Expr& root_of(const Source& source) {
  return source.at(source.root());
}

std::string literal_of(const std::string& text) {
  const Source source = Source::parse(text);
  INFO(text);
  REQUIRE_FALSE(source.has_errors());
  REQUIRE(root_of(source).literal.has_value());
  return *root_of(source).literal;
}

}  // namespace

TEST_CASE("An application holds its function and argument") {
  const Source source = Source::parse("f x (g y)");
  REQUIRE_FALSE(source.has_errors());
  const Expr& outer = root_of(source);
  REQUIRE(outer.kind == ExprKind::apply);
  CHECK(source.text_of(outer.function) == "f x");
  CHECK(source.text_of(outer.argument) == "(g y)");
  CHECK(source.at(outer.function).kind == ExprKind::apply);
  CHECK(source.text_of(source.strip(outer.argument)) == "g y");
}

TEST_CASE("Ids are in pre-order and parents lead back") {
  const Source source = Source::parse(
      "{ a ? 1 }: let x = [ a (f \"${a}\") ]; in { inherit (x) y; z.${a} = x; "
      "}");
  REQUIRE_FALSE(source.has_errors());
  CHECK(source.at(0).parent == no_expr);
  for (ExprId id = 1; id < source.size(); ++id) {
    const ExprId parent = source.at(id).parent;
    REQUIRE(parent < id);
    CHECK(source.at(parent).range.contains(source.at(id).range));
    CHECK(source.at(id - 1).range.begin <= source.at(id).range.begin);
    const auto& children = source.at(parent).children;
    CHECK(std::count(children.begin(), children.end(), id) == 1);
  }
}

TEST_CASE("An attrset lists bindings and inherits with their ranges") {
  const Source source = Source::parse(
      "rec { a.\"b c\".${d} = 1; inherit x \"y\"; inherit (p) q; }");
  REQUIRE_FALSE(source.has_errors());
  const Expr& set = root_of(source);
  CHECK(set.is_rec);
  CHECK(source.text_of(set.inner) ==
        " a.\"b c\".${d} = 1; inherit x \"y\"; inherit (p) q; ");
  REQUIRE(set.bindings.size() == 3);
  CHECK(source.text_of(set.bindings[0].range) == "a.\"b c\".${d} = 1;");
  REQUIRE(set.bindings[0].path.size() == 3);
  CHECK(set.bindings[0].path[1].text == "b c");
  CHECK(set.bindings[0].path[2].text.empty());
  CHECK(source.text_of(set.bindings[0].value) == "1");
  CHECK(set.bindings[1].is_inherit);
  CHECK(set.bindings[1].path[1].text == "y");
  CHECK(source.text_of(set.bindings[2].inherit_from) == "p");
  CHECK(source.find_binding(0, "y") == &set.bindings[1]);
  CHECK(source.find_binding(0, "a") == nullptr);
}

TEST_CASE("A function has a parameter, formals, or both") {
  const Source plain = Source::parse("x: x");
  CHECK(root_of(plain).name == "x");
  CHECK_FALSE(root_of(plain).has_formals);
  for (const char* text :
       {"{ a, b ? 2, ... }@args: a", "args@{ a, b ? 2, ... }: a"}) {
    const Source source = Source::parse(text);
    const Expr& function = root_of(source);
    CHECK(function.name == "args");
    CHECK(function.has_formals);
    CHECK(function.has_ellipsis);
    REQUIRE(function.formals.size() == 2);
    CHECK(function.formals[1].name == "b");
    CHECK(source.text_of(function.formals[1].fallback) == "2");
    CHECK(source.text_of(function.formals[1].range) == "b ? 2");
    CHECK(source.text_of(function.formals_range) == "{ a, b ? 2, ... }");
    CHECK(source.text_of(function.body) == "a");
  }
  const Source empty = Source::parse("{ }: 1");
  CHECK(root_of(empty).has_formals);
  CHECK(root_of(empty).formals.empty());
}

TEST_CASE("let, with, assert and select name their parts") {
  const Source source =
      Source::parse("let a = 1; in with b; assert c; d.e.\"f\" or g");
  REQUIRE_FALSE(source.has_errors());
  const Expr& let = root_of(source);
  REQUIRE(let.kind == ExprKind::let);
  CHECK(source.text_of(let.inner) == " a = 1; ");
  CHECK(let.bindings.size() == 1);
  const Expr& with = source.at(let.body);
  REQUIRE(with.kind == ExprKind::with);
  CHECK(source.text_of(with.base) == "b");
  const Expr& assert_ = source.at(with.body);
  REQUIRE(assert_.kind == ExprKind::assertion);
  CHECK(source.text_of(assert_.base) == "c");
  const Expr& select = source.at(assert_.body);
  REQUIRE(select.kind == ExprKind::select);
  CHECK(source.text_of(select.base) == "d");
  REQUIRE(select.attrpath.size() == 2);
  CHECK(select.attrpath[1].text == "f");
  CHECK(source.text_of(select.fallback) == "g");
}

TEST_CASE("The old let is a let whose body is its binding") {
  const Source source = Source::parse("let { x = 1; body = x; }");
  REQUIRE_FALSE(source.has_errors());
  CHECK(root_of(source).kind == ExprKind::let);
  CHECK(source.text_of(root_of(source).body) == "x");
  CHECK(source.text_of(root_of(source).inner) == " x = 1; body = x; ");
}

TEST_CASE("Operators and has_attr") {
  const Source source = Source::parse("!a ? b.c && 1 + 2 == 3 -> x // y ++ z");
  REQUIRE_FALSE(source.has_errors());
  CHECK(root_of(source).op == "->");
  std::vector<std::string> ops;
  for (ExprId id = 0; id < source.size(); ++id) {
    if (!source.at(id).op.empty())
      ops.push_back(source.at(id).op);
  }
  CHECK(std::count(ops.begin(), ops.end(), "!") == 1);
  CHECK(std::count(ops.begin(), ops.end(), "++") == 1);
}

TEST_CASE("Quoted strings mean what Nix says") {
  CHECK(literal_of(R"("a\n\t\"\\\${x}$${y}")") == "a\n\t\"\\${x}$${y}");
  CHECK(literal_of("\"\"").empty());
  CHECK(literal_of("\"a\r\nb\"") == "a\nb");
  const Source computed = Source::parse("\"a${b}\"");
  CHECK_FALSE(root_of(computed).literal.has_value());
  CHECK(root_of(computed).children.size() == 1);
}

TEST_CASE("Indented strings lose their common indentation") {
  CHECK(literal_of("''\n    a\n      b\n\n    c\n  ''") == "a\n  b\n\nc\n");
  CHECK(literal_of("''one''") == "one");
  CHECK(literal_of("''  one''") == "one");
  CHECK(literal_of("''''").empty());
  CHECK(literal_of("''\n  ''${x} '''q''' ''\\n $${y} $\n''") ==
        "${x} ''q'' \n$${y} $\n");  // So does Nix: after an escaped line end.
  CHECK(literal_of("''\n\ta\n\t  b\n''") == "\ta\n\t  b\n");
  CHECK(literal_of("''\n  a''") == "a");
}

TEST_CASE("Paths, search paths, URIs and numbers are literals") {
  CHECK(literal_of("./a/b.nix") == "./a/b.nix");
  CHECK(literal_of("~/x") == "~/x");
  CHECK(literal_of("<nixpkgs/lib>") == "nixpkgs/lib");
  CHECK(literal_of("http://a.b/c?d=e") == "http://a.b/c?d=e");
  CHECK(literal_of("1.5") == "1.5");
  CHECK_FALSE(root_of(Source::parse("./${x}/y")).literal.has_value());
}

TEST_CASE("What is no Nix is said to be none, and still has a root") {
  for (const char* text :
       {"", "{ a = ; }", "[ 1", "{ a = 1 }", "x y }", "\"", "''a", "# only",
        "let a = 1; in", "a: b: ", "{ } { } = 3;", "\xff\xfe"}) {
    INFO(text);
    const Source source = Source::parse(text);
    CHECK(source.has_errors());
    REQUIRE(source.size() >= 1);
  }
  CHECK(Source::parse(std::string("a\0b", 3)).has_errors());
}

TEST_CASE("A foreign byte in a comment or a string does no harm") {
  CHECK_FALSE(Source::parse("# \xff\xfe\n{ a = \"\xff\"; }").has_errors());
}

TEST_CASE("Nesting beyond reason is an error and no overflow") {
  const std::size_t deep = 100'000;
  const std::string closers(deep, ')');
  CHECK(Source::parse(std::string(deep, '(') + "1" + closers).has_errors());
  CHECK(Source::parse(std::string(deep, '(')).has_errors());
  CHECK(Source::parse(std::string(deep, '[')).has_errors());
  CHECK(Source::parse(std::string(deep, '!') + "a").has_errors());
  std::string functions;
  std::string sets;
  std::string strings;
  for (std::size_t i = 0; i < deep; ++i) {
    functions += "x: ";
    sets += "{a=";
    strings += "\"${";
  }
  CHECK(Source::parse(functions + "1").has_errors());
  CHECK(Source::parse(sets).has_errors());
  CHECK(Source::parse(strings).has_errors());
  const std::string reasonable =
      std::string(500, '(') + "1" + std::string(500, ')');
  CHECK_FALSE(Source::parse(reasonable).has_errors());
}

TEST_CASE("An expression is found by its range, and a line by its byte") {
  const Source source = Source::parse("{\n  a = (b);\n}\n");
  const Binding* a = source.find_binding(0, "a");
  REQUIRE(a != nullptr);
  CHECK(source.find(source.at(a->value).range) == a->value);
  CHECK_FALSE(source.find({1, 2}).has_value());
  CHECK(source.line_of(a->range.begin) == 2);
  CHECK(source.line_of(0) == 1);
}

TEST_CASE("Corners of the language that the grammar lacks") {
  const Source comma = Source::parse("{ a, b ? 1 # x\n  , }: { c = [ a b ]; }");
  REQUIRE_FALSE(comma.has_errors());
  CHECK(root_of(comma).formals.size() == 2);
  CHECK(comma.text_of(root_of(comma).formals_range) == "{ a, b ? 1 # x\n  , }");

  const Source inherits =
      Source::parse("{ a = 1; inherit (x \"}\"); inherit /* ; */ ; b = 2; }");
  REQUIRE_FALSE(inherits.has_errors());
  CHECK(root_of(inherits).bindings.size() == 2);
  CHECK_FALSE(Source::parse("{ inherit (x) y; inherit z; }").has_errors());

  // A CR alone ends a comment, and so does it in CR LF.
  CHECK_FALSE(Source::parse("[ # a\r b ]").has_errors());
  CHECK(Source::parse("[ # a\r ( ]\n").has_errors());

  const Source quotes = Source::parse("''${a}'${b}' '${c}''");
  REQUIRE_FALSE(quotes.has_errors());
  CHECK(root_of(quotes).children.size() == 3);
}

TEST_CASE("What looks like a bracket or a comment in a string or URI is none") {
  for (const char* text :
       {R"([ http://x.org/*.gz "/*" ''/* ( ''' ''${ ''\n '' a'' "\"{\" ])"
        R"(" ])",
        R"({ a, }: "$${,}")", R"("${"${a}"}(")", "f x-y.z' # { ( [\n 1"}) {
    INFO(text);
    CHECK_FALSE(Source::parse(text).has_errors());
  }
  CHECK(Source::parse("{ , }: 1").has_errors());
  CHECK(Source::parse("{ a, ..., }: 1").has_errors());
  CHECK(Source::parse("{ a,, }: 1").has_errors());
}
