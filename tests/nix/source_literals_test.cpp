// The values of string literals, held against Nix's own.
#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "nix/edit.h"
#include "nix/nix_source_generator.h"

using namespace autopin::nix;
namespace fs = std::filesystem;

namespace {

bool has_nix() {
  return std::system("nix-instantiate --version >/dev/null 2>&1") == 0;
}

/// What Nix makes of a list of expressions.
nlohmann::json evaluated(const std::string& list) {
  std::string name = (fs::temp_directory_path() / "eval-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  const fs::path folder = name;
  std::ofstream(folder / "x.nix", std::ios::binary) << list;
  const std::string command = "cd '" + name +
                              "' && nix-instantiate --eval --strict --json "
                              "x.nix > out";
  REQUIRE(std::system(command.c_str()) == 0);
  std::ifstream in(folder / "out");
  nlohmann::json value = nlohmann::json::parse(in);
  fs::remove_all(folder);
  return value;
}

}  // namespace

TEST_CASE("Literals have the values that Nix gives them") {
  if (!has_nix()) {
    WARN("no nix-instantiate here");
    return;
  }
  NixGenerator random(471);
  std::string list = "[\n";
  const auto piece = [&random] {
    return random.pick({"a", " ",   "  ",  "\n",  "\n",   "\n    ", "\t",
                        "$", "$$",  "\\n", "\\t", "\\\"", "\\\\",   "\\$",
                        "'", "# x", "{",   "}",   "\r\n", "/*"});
  };
  const auto indented_piece = [&random] {
    return random.pick({"a",  " ",  "  ",  "\n",  "\n  ",  "\n    b", "\t",
                        "$",  "$$", "'''", "''$", "''\\n", "''\\t",   "''\\x",
                        "\\", "\"", "{",   "}",   "\n\n",  "# x"});
  };
  for (int i = 0; i < 1200; ++i) {
    std::string text;
    for (unsigned left = random.below(9); left > 0; --left)
      text += i % 2 == 0 ? piece() : indented_piece();
    text = i % 2 == 0 ? "\"" + text + "\"" : "''" + text + "''";
    const Source alone = Source::parse(text);
    // Pieces may meet so that the string ends early or computes something.
    if (!alone.has_errors() && alone.size() == 1 && alone.at(0).literal)
      list += text + "\n";
  }
  list += "]\n";
  const Source source = Source::parse(list);
  REQUIRE_FALSE(source.has_errors());
  const Expr& root = source.at(source.root());
  REQUIRE(root.items.size() > 600);
  const nlohmann::json values = evaluated(list);
  REQUIRE(values.size() == root.items.size());
  for (std::size_t i = 0; i < root.items.size(); ++i) {
    INFO(source.text_of(root.items[i]));
    CHECK(source.at(root.items[i]).literal == values[i].get<std::string>());
  }
}

TEST_CASE("Nix reads back what was quoted for it") {
  if (!has_nix()) {
    WARN("no nix-instantiate here");
    return;
  }
  NixGenerator random(5);
  std::vector<std::string> values;
  std::string list = "[\n";
  for (int i = 0; i < 300; ++i) {
    values.push_back("x" + random.hostile(9));
    list += i % 2 == 0 ? quote(values.back())
                       : "''" + escape_indented(values.back()) + "''";
    list += "\n";
  }
  const nlohmann::json read = evaluated(list + "]");
  for (std::size_t i = 0; i < values.size(); ++i)
    CHECK(read[i].get<std::string>() == values[i]);
}

TEST_CASE("A shell reads back what was quoted for it") {
  NixGenerator random(6);
  for (int i = 0; i < 50; ++i) {
    const std::string word = random.hostile(6);
    std::string name = (fs::temp_directory_path() / "word-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    const fs::path script = fs::path(name) / "s";
    std::ofstream(script) << "printf %s " << shell_quote(word) << " > \"$1\"";
    const std::string out = name + "/out";
    CHECK(std::system(("sh '" + script.string() + "' '" + out + "'").c_str()) ==
          0);
    std::ifstream in(out);
    const std::string got((std::istreambuf_iterator<char>(in)), {});
    CHECK(got == word);
    fs::remove_all(name);
  }
}
