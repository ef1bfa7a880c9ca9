#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "base/diff.h"

using autopin::unified_diff;
namespace fs = std::filesystem;

namespace {

/// A folder for `git apply`, gone with the test.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "diff-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  std::string read(const std::string& name) const {
    std::ifstream in(path_ / name, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }
  bool git_apply(const std::string& options) const {
    const std::string command =
        "cd '" + path_.string() +
        "' && GIT_CEILING_DIRECTORIES=/ GIT_CONFIG_GLOBAL=/dev/null "
        "git apply --whitespace=nowarn " +
        options + " patch 2>&1";
    return std::system(command.c_str()) == 0;
  }

 private:
  fs::path path_;
};

bool has_git() {
  return std::system("git --version >/dev/null 2>&1") == 0;
}

void check_applies(const std::string& before, const std::string& after,
                   const std::string& name = "f") {
  const Folder folder;
  folder.write(name, before);
  folder.write("patch", unified_diff(before, after, "a/" + name, "b/" + name));
  INFO(folder.read("patch"));
  REQUIRE(folder.git_apply(""));
  CHECK(folder.read(name) == after);
  REQUIRE(folder.git_apply("-R"));
  CHECK(folder.read(name) == before);
}

}  // namespace

TEST_CASE("Equal texts have no diff") {
  CHECK(unified_diff("a\nb\n", "a\nb\n", "a/f", "b/f").empty());
  CHECK(unified_diff("", "", "a/f", "b/f").empty());
}

TEST_CASE("A change stands in three lines of context") {
  CHECK(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n",
                     "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", "a/f", "b/f") ==
        "--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n "
        "8\n");
}

TEST_CASE("Changes that are near share a hunk, and others do not") {
  std::string before;
  for (int i = 0; i < 20; ++i)
    before += std::to_string(i) + "\n";
  std::string near = before;
  near.replace(near.find("3\n"), 1, "x")
      .replace(near.find("\n9\n") + 1, 1, "y");
  std::string far = before;
  far.replace(far.find("3\n"), 1, "x").replace(far.find("\n12\n") + 1, 2, "y");
  const auto hunks = [](const std::string& diff) {
    std::size_t count = 0;
    for (std::size_t at = diff.find("\n@@ "); at != std::string::npos;
         at = diff.find("\n@@ ", at + 1))
      ++count;
    return count;
  };
  CHECK(hunks(unified_diff(before, near, "a/f", "b/f")) == 1);
  CHECK(hunks(unified_diff(before, far, "a/f", "b/f")) == 2);
}

TEST_CASE("A missing last line end is said") {
  CHECK(unified_diff("a", "b\n", "a/f", "b/f") ==
        "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of "
        "file\n+b\n");
}

TEST_CASE("An empty side counts from the line before") {
  CHECK(unified_diff("", "a\nb\n", "/dev/null", "b/f") ==
        "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n");
  CHECK(unified_diff("a\n", "", "a/f", "/dev/null") ==
        "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n");
}

TEST_CASE("git apply takes the diff, forward and back") {
  if (!has_git()) {
    WARN("no git here");
    return;
  }
  check_applies("a\nb\nc\n", "a\nB\nc\nd\n");
  check_applies("a\r\nb\r\n", "a\r\nb\r\nc\r\n");
  check_applies("a\nb", "a\nb\nc");
  check_applies("a\nb\n", "a\nb");
  check_applies("a\nb", "b");
  check_applies("a\n", "b\n", "with blank.nix");
  check_applies("a\n", "b\n", "quo\"te\\.nix");
  check_applies("a\n", "b\n", "gr\xc3\xbc\xc3\x9f.nix");
}

TEST_CASE("git apply makes a new file and takes one away") {
  if (!has_git()) {
    WARN("no git here");
    return;
  }
  const Folder folder;
  folder.write("patch", unified_diff("", "a\nb", "/dev/null", "b/new"));
  REQUIRE(folder.git_apply(""));
  CHECK(folder.read("new") == "a\nb");
  folder.write("patch", unified_diff("a\nb", "", "a/new", "/dev/null"));
  REQUIRE(folder.git_apply(""));
  CHECK(folder.read("new").empty());
}

TEST_CASE("Random texts: git apply agrees, and no diff is longer than needed") {
  if (!has_git()) {
    WARN("no git here");
    return;
  }
  std::mt19937 engine(20180208);
  const auto random = [&engine] { return static_cast<unsigned>(engine()); };
  const auto text_of = [](const std::vector<unsigned>& lines) {
    std::string text;
    for (const unsigned line : lines)
      text += "line " + std::to_string(line) + "\n";
    return text;
  };
  for (int round = 0; round < 60; ++round) {
    std::vector<unsigned> before(random() % 30);
    for (unsigned& line : before)
      line = random() % 6;
    std::vector<unsigned> after = before;
    for (unsigned edits = random() % 8; edits > 0; --edits) {
      const auto at =
          after.begin() + static_cast<long>(random() % (after.size() + 1));
      if (random() % 2 == 0 || at == after.end())
        after.insert(at, random() % 6);
      else
        after.erase(at);
    }
    if (before == after)
      continue;
    if (!before.empty() && !after.empty())
      check_applies(text_of(before), text_of(after));

    // The longest common subsequence, the slow and plain way.
    std::vector<std::vector<std::size_t>> common(
        before.size() + 1, std::vector<std::size_t>(after.size() + 1));
    for (std::size_t i = 1; i <= before.size(); ++i) {
      for (std::size_t j = 1; j <= after.size(); ++j)
        common[i][j] = before[i - 1] == after[j - 1]
                           ? common[i - 1][j - 1] + 1
                           : std::max(common[i - 1][j], common[i][j - 1]);
    }
    const std::string diff =
        unified_diff(text_of(before), text_of(after), "a/f", "b/f");
    std::size_t marked = 0;
    std::istringstream in(diff);
    for (std::string line; std::getline(in, line);)
      marked +=
          line.starts_with("+line") || line.starts_with("-line") ? 1U : 0U;
    CHECK(marked == before.size() + after.size() -
                        2 * common[before.size()][after.size()]);
  }
}

TEST_CASE("Two long texts with nothing in common are compared in time") {
  std::string a;
  std::string b;
  for (int i = 0; i < 3000; ++i) {
    a += "a" + std::to_string(i) + "\n";
    b += "b" + std::to_string(i) + "\n";
  }
  const std::string diff = unified_diff(a, b, "a/f", "b/f");
  CHECK(std::count(diff.begin(), diff.end(), '\n') == 6003);
}
