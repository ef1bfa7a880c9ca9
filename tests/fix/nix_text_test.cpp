#include "fix/nix_text.h"

#include <catch2/catch.hpp>

#include "fix/place.h"

using namespace autopin;
using namespace autopin::fix;

namespace {

std::string spelled(const NixText& text) {
  return text
      .spell([](const SetRef& ref) -> std::optional<std::string> {
        return (ref.from == SetRef::From::python ? "py." : "pkgs.") +
               ref.attribute;
      })
      .value();
}

AttrChange set(std::string attribute, NixText value, std::string comment) {
  AttrChange change;
  change.attribute = std::move(attribute);
  change.values.push_back(std::move(value));
  change.comment = std::move(comment);
  return change;
}

}  // namespace

TEST_CASE("references are spelled by the place, or the text is not written") {
  const NixText text = "[ " + python_ref("six") + " " + top_ref("zlib.dev") +
                       " " + python_ref("six") + " ]";
  CHECK(spelled(text) == "[ py.six pkgs.zlib.dev py.six ]");
  CHECK(text.references() ==
        std::vector<SetRef>{{SetRef::From::python, "six"},
                            {SetRef::From::top, "zlib.dev"}});
  CHECK_FALSE(text.spell([](const SetRef& ref) -> std::optional<std::string> {
    if (ref.from == SetRef::From::top)
      return std::nullopt;
    return ref.attribute;
  }));
}

TEST_CASE("lines are moved right, the first stays where it is put") {
  const NixText lines = NixText("a = 1;\nb = ") + top_ref("x") + ";\n";
  CHECK(lines.has_lines());
  CHECK(spelled(lines.indented("    ")) == "a = 1;\n    b = pkgs.x;\n    ");
  CHECK(spelled("{" + lines.as_block("  ") + "}") ==
        "{\n  a = 1;\n  b = pkgs.x;\n}");
  CHECK_FALSE((NixText("a ") + top_ref("b")).has_lines());
}

TEST_CASE("an override says arguments first, then attributes") {
  DerivationChange change;
  change.arguments.push_back({"html5lib", python_ref("html5lib_9"), "why"});
  change.attributes.push_back(set("version", "\"1.0\"", "asked for"));
  const auto text =
      override_text(python_ref("bleach"), {true, true, true}, true, change);
  REQUIRE(text);
  CHECK(spelled(*text) == R"((py.bleach.override {
  # why
  html5lib = py.html5lib_9;
}).overridePythonAttrs (old: {
  # asked for
  version = "1.0";
}))");
}

TEST_CASE("arguments alone need no second layer") {
  DerivationChange change;
  change.arguments.push_back({"zlib", top_ref("zlib_1"), ""});
  CHECK(spelled(override_text("png", {}, false, change).value()) ==
        "png.override {\n  zlib = pkgs.zlib_1;\n}");
}

TEST_CASE("the mildest function that the package has is taken") {
  DerivationChange change;
  change.attributes.push_back(set("doCheck", "false", ""));
  const auto with = [&](OverrideFunctions functions) {
    return override_text("p", functions, true, change);
  };
  CHECK(spelled(with({true, true, true}).value()) ==
        "p.overridePythonAttrs (old: {\n  doCheck = false;\n})");
  // Only the Python builder reads doCheck; below it has another name.
  CHECK(spelled(with({false, true, true}).value()) ==
        "p.overrideAttrs (old: {\n  doInstallCheck = false;\n})");
  CHECK(spelled(with({false, false, true}).value()) ==
        "p.overrideDerivation (old: {\n  doInstallCheck = false;\n})");
  CHECK_FALSE(with({false, false, false}));
}

TEST_CASE("what is no Python package keeps its doCheck") {
  DerivationChange change;
  change.attributes.push_back(set("doCheck", "false", ""));
  CHECK(
      spelled(override_text("p", {false, true, true}, false, change).value()) ==
      "p.overrideAttrs (old: {\n  doCheck = false;\n})");
}

TEST_CASE("lists and hooks keep what was there") {
  DerivationChange change;
  AttrChange items;
  items.op = AttrChange::Op::append_items;
  items.attribute = "disabledTests";
  items.values = {NixText("\"test_a\""), NixText("\"test_b\"")};
  AttrChange lines;
  lines.op = AttrChange::Op::append_lines;
  lines.attribute = "preCheck";
  lines.lines = {"rm -f 'a''${b}' c", "echo ${HOME}"};
  change.attributes = {items, lines};
  CHECK(
      spelled(override_text("p", {true, false, false}, true, change).value()) ==
      R"(p.overridePythonAttrs (old: {
  disabledTests = (old.disabledTests or [ ]) ++ [ "test_a" "test_b" ];
  preCheck = (old.preCheck or "") + ''
    rm -f 'a'''''${b}' c
    echo ''${HOME}
  '';
}))");
}
