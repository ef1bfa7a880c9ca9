#include "cli/rules.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "io/fake_world.h"
#include "io/temporary.h"
#include "log/rule_set.h"

using namespace autopin;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;

namespace {

namespace fs = std::filesystem;

std::string write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

constexpr const char* strange_log =
    "building\n"
    "frobbing 7 widgets\n"
    "frob: error: 3 of 7 widgets lost in /build/src/a.frob\n"
    "giving up\n"
    "make: *** [Makefile:2: all] Error 1\n";

struct Begun {
  FakeWorld fake;
  TemporaryFolder folder;
  NewRule wanted;
  std::string notes;

  std::string run(const std::string& log) {
    wanted.from.what = write(folder.path() / "build.log", log);
    std::ostringstream out;
    std::ostringstream heard;
    const int exit_code = run_rules_new(fake.world, wanted, out, heard);
    CHECK(exit_code == 0);
    notes = heard.str();
    return out.str();
  }
};

std::string checked(const fs::path& place, int& exit_code) {
  std::ostringstream out;
  exit_code = run_rules_check({place}, false, out);
  return out.str();
}

}  // namespace

TEST_CASE("rules are printed as JSON as well") {
  std::ostringstream listed;
  run_rules_list({}, true, listed);
  const auto rules = ordered_json::parse(listed.str());
  std::ostringstream shown;
  run_rules_show({}, "gcc-header", true, shown);
  const auto rule = ordered_json::parse(shown.str());
  CHECK(std::find(rules.begin(), rules.end(), rule) != rules.end());
  CHECK(rule["kind"] == "header-missing");
  CHECK(rule["fixes"] == ordered_json{"add-header-input"});
  std::ostringstream kinds;
  run_rules_kinds({}, true, kinds);
  CHECK(ordered_json::parse(kinds.str())["header-missing"]["params"] ==
        ordered_json{{"header", "one"}});
  std::ostringstream proved;
  CHECK(run_rules_check({}, true, proved) == 0);
  CHECK(ordered_json::parse(proved.str())["rules"] == rules.size());
}

TEST_CASE("a new rule is about the line that says what failed") {
  Begun begun;
  const auto document = ordered_json::parse(begun.run(strange_log));
  const auto& rule = document["rules"][0];
  CHECK(rule["id"] == "frob-error-of-widgets-lost-in-build-src");
  CHECK(rule["samples"][0]["log"] ==
        "building\nfrobbing 7 widgets\nfrob: error: 3 of 7 widgets lost in "
        "/build/src/a.frob\ngiving up\nmake: *** [Makefile:2: all] Error 1");
  CHECK(
      rule["patterns"][0] ==
      R"(^frob:\s+error:\s+\d+\s+of\s+\d+\s+widgets\s+lost\s+in\s+[^\s:]*/[^\s:]*$)");
  CHECK_THAT(begun.notes, Contains("line 3") && Contains("TODO"));
}

TEST_CASE("a new rule proves itself once what is marked TODO is written") {
  Begun begun;
  begun.wanted.id = "frob-widgets";
  auto document = ordered_json::parse(begun.run(strange_log));
  const fs::path file = begun.folder.path() / "frob.json";
  int exit_code = 0;
  write(file, document.dump());
  CHECK_THAT(checked(file, exit_code), Contains("frob-widgets: its kind TODO"));
  CHECK(exit_code == 1);
  auto& rule = document["rules"][0];
  rule["kind"] = "compile-error";
  write(file, document.dump());
  CHECK_THAT(checked(file, exit_code), Contains("it is not finished: TODO"));
  CHECK(exit_code == 1);
  rule["why"] = "Widgets are lost.";
  rule["cure"] = "Find them.";
  write(file, document.dump());
  CHECK_THAT(checked(file, exit_code), !Contains("frob-widgets"));
  CHECK(exit_code == 0);
  // And it is what explains the log from then on.
  begun.wanted.rules = {file};
  CHECK_THROWS_WITH(begun.run(strange_log),
                    Contains("frob-widgets explains it already"));
  begun.wanted.line = 2;
  CHECK_THAT(begun.run(strange_log), Contains(R"(^frobbing\\s+\\d+)"));
  CHECK_THAT(begun.notes, Contains("It replaces the rule that has this id"));
}

TEST_CASE("where no line offers itself a new rule wants one named") {
  Begun begun;
  CHECK_THROWS_WITH(begun.run("all is well\n"), Contains("--line N"));
  begun.wanted.line = 9;
  CHECK_THROWS_WITH(begun.run("all is well\n"), Contains("no line 9"));
  begun.wanted.line = 1;
  CHECK_NOTHROW(begun.run("all is well\n"));
  begun.wanted.id = "No Good";
  CHECK_THROWS_AS(begun.run("all is well\n"), Error);
}

TEST_CASE("a hostile line makes a rule that can be read back") {
  Begun begun;
  begun.wanted.line = 2;
  const std::string text = begun.run(
      "a\n\x1b[31merr\"or\\ {{x}} \xff\xfe (?P<a>.*) "
      "\x01\x7f\xe2\x80\xae\nb\n");
  const auto document = ordered_json::parse(text);
  const fs::path file =
      write(begun.folder.path() / "hostile.json", document.dump());
  CHECK_NOTHROW(load_rules({fs::path(AUTOPIN_SOURCE_DIR) / "rules", file}));
}

TEST_CASE("rules check says what is wrong and ends with 1") {
  const TemporaryFolder folder;
  int exit_code = 0;
  const std::string file =
      write(folder.path() / "mine.json",
            R"json({"rules": [{"id": "mine", "kind": "no-such", "why": "w",
                    "patterns": ["^odd"], "samples": ["even"],
                    "fixes": ["use-hash", "frobnicate"]}]})json");
  const std::string text = checked(file, exit_code);
  CHECK(exit_code == 1);
  CHECK_THAT(text, Contains("mine: it offers frobnicate, and there is no such "
                            "fix"));
  CHECK_THAT(text, Contains("mine: its kind no-such is not in kinds.json") &&
                       Contains("mine: no sample matches the pattern ^odd") &&
                       Contains("mine: it does not match its own sample"));
}

TEST_CASE("rules/README.md has the table of kinds as it is") {
  std::ifstream in(fs::path(AUTOPIN_SOURCE_DIR) / "rules" / "README.md");
  const std::string readme((std::istreambuf_iterator<char>(in)), {});
  std::ostringstream out;
  run_rules_kinds({}, false, out);
  const std::size_t at = readme.find("| kind | params | meaning |");
  REQUIRE(at != std::string::npos);
  CHECK(readme.substr(at) == out.str());
}
