// What must hold for every edit, whatever the file looks like.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "nix/edit.h"
#include "nix/nix_source_generator.h"

using namespace autopin;
using namespace autopin::nix;

namespace {

constexpr unsigned cases = 400;

std::string without_blanks(std::string_view text) {
  std::string rest(text);
  rest.erase(std::remove_if(rest.begin(), rest.end(),
                            [](unsigned char c) { return c <= ' '; }),
             rest.end());
  return rest;
}

std::vector<ExprId> all_of_kind(const Source& source,
                                const std::vector<ExprKind>& kinds) {
  std::vector<ExprId> ids;
  for (ExprId id = 0; id < source.size(); ++id) {
    if (std::count(kinds.begin(), kinds.end(), source.at(id).kind) > 0)
      ids.push_back(id);
  }
  return ids;
}

/// The edit done, after what holds for all of them was checked.
Source after(const Source& before, const Edit& edit) {
  EditSet set;
  REQUIRE(set.add(edit));
  Source result = Source::parse(set.apply(before.text()));
  const Range range = edit.range;
  // What an edit replaces stands in its text again.
  CHECK(without_blanks(edit.text).find(without_blanks(before.text_of(range))) !=
        std::string::npos);
  const bool crlf = line_end_of(before) == "\r\n";
  for (std::size_t at = edit.text.find('\n'); at != std::string::npos;
       at = edit.text.find('\n', at + 1))
    CHECK((at > 0 && edit.text[at - 1] == '\r') == crlf);
  INFO("before:\n" << before.text() << "\nafter:\n" << result.text());
  REQUIRE_FALSE(result.has_errors());
  return result;
}

/// The same expression after an edit inside it: it begins where it began.
ExprId again(const Source& result, const Source& before, ExprId id) {
  const Expr& old = before.at(id);
  for (ExprId candidate = 0; candidate < result.size(); ++candidate) {
    const Expr& expr = result.at(candidate);
    if (expr.range.begin == old.range.begin && expr.kind == old.kind)
      return candidate;
  }
  FAIL("the expression is gone");
  return no_expr;
}

/// Some cases are kept for the judge: nix-instantiate.
class Judge {
 public:
  void keep(const std::string& text) {
    if (kept_.size() < 80 && seen_++ % 7 == 0)
      kept_.push_back(text);
  }

  void ask() const {
    if (std::system("nix-instantiate --version >/dev/null 2>&1") != 0)
      return;
    namespace fs = std::filesystem;
    std::string name = (fs::temp_directory_path() / "parse-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    std::string command = "nix-instantiate --parse";
    for (const std::string& text : kept_) {
      const fs::path file =
          fs::path(name) / (std::to_string(&text - kept_.data()) + ".nix");
      // Names without a binding are an error to --parse, outside of a `with`.
      std::ofstream(file, std::ios::binary) << "with {}; " << text;
      command += " '" + file.string() + "'";
    }
    const bool agrees = std::system((command + " >/dev/null").c_str()) == 0;
    INFO("the files are left in " << name);
    REQUIRE(agrees);
    fs::remove_all(name);
  }

 private:
  std::vector<std::string> kept_;
  unsigned seen_ = 0;
};

Insertion with_comment(NixGenerator& random, std::string text) {
  return {std::move(text), random.chance(50) ? "why " + random.hostile(4) : ""};
}

}  // namespace

TEST_CASE("Generated files are Nix") {
  Judge judge;
  for (unsigned seed = 0; seed < cases; ++seed) {
    NixGenerator random(seed);
    const std::string text = random.file();
    INFO(text);
    REQUIRE_FALSE(Source::parse(text).has_errors());
    judge.keep(text);
  }
  judge.ask();
}

TEST_CASE("Any set takes a binding, and keeps those it has") {
  Judge judge;
  for (unsigned seed = 0; seed < cases; ++seed) {
    NixGenerator random(seed);
    const Source source = Source::parse(random.file());
    for (const ExprId id :
         all_of_kind(source, {ExprKind::attrset, ExprKind::let})) {
      const std::string text =
          random.chance(50) ? "added = true;" : "added = [\n  x\n];";
      const Source result =
          after(source, add_binding(source, id, with_comment(random, text)));
      const Expr& before = source.at(id);
      const Expr& now = result.at(again(result, source, id));
      REQUIRE(now.bindings.size() == before.bindings.size() + 1);
      CHECK(now.bindings.back().path[0].text == "added");
      for (std::size_t i = 0; i < before.bindings.size(); ++i)
        CHECK(result.text_of(now.bindings[i].range) ==
              source.text_of(before.bindings[i].range));
      judge.keep(result.text());
    }
  }
  judge.ask();
}

TEST_CASE("Any list takes an item, and keeps those it has") {
  Judge judge;
  for (unsigned seed = 0; seed < cases; ++seed) {
    NixGenerator random(seed);
    const Source source = Source::parse(random.file());
    for (const ExprId id : all_of_kind(source, {ExprKind::list})) {
      const std::string item = as_item(
          random.pick({"added", "f x", "x.y or z", "f {\n  a = 1;\n}"}));
      const Source result =
          after(source, append_item(source, id, with_comment(random, item)));
      const Expr& before = source.at(id);
      const Expr& now = result.at(again(result, source, id));
      REQUIRE(now.items.size() == before.items.size() + 1);
      CHECK(without_blanks(result.text_of(now.items.back())) ==
            without_blanks(item));
      for (std::size_t i = 0; i < before.items.size(); ++i)
        CHECK(result.text_of(now.items[i]) == source.text_of(before.items[i]));
      judge.keep(result.text());
    }
  }
  judge.ask();
}

TEST_CASE("Any script takes lines, which the shell sees as they are") {
  Judge judge;
  for (unsigned seed = 0; seed < cases; ++seed) {
    NixGenerator random(seed);
    const Source source = Source::parse(random.file());
    for (const ExprId id :
         all_of_kind(source, {ExprKind::string, ExprKind::indented_string})) {
      const std::string line = "echo " + random.hostile(6) + "x";
      const Source result =
          after(source, append_lines(source, id, with_comment(random, line)));
      const Expr& before = source.at(id);
      const Expr& now = result.at(again(result, source, id));
      INFO("before:\n" << source.text() << "\nafter:\n" << result.text());
      CHECK(now.children.size() == before.children.size());
      if (now.literal) {
        std::vector<std::string> lines;
        for (const std::string_view piece : lines_of(*now.literal))
          lines.emplace_back(trim(piece));
        while (lines.back().empty())
          lines.pop_back();
        CHECK(std::count(lines.begin(), lines.end(), line) == 1);
        CHECK(lines.back() == line);
      }
      judge.keep(result.text());
    }
  }
  judge.ask();
}

TEST_CASE("Any formals take a name, and keep those they have") {
  Judge judge;
  for (unsigned seed = 0; seed < cases; ++seed) {
    NixGenerator random(seed);
    const Source source = Source::parse(random.file());
    for (const ExprId id : all_of_kind(source, {ExprKind::function})) {
      const Source result = after(source, add_formal(source, id, "added"));
      const Expr& before = source.at(id);
      const Expr& now = result.at(again(result, source, id));
      REQUIRE(now.formals.size() == before.formals.size() + 1);
      CHECK(now.formals.back().name == "added");
      CHECK(now.has_ellipsis == before.has_ellipsis);
      CHECK(now.name == before.name);
      for (std::size_t i = 0; i < before.formals.size(); ++i)
        CHECK(result.text_of(now.formals[i].range) ==
              source.text_of(before.formals[i].range));
      judge.keep(result.text());
    }
  }
  judge.ask();
}

TEST_CASE("What is quoted means what it was, whatever it is") {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    NixGenerator random(seed);
    const std::string value = random.hostile(8);
    const Source quoted = Source::parse(quote(value));
    INFO(value);
    REQUIRE_FALSE(quoted.has_errors());
    CHECK(quoted.at(0).literal == value);

    // `x` so that no blank is indentation.
    const std::string indented = "x" + value;
    const std::string text = "''" + escape_indented(indented) + "''";
    const Source parsed = Source::parse(text);
    INFO(text);
    REQUIRE_FALSE(parsed.has_errors());
    CHECK(parsed.at(0).literal == indented);

    const Source named = Source::parse("{ " + attr_name(value) + " = 1; }");
    REQUIRE_FALSE(named.has_errors());
    CHECK(named.at(0).bindings[0].path[0].text == value);
  }
}
