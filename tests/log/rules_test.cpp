#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "log/rule_check.h"
#include "log_fixture.h"

using namespace autopin;
namespace fs = std::filesystem;

namespace {

/// A folder with one rules file, gone when the test ends.
class Folder {
 public:
  explicit Folder(const std::string& content)
      : path(fs::temp_directory_path() /
             ("autopin-rules-" + std::to_string(::getpid()))) {
    fs::create_directories(path);
    std::ofstream(path / "mine.json") << content;
  }
  ~Folder() { fs::remove_all(path); }
  fs::path path;
};

const fs::path shipped = fs::path(AUTOPIN_SOURCE_DIR) / "rules";

}  // namespace

TEST_CASE("every shipped rule is proved by its samples") {
  std::string problems;
  for (const RuleProblem& problem : check_rules(testing::shipped_rules()))
    problems += problem.rule + ": " + problem.what + "\n";
  CHECK(problems == "");
}

TEST_CASE("a user's rule adds to the shipped ones and overrides by id") {
  const Folder folder(R"json({"rules": [
    {"id": "mine", "kind": "test-failed", "why": "w", "rank": 1,
     "patterns": ["^odd: (?P<tests>\\S+)"], "samples": ["odd: x"]},
    {"id": "gcc-header", "kind": "header-missing", "why": "w",
     "patterns": ["^never (?P<header>\\S+)"], "samples": ["never x"]}]})json");
  const RuleSet rules = load_rules({shipped, folder.path});
  CHECK(testing::kinds(diagnose(rules, "odd: x\n")) == "test-failed");
  CHECK(
      diagnose(rules, "a.c:1:2: fatal error: z.h: No such file or directory\n")
          .at(0)
          .kind != "header-missing");
}

TEST_CASE("a wrong rule is named with its file") {
  const auto complaint = [](const std::string& content) {
    const Folder folder(content);
    try {
      load_rules({folder.path});
    } catch (const std::exception& problem) {
      return std::string(problem.what());
    }
    return std::string();
  };
  CHECK_THAT(complaint("{"), Catch::Contains("mine.json"));
  CHECK_THAT(
      complaint(
          R"json({"rules":[{"id":"a","kind":"k","patterns":["("]}]})json"),
      Catch::Contains("(a)"));
  CHECK_THAT(complaint(R"json({"rules":[{"id":"a","knd":"k"}]})json"),
             Catch::Contains("knd"));
  CHECK_THAT(complaint(R"json({"rules":[{"id":"a","kind":"k"}]})json"),
             Catch::Contains("pattern"));
  CHECK_THAT(
      complaint(
          R"json({"rules":[{"id":"a","kind":"k","patterns":["{{no}}"]}]})json"),
      Catch::Contains("macro"));
}

TEST_CASE("the check finds what is wrong with a rule") {
  const auto problems = [](const std::string& rule) {
    const Folder folder(
        R"json({"kinds":[{"name":"k","text":"t","params":{"x":"key"}}],
                            "rules":[)json" +
        rule + "]}");
    std::string text;
    for (const RuleProblem& problem : check_rules(load_rules({folder.path})))
      text += problem.what + "\n";
    return text;
  };
  CHECK(problems(
            R"json({"id":"a","kind":"k","why":"w","patterns":["^abc (?P<x>.)"],
                     "samples":[{"log":"abc d","params":{"x":"d"}}],"not":["d"]})json") ==
        "");
  CHECK_THAT(
      problems(R"json({"id":"a","kind":"k","why":"w","patterns":["^a"]})json"),
      Catch::Contains("no sample matches"));
  for (const std::string needs : {R"({"g":"x"})", R"({"f":"y"})"})
    CHECK_THAT(problems(R"json({"id":"a","kind":"k","why":"w","patterns":["^a"],
                          "samples":["a"],"fixes":["f"],"fix_needs":)json" +
                        needs + "}"),
               Catch::Contains("fix_needs"));
  CHECK(problems(R"json({"id":"a","kind":"k","why":"w","patterns":["^abc"],
                     "samples":["abc"],"fixes":["f"],"fix_needs":{"f":"x"}})json") ==
        "");
  CHECK_THAT(problems(R"json({"id":"a","kind":"k","why":"w","patterns":["^a"],
                          "samples":["a"],"not":["ab"]})json"),
             Catch::Contains("negative sample"));
  CHECK_THAT(
      problems(R"json({"id":"a","kind":"k","why":"w","patterns":["^a (?P<y>.)"],
                          "samples":["a b"]})json"),
      Catch::Contains("not documented"));
  CHECK_THAT(
      problems(R"json({"id":"a","kind":"k","why":"w","patterns":["^a (?P<x>.)"],
                          "samples":[{"log":"a b","params":{"x":"c"}}]})json"),
      Catch::Contains("other params"));
  CHECK_THAT(
      problems(R"json({"id":"a","kind":"k","why":"w","patterns":["^a (?P<x>.)"],
                     "samples":[{"log":"a b","params":{"x":"b"}}]})json"),
      Catch::Contains("slows"));
  CHECK_THAT(
      problems(R"json({"id":"a","kind":"k","why":"TODO: say","patterns":["^a"],
                          "samples":["a"]})json"),
      Catch::Contains("not finished: TODO: say"));
  CHECK_THAT(problems(R"json({"id":"a","kind":"k","why":"w","patterns":["^a"],
                          "not":["b"]})json"),
             Catch::Contains("no rule's sample leads to this kind"));
}

TEST_CASE("the check finds a rule whose sample another one answers") {
  const auto problems = [](const std::string& sample,
                           const std::string& words) {
    const Folder folder(
        R"json({"kinds":[{"name":"k","text":"t","params":{}},
                         {"name":"l","text":"t","params":{}}],
                "rules":[
      {"id":"a","kind":"k","why":"w","rank":10,"patterns":["^a b"],
       "samples":[")json" +
        sample + R"json("]},
      {"id":"b","kind":"l","why":"w","rank":20,"patterns":["^cut off"],
       "samples":["cut off"])json" +
        words + "}]}");
    std::string text;
    for (const RuleProblem& problem : check_rules(load_rules({folder.path})))
      text += problem.rule + ": " + problem.what + "\n";
    return text;
  };
  // Both answer: the ranks order them.
  CHECK(problems("a b\\ncut off", "") == "");
  // A later phase began, so what a saw did not stop the build.
  CHECK_THAT(problems("a b\\ninstalling\\ncut off", ""),
             Catch::Contains("a: its sample is answered by b in its place"));
  CHECK(problems("a b\\ninstalling\\ncut off",
                 R"json(,"overrides":["a"])json") == "");
}

TEST_CASE("two rules of one folder may not have the same id") {
  const Folder folder(R"json({"rules": [
    {"id": "twice", "kind": "k", "patterns": ["^a"]},
    {"id": "twice", "kind": "k", "patterns": ["^b"]}]})json");
  CHECK_THROWS_WITH(load_rules({folder.path}),
                    Catch::Contains("same id") && Catch::Contains("(twice)"));
  // A folder read later replaces it: that is how a user changes a rule.
  CHECK_NOTHROW(load_rules({shipped, shipped}));
}

TEST_CASE("one file of rules can be read by itself") {
  const Folder folder(R"json({"rules": [
    {"id": "mine", "kind": "k", "patterns": ["^a"], "samples": ["a"]}]})json");
  CHECK(load_rules({folder.path / "mine.json"}).find("mine") != nullptr);
}

TEST_CASE("the check finds a gap in a sentence") {
  const Folder folder(
      R"json({"kinds":[{"name":"k","text":"t","params":{"x":"key"}}],
    "rules":[{"id":"a","kind":"k","why":"{x} is not there",
              "patterns":["^abcd(?: (?P<x>.))?"],"samples":["abcd"]}]})json");
  const std::vector<RuleProblem> problems =
      check_rules(load_rules({folder.path}));
  REQUIRE(problems.size() == 1);
  CHECK_THAT(problems[0].what, Catch::Contains("has a gap for {x}"));
}

TEST_CASE("a rule of which no text is known matches all the same") {
  const Folder folder(R"json({"rules": [
    {"id": "short", "kind": "test-failed", "why": "w",
     "patterns": ["^q (?P<tests>\\S+)$"]},
    {"id": "waiting", "kind": "command-missing", "why": "w",
     "patterns": ["^\\s+(?P<command>\\w+)$"],
     "context": [{"pattern": "^Commands that are missing:$", "within": 3}]}]})json");
  const std::string harmless(5000, '\n');
  const RuleSet rules = load_rules({shipped, folder.path});
  CHECK(testing::kinds(diagnose(rules, harmless + "q x\n" + harmless)) ==
        "test-failed");
  const auto missing = [&](const std::string& between) {
    return diagnose(rules, harmless + "Commands that are missing:\n" + between +
                               "  tool\n" + harmless)
        .size();
  };
  CHECK(missing("one\ntwo\n") == 1);
  CHECK(missing("one\ntwo\nthree\n") == 0);
}
