#include <catch2/catch.hpp>

#include "nix/edit.h"

using namespace autopin::nix;

namespace {

std::string apply(const Source& source, const Edit& edit) {
  EditSet set;
  REQUIRE(set.add(edit));
  std::string result = set.apply(source.text());
  INFO(result);
  CHECK_FALSE(Source::parse(result).has_errors());
  return result;
}

ExprId first(const Source& source, ExprKind kind) {
  for (ExprId id = 0; id < source.size(); ++id) {
    if (source.at(id).kind == kind)
      return id;
  }
  FAIL("no such expression in " + source.text());
  return no_expr;
}

std::string with_binding(const std::string& text, const Insertion& insertion) {
  const Source source = Source::parse(text);
  return apply(
      source, add_binding(source, first(source, ExprKind::attrset), insertion));
}

std::string with_item(const std::string& text, const Insertion& insertion) {
  const Source source = Source::parse(text);
  return apply(source,
               append_item(source, first(source, ExprKind::list), insertion));
}

std::string with_lines(const std::string& text, const Insertion& insertion) {
  const Source source = Source::parse(text);
  ExprId string = 0;
  while (source.at(string).kind != ExprKind::string &&
         source.at(string).kind != ExprKind::indented_string)
    ++string;
  return apply(source, append_lines(source, string, insertion));
}

std::string with_formal(const std::string& text, const std::string& name) {
  const Source source = Source::parse(text);
  return apply(source,
               add_formal(source, first(source, ExprKind::function), name));
}

}  // namespace

TEST_CASE("A binding goes under the last one, at its indentation") {
  CHECK(with_binding("f {\n    a = 1; # one\n    # b = 2;\n}\n",
                     {"doCheck = false;", "why"}) ==
        "f {\n    a = 1; # one\n    # why\n    doCheck = false;\n"
        "    # b = 2;\n}\n");
  CHECK(with_binding("{\n\ta = {\n\t\tb = 1;\n\t};\n}", {"c = 2;", ""}) ==
        "{\n\ta = {\n\t\tb = 1;\n\t};\n\tc = 2;\n}");
  CHECK(with_binding("{ name = \"x\";\n  src = y; }", {"c = 2;", "why"}) ==
        "{ name = \"x\";\n  src = y;\n  # why\n  c = 2; }");
}

TEST_CASE("A short set stays on its line") {
  CHECK(with_binding("f { a = 1; }", {"b = 2;", ""}) == "f { a = 1; b = 2; }");
  CHECK(with_binding("f {a=1;}", {"b = 2;", "why"}) ==
        "f {a=1; /* why */ b = 2;}");
  CHECK(with_binding("f { }", {"b = 2;", ""}) == "f { b = 2; }");
  CHECK(with_binding("f {}", {"b = 2;", ""}) == "f { b = 2; }");
  CHECK(with_binding("f { /* none */ }", {"b = 2;", ""}) ==
        "f { /* none */ b = 2; }");
}

TEST_CASE("A set that would grow too long or gets lines is broken") {
  CHECK(with_binding("  f { }", {"b = 2;", "why"}) ==
        "  f {\n    # why\n    b = 2;\n  }");
  CHECK(with_binding("f { a = 1; }", {"b = {\n  c = 2;\n};", ""}) ==
        "f { a = 1;\n  b = {\n    c = 2;\n  }; }");
  CHECK(with_binding("{\n  # nothing\n}", {"b = 2;", "why"}) ==
        "{\n  # nothing\n  # why\n  b = 2;\n}");
  CHECK(with_binding("{\n}", {"b = 2;", ""}) == "{\n  b = 2;\n}");
}

TEST_CASE("Line ends stay those of the file") {
  CHECK(with_binding("{\r\n  a = 1;\r\n}\r\n", {"b = 2;", "why"}) ==
        "{\r\n  a = 1;\r\n  # why\r\n  b = 2;\r\n}\r\n");
  CHECK(with_lines("{\r\n  p = ''\r\n    a\r\n  '';\r\n}\r\n", {"b", ""}) ==
        "{\r\n  p = ''\r\n    a\r\n    b\r\n  '';\r\n}\r\n");
}

TEST_CASE("A comment cannot end itself") {
  CHECK(with_binding("f { a = 1; }", {"b = 2;", "x */ evil\n= 1;"}) ==
        "f { a = 1; /* x * / evil = 1; */ b = 2; }");
  CHECK(with_binding("{\n  a = 1;\n}", {"b = 2;", "x\r\nevil = 1;"}) ==
        "{\n  a = 1;\n  # x evil = 1;\n  b = 2;\n}");
}

TEST_CASE("A let takes bindings too") {
  const Source source = Source::parse("let\n  a = 1;\nin\na");
  CHECK(apply(source, add_binding(source, 0, {"b = 2;", "why"})) ==
        "let\n  a = 1;\n  # why\n  b = 2;\nin\na");
}

TEST_CASE("An item goes after the last one") {
  CHECK(with_item("[ a ]", {"b", ""}) == "[ a b ]");
  CHECK(with_item("[a]", {"b", ""}) == "[a b]");
  CHECK(with_item("[ a /* b? */ ]", {"b", ""}) == "[ a b /* b? */ ]");
  CHECK(with_item("[ a ]", {"b", "why"}) == "[ a /* why */ b ]");
  CHECK(with_item("[ ]", {"b", ""}) == "[ b ]");
  CHECK(with_item("[]", {"b", ""}) == "[ b ]");
}

TEST_CASE("An item gets a line where the others have one") {
  CHECK(with_item("[\n  a\n  b # last\n]", {"c", "why"}) ==
        "[\n  a\n  b # last\n  # why\n  c\n]");
  CHECK(with_item("x [ a\n    b ] # no matter", {"c", ""}) ==
        "x [ a\n    b\n    c ] # no matter");
  CHECK(with_item("[\n  a b\n  c d\n]", {"e", ""}) == "[\n  a b\n  c d e\n]");
  CHECK(with_item("[\n  # none\n]", {"c", "why"}) ==
        "[\n  # none\n  # why\n  c\n]");
  CHECK(with_item("[ ]", {"c", "why"}) == "[\n  # why\n  c\n]");
}

TEST_CASE("Lines go to the end of a script") {
  CHECK(with_lines("{\n  p = ''\n    a\n      b\n  '';\n}", {"c\nd", "why"}) ==
        "{\n  p = ''\n    a\n      b\n    # why\n    c\n    d\n  '';\n}");
  CHECK(with_lines("''\n  a''", {"b", ""}) == "''\n  a\n  b''");
  CHECK(with_lines("''a''", {"b", ""}) == "''\n  a\n  b\n''");
  CHECK(with_lines("''''", {"b", ""}) == "''\n  b\n''");
  CHECK(with_lines("\"a\"", {"b \"c\" ${d}", ""}) ==
        "\"a\\nb \\\"c\\\" \\${d}\"");
  CHECK(with_lines("\"a\\n\"", {"b", "why"}) == "\"a\\nb\\n\" /* why */");
  CHECK(with_lines("\"\"", {"b", ""}) == "\"b\"");
  CHECK(with_lines("''\n  a\n''", {"echo '' ${x} 'q'", ""}) ==
        "''\n  a\n  echo ''' ''${x} 'q''\\'\n''");
}

TEST_CASE("A formal is added as the file separates them") {
  CHECK(with_formal("{ a, b }: a", "c") == "{ a, b, c }: a");
  CHECK(with_formal("{ }: 1", "c") == "{ c }: 1");
  CHECK(with_formal("{}: 1", "c") == "{ c }: 1");
  CHECK(with_formal("{ a, ... }: a", "c") == "{ a, c, ... }: a");
  CHECK(with_formal("{ ... }: 1", "c") == "{ c, ... }: 1");
  CHECK(with_formal("{ a\n, b ? 1 # b\n}:\na", "c") ==
        "{ a\n, b ? 1 # b\n, c\n}:\na");
  CHECK(with_formal("{ a\n, b\n, ...\n}:\na", "c") ==
        "{ a\n, b\n, c\n, ...\n}:\na");
  CHECK(with_formal("{\n  a,\n  b, # b\n}:\na", "c") ==
        "{\n  a,\n  b, # b\n  c,\n}:\na");
  CHECK(with_formal("{\n  a,\n  b # b\n}:\na", "c") ==
        "{\n  a,\n  b, # b\n  c\n}:\na");
  CHECK(with_formal("{\n  a,\n  b,\n  ...\n}:\na", "c") ==
        "{\n  a,\n  b,\n  c,\n  ...\n}:\na");
}

TEST_CASE("An item is put in parentheses where a list needs it") {
  CHECK(as_item("a.b") == "a.b");
  CHECK(as_item("f x") == "(f x)");
  CHECK(as_item("a + b") == "(a + b)");
  CHECK(as_item("-1") == "(-1)");
  CHECK(as_item("(f x)") == "(f x)");
  CHECK(as_item("x: x") == "(x: x)");
  CHECK(as_item("a.b or c") == "a.b or c");
  CHECK(as_item("f x # why") == "(f x # why\n)");
}

TEST_CASE("A replaced expression keeps its indentation") {
  const Source source = Source::parse("{\n  a = b;\n}");
  CHECK(apply(source, replace_expr(source, 1, "f {\n  c = 1;\n}")) ==
        "{\n  a = f {\n    c = 1;\n  };\n}");
}

TEST_CASE("Long lines of formals are broken before the comma") {
  const std::string names =
      "{ stdenv, fetchurl, fetchpatch, pkgconfig, autoreconfHook, libpng, "
      "libjpeg, libtiff, expat";
  CHECK(with_formal(names + " }: 1", "wrapGAppsHook") ==
        names + "\n, wrapGAppsHook }: 1");
}

TEST_CASE("A let on one line stays there") {
  const Source source = Source::parse("let a = 1; in\na");
  CHECK(apply(source, add_binding(source, 0, {"b = 2;", ""})) ==
        "let a = 1; b = 2; in\na");
}

TEST_CASE("A binding goes with its lines, or alone from a shared one") {
  const auto without = [](const std::string& text, std::size_t index) {
    const Source source = Source::parse(text);
    return apply(source, remove_binding(source, 0, index));
  };
  CHECK(without("{\n  a = 1;\n  b = [\n    2\n  ];\n  c = 3;\n}\n", 1) ==
        "{\n  a = 1;\n  c = 3;\n}\n");
  CHECK(without("{\r\n  a = 1;\r\n}\r\n", 0) == "{\r\n}\r\n");
  CHECK(without("{ a = 1; b = 2; c = 3; }", 1) == "{ a = 1; c = 3; }");
  CHECK(without("{\n  a = 1; # kept\n}", 0) == "{\n  # kept\n}");
  CHECK(without("{\n  a = 1; b = 2;\n}", 0) == "{\n  b = 2;\n}");
}

TEST_CASE("An item that goes takes its own line with it, and no other") {
  const auto without = [](const std::string& text, std::size_t index) {
    const Source source = Source::parse(text);
    return apply(source,
                 remove_item(source, first(source, ExprKind::list), index));
  };
  CHECK(without("[ a b c ]", 1) == "[ a c ]");
  CHECK(without("[ a ]", 0) == "[ ]");
  CHECK(without("[a b]", 0) == "[ b]");
  CHECK(without("[\n  a\n  (f {\n    b = 1;\n  })\n  # of c\n  c\n]\n", 1) ==
        "[\n  a\n  # of c\n  c\n]\n");
  CHECK(without("[\n  a # kept\n  b\n]", 0) == "[\n  # kept\n  b\n]");
  CHECK(without("[ a\n  b ]", 1) == "[ a\n  ]");
}

TEST_CASE("Words join a string at the end of what it says") {
  const auto with_words = [](const std::string& text,
                             const Insertion& insertion) {
    const Source source = Source::parse(text);
    return apply(source, append_words(source, 0, insertion));
  };
  CHECK(with_words("\"a\"", {"b c", ""}) == "\"a b c\"");
  CHECK(with_words("\"\"", {"b", ""}) == "\"b\"");
  CHECK(with_words("\"a ${x}\"", {"$(out) \" ${y}", ""}) ==
        "\"a ${x} $(out) \\\" \\${y}\"");
  CHECK(with_words("''\n  a\n  b\n''", {"c ${y}", ""}) ==
        "''\n  a\n  b c ''${y}\n''");
  CHECK(with_words("\"a\"", {"b", "why */ x"}).find("\"a b\" /* why") == 0);
}

TEST_CASE("The list to append to is found through what stands around it") {
  const Source source =
      Source::parse("(let x = 1; in with ps; assert x; [ a ])");
  const auto list = list_in(source, 0);
  REQUIRE(list.has_value());
  CHECK(source.text_of(*list) == "[ a ]");
  CHECK_FALSE(list_in(Source::parse("[ a ] ++ b"), 0).has_value());
}

// Three lists in the layouts of real packages.
TEST_CASE("A list whose bracket closes on the last item's line") {
  CHECK(
      with_item("f {\n  buildInputs = [ pytest\n                  six ]; # the "
                "order matters to nobody\n}\n",
                {"pytestrunner", "lattice asks for it in setup_requires"}) ==
      "f {\n  buildInputs = [ pytest\n                  six\n"
      "                  # lattice asks for it in setup_requires\n"
      "                  pytestrunner ]; # the order matters to nobody\n}\n");
  CHECK(with_item("{ }:\nwith pkgs;\nf { a = b;\n  buildInputs = [ flex /* "
                  "bison? */ ]; }\n",
                  {"bison", ""}) ==
        "{ }:\nwith pkgs;\nf { a = b;\n  buildInputs = [ flex bison /* bison? "
        "*/ ]; }\n");
  CHECK(with_item("{\n  dependencies = with python3Packages; [\n    click\n    "
                  "rich\n  ];\n}\n",
                  {"hatchling", "why"}) ==
        "{\n  dependencies = with python3Packages; [\n    click\n    rich\n    "
        "# why\n    hatchling\n  ];\n}\n");
}
