#include "log/rule_skeleton.h"

#include <re2/re2.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "log_fixture.h"

using namespace autopin;

namespace {

bool matches(const std::string& pattern, const std::string& line) {
  return RE2::PartialMatch(line, RE2(pattern, RE2::Latin1));
}

/// The pattern made of `line` matches it and `similar`, and not `other`.
void check_pattern(const std::string& line, const std::string& similar,
                   const std::string& other) {
  const std::string pattern = pattern_for(line);
  INFO(pattern);
  CHECK(matches(pattern, line));
  CHECK(matches(pattern, similar));
  CHECK_FALSE(matches(pattern, other));
}

}  // namespace

TEST_CASE("a pattern leaves numbers, paths and hashes open") {
  check_pattern("frob: 12 of 300 widgets lost", "frob: 1 of 2 widgets lost",
                "frob: some of 2 widgets lost");
  check_pattern("cannot open /build/src-1.0/a.txt",
                "cannot open /build/other/b.txt", "cannot open it");
  check_pattern("main.c:12:3: frobbed", "other.cc:1:99: frobbed",
                "other.cc: frobbed");
  check_pattern("needs frob 1.2.3, has 1.10", "needs frob 2.0, has 0.9.1",
                "needs frob, has 1.10");
  check_pattern("at 0x7f00ab12: bad", "at 0xdeadbeef: bad", "at zero: bad");
  check_pattern("commit 1f3a5b7c9d is gone", "commit deadbeef01 is gone",
                "commit main is gone");
  check_pattern("in /nix/store/0c2h3r9pk8ji2n2ww0l6rv1qslh4hm4g-a-1.0/bin/a: x",
                "in /nix/store/1c2h3r9pk8ji2n2ww0l6rv1qslh4hm4g-b-2/b: x",
                "in a: x");
}

TEST_CASE("a pattern takes what is special in RE2 as it stands") {
  check_pattern("[!] (a|b)* $x ^y {{q}} \\d .", "[!] (a|b)* $x ^y {{q}} \\d .",
                "[!] a $x ^y {{q}} 1 .");
  // Bytes that are no text are U+FFFD in what is shown, not in the log.
  CHECK(matches(pattern_for("bad \xEF\xBF\xBD byte"), "bad \xff byte"));
}

TEST_CASE("a pattern covers the beginning of a very long line") {
  std::string line = "frob";
  for (int i = 0; i < 2000; ++i)
    line += " word";
  const std::string pattern = pattern_for(line);
  CHECK(pattern.size() < 600);
  CHECK(matches(pattern, line));
}

TEST_CASE("every line of every sample makes a pattern that matches it") {
  std::size_t lines = 0;
  for (const Rule& rule : testing::shipped_rules().rules())
    for (const RuleSample& sample : rule.samples)
      for (const std::string_view line : lines_of(sample.log)) {
        const std::string pattern = pattern_for(line);
        INFO(line << "\n" << pattern);
        CHECK(matches(pattern, std::string(line)));
        ++lines;
      }
  CHECK(lines > 500);
}

TEST_CASE("the line to write a rule about says what failed") {
  const auto chosen = [](std::vector<EvidenceLine> lines) {
    const auto line = telling_line(lines);
    return line ? line->number : 0;
  };
  CHECK(chosen({{1, "error: first"},
                {2, "frob: error: widgets"},
                {3, "make: *** [Makefile:2: all] Error 1"},
                {4,
                 "error: builder for '/nix/store/"
                 "0c2h3r9pk8ji2n2ww0l6rv1qslh4hm4g-a.drv' failed with exit "
                 "code 2"}}) == 2);
  CHECK(chosen({{3, "make[1]: *** [Makefile:2: all] Error 1"}}) == 0);
  CHECK(chosen({}) == 0);
  // Nix repeats the end; the line in its own place counts.
  CHECK(chosen({{4, "frob: error: a"}, {9, "frob: error: a"}}) == 4);
}

TEST_CASE("a rule is named by the words of its line") {
  CHECK(rule_id_for("frob: error: 3 widgets lost") ==
        "frob-error-widgets-lost");
  CHECK(rule_id_for("123 \xc3\xa9 ...") == "new-rule");
  CHECK(rule_id_for("WeirdError: the gizmo 0x7ffe is off") ==
        "weirderror-the-gizmo-is-off");
  CHECK(rule_id_for(std::string(100, 'a') + " b") == "new-rule");
}

TEST_CASE("a key line that Nix repeats is shown once") {
  const auto found = testing::read(
      "building\nfrob: error: lost\n"
      "error: builder for '/nix/store/0c2h3r9pk8ji2n2ww0l6rv1qslh4hm4g-a.drv' "
      "failed with exit code 1;\n       last 1 log lines:\n"
      "       > frob: error: lost\n");
  REQUIRE(testing::kinds(found) == "undetermined");
  CHECK(std::count_if(found[0].lines.begin(), found[0].lines.end(),
                      [](const EvidenceLine& line) {
                        return line.text == "frob: error: lost";
                      }) == 1);
}

TEST_CASE("of a log that is not explained the last key lines are shown") {
  std::string log = "building\n";
  for (int i = 1; i <= 100; ++i)
    log += "error: number " + std::to_string(i) + "\n";
  const auto found = testing::read(log);
  REQUIRE(testing::kinds(found) == "undetermined");
  CHECK(found[0].phase == "buildPhase");
  CHECK(found[0].lines.size() == 12);
  CHECK(found[0].lines.back().text == "error: number 100");
  CHECK(found[0].lines.front().text == "error: number 89");
}
