#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/recording.h"
#include "io/temporary.h"
#include "report/progress.h"

using namespace autopin;
using Catch::Matchers::Contains;

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

/// A recording that may be spoilt.
struct Copy {
  explicit Copy(const std::string& name) {
    fs::copy(std::string(AUTOPIN_SOURCE_DIR) + "/fixtures/" + name, folder,
             fs::copy_options::recursive);
  }
  /// Where the replay departs: "" where it does not.
  std::string departs(const std::vector<fs::path>& rules = {}) {
    const auto progress = report::silent_progress();
    try {
      return replay(folder, rules, *progress).difference.value_or("");
    } catch (const std::exception& error) {
      return error.what();
    }
  }
  TemporaryFolder temporary;
  fs::path folder = temporary.path() / "case";
};

}  // namespace

TEST_CASE("a recording plays again as it was") {
  for (const char* name : {"header-missing", "disk-full", "syntax-error"}) {
    INFO(name);
    CHECK(Copy(name).departs().empty());
  }
}

TEST_CASE("a changed byte of the tape is told with its place") {
  Copy copy("header-missing");
  const fs::path events = copy.folder / "tape/events.jsonl";
  std::string text = read(events);
  // The fifth line's middle.
  std::size_t begin = 0;
  for (int line = 1; line < 5; ++line)
    begin = text.find('\n', begin) + 1;
  const std::size_t at = begin + (text.find('\n', begin) - begin) / 2;
  text[at] = text[at] == 'x' ? 'y' : 'x';
  write(events, text);
  const auto said = copy.departs();
  INFO(said);
  CHECK_THAT(said, Contains("5"));
  CHECK_THAT(said, Contains("events.jsonl") || Contains("event 5") ||
                       Contains("line 5"));
}

TEST_CASE("a changed blob is told by its name") {
  Copy copy("header-missing");
  fs::path largest;
  for (const auto& file : fs::directory_iterator(copy.folder / "tape/blobs"))
    if (largest.empty() || file.file_size() > fs::file_size(largest))
      largest = file.path();
  std::string text = read(largest);
  text[text.size() / 2] ^= 1;
  write(largest, text);
  CHECK_THAT(copy.departs(),
             Contains(largest.filename().string().substr(0, 8)));
}

TEST_CASE("a changed answer is told with the byte where the log departs") {
  Copy copy("header-missing");
  std::string text = read(copy.folder / "log.json");
  const std::size_t at = text.find("\"outcome\"");
  REQUIRE(at != std::string::npos);
  text.insert(at, " ");
  write(copy.folder / "log.json", text);
  const auto said = copy.departs();
  CHECK_THAT(said,
             Contains("log.json") && Contains("byte " + std::to_string(at)));
}

TEST_CASE("a changed draft departs at the first thing it asks otherwise") {
  Copy copy("header-missing");
  write(copy.folder / "before.nix", read(copy.folder / "before.nix") + "\n");
  // The draft is read from the tape: what lies beside it does not matter.
  CHECK(copy.departs().empty());
}

TEST_CASE("a rule that says another thing is told with its place") {
  Copy copy("header-missing");
  const std::string log = read(copy.folder / "log.json");
  const std::size_t at = log.find("\"rule\": \"");
  REQUIRE(at != std::string::npos);
  const std::size_t begin = at + std::string("\"rule\": \"").size();
  const std::string id = log.substr(begin, log.find('"', begin) - begin);
  const fs::path rules = copy.temporary.path() / "rules";
  write(rules / "mine.json",
        R"({ "rules": [ { "id": ")" + id + R"(", "kind": "header-missing",
  "why": "Mine: {header} is missing.", "cure": "Do something.",
  "patterns": [ "fatal error: (?P<header>[^:]+): No such file" ],
  "params": { "header": [ "{header}" ] },
  "fixes": [ "add-header-input" ],
  "samples": [ { "log": "x.c:1:1: fatal error: zlib.h: No such file or directory",
                 "params": { "header": [ "zlib.h" ] } } ] } ] })");
  const auto said = copy.departs({rules});
  INFO(said);
  CHECK_FALSE(said.empty());
  CHECK_THAT(said, Contains("byte ") || Contains("event"));
  CHECK_THAT(said, Contains("Mine"));
}
