// Edits are minimal: what a recorded run delivered is the draft with pieces put
// in, each of which says why it is there.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/diff.h"
#include "base/text.h"

using namespace autopin;

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// One run of lines that differ; a line that is the same may stand within.
struct Hunk {
  std::string gone, come;
};

std::vector<Hunk> hunks_of(const std::string& before,
                           const std::string& after) {
  std::vector<Hunk> hunks;
  int same = 2;
  for (const auto& line : split(unified_diff(before, after, "a", "b"), '\n')) {
    const bool gone = line.starts_with("-") && !line.starts_with("--- ");
    const bool come = line.starts_with("+") && !line.starts_with("+++ ");
    if (!gone && !come) {
      ++same;
      continue;
    }
    if (same > 1)
      hunks.emplace_back();
    same = 0;
    (gone ? hunks.back().gone : hunks.back().come) += line.substr(1) + "\n";
  }
  return hunks;
}

/// True where `after` is `before` with pieces put in.
bool only_inserts(std::string_view before, std::string_view after) {
  std::size_t at = 0;
  for (const char c : before) {
    at = after.find(c, at);
    if (at == std::string_view::npos)
      return false;
    ++at;
  }
  return true;
}

/// The draft's file that a delivered one stands for.
fs::path original_of(const fs::path& folder, const fs::path& delivered) {
  if (delivered == folder / "expected.nix")
    return folder / "before.nix";
  std::string name = delivered.lexically_relative(folder / "expected").string();
  name.erase(name.find(".fixed"), std::string_view(".fixed").size());
  return folder / name;
}

struct Delivered {
  fs::path folder, file;
};

std::vector<Delivered> all_delivered() {
  std::vector<Delivered> all;
  for (const auto& entry :
       fs::directory_iterator(std::string(AUTOPIN_SOURCE_DIR) + "/fixtures")) {
    if (fs::exists(entry.path() / "expected.nix"))
      all.push_back({entry.path(), entry.path() / "expected.nix"});
    if (fs::exists(entry.path() / "expected"))
      for (const auto& file :
           fs::recursive_directory_iterator(entry.path() / "expected"))
        if (file.is_regular_file())
          all.push_back({entry.path(), file.path()});
  }
  return all;
}

}  // namespace

TEST_CASE("every byte outside of what was put in is the draft's") {
  std::size_t seen = 0;
  for (const auto& [folder, file] : all_delivered()) {
    INFO(file);
    const auto about = nlohmann::json::parse(read(folder / "case.json"));
    const std::string original = read(original_of(folder, file));
    REQUIRE_FALSE(original.empty());
    // A second file has a new name, and who names it was led there.
    const std::string after =
        std::regex_replace(read(file), std::regex(R"(\.fixed\.nix)"), ".nix");
    std::string before = original;
    for (const auto& text : about.value("replaces", nlohmann::json::array())) {
      const std::string placeholder = text.get<std::string>();
      const auto at = before.find(placeholder);
      REQUIRE(at != std::string::npos);
      before.erase(at, placeholder.size());
    }
    CHECK(only_inserts(before, after));
    // Of several files the entry may have nothing but the new name.
    CHECK((original != after || fs::exists(folder / "expected")));
    ++seen;
  }
  CHECK(seen >= 15);
}

TEST_CASE("each inserted piece says what asked for it and which step") {
  const std::regex step(R"(\(autopin step \d+\))");
  for (const auto& [folder, file] : all_delivered()) {
    const auto about = nlohmann::json::parse(read(folder / "case.json"));
    if (about.contains("replaces"))
      continue;  // A hash is replaced by itself; the patch log says why.
    const std::string after =
        std::regex_replace(read(file), std::regex(R"(\.fixed\.nix)"), ".nix");
    if (after != read(original_of(folder, file)))
      CHECK(std::regex_search(after, step));
    for (const auto& hunk : hunks_of(read(original_of(folder, file)), after)) {
      // A formal has no line of its own; what uses it says why.
      const bool formal =
          std::regex_match(hunk.come, std::regex(R"(\{ \w[\w, ]*\}:\n)"));
      INFO(file << "\n-" << hunk.gone << "+" << hunk.come);
      CHECK((formal || std::regex_search(hunk.come, step)));
    }
  }
}
