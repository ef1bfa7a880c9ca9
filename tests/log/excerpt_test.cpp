#include "log/excerpt.h"

#include <catch2/catch.hpp>

#include "log_fixture.h"

using namespace autopin;

namespace {

/// "12>" before a line that matched, "12 " before one around it.
std::string around(const std::string& log, std::vector<EvidenceLine> lines,
                   std::size_t piece = 7) {
  Diagnosis diagnosis;
  diagnosis.lines = std::move(lines);
  ExcerptReader reader({diagnosis});
  for (std::size_t at = 0; at < log.size(); at += piece)
    reader.feed(std::string_view(log).substr(at, piece));
  reader.finish();
  std::string text;
  const Excerpt excerpt = reader.around(diagnosis);
  for (std::size_t i = 0; i < excerpt.size(); ++i)
    text +=
        std::string(i > 0 && !excerpt[i].follows(excerpt[i - 1]) ? "~" : "") +
        std::to_string(excerpt[i].number) + (excerpt[i].matched ? ">" : " ") +
        excerpt[i].text + "\n";
  return text;
}

}  // namespace

TEST_CASE("two lines stand around a match") {
  CHECK(around("a\nb\nc\nX\nd\ne\nf\n", {{4, "X"}}) ==
        "2 b\n3 c\n4>X\n5 d\n6 e\n");
  CHECK(around("X\na", {{1, "X"}}) == "1>X\n2 a\n");
}

TEST_CASE("matches near each other share what is between them") {
  CHECK(around("a\nX\nb\nY\nc\n", {{2, "X"}, {4, "Y"}}) ==
        "1 a\n2>X\n3 b\n4>Y\n5 c\n");
  CHECK(around("X\na\nb\nc\nd\ne\nY\n", {{1, "X"}, {7, "Y"}}) ==
        "1>X\n2 a\n3 b\n~5 d\n6 e\n7>Y\n");
}

TEST_CASE("lines around a match are of the same builder") {
  CHECK(around("aa> one\nbb> other\naa> X\nbb> other\naa> two\nbb> end\n",
               {{3, "X"}}) == "1 one\n3>X\n5 two\n");
}

TEST_CASE("a line that was wanted and is not there stands alone") {
  CHECK(around("a\nb\n", {{9, "X"}}) == "9>X\n");
}

TEST_CASE("an excerpt is taken by a line's number as well") {
  ExcerptReader reader({});
  reader.want(2);
  reader.feed("a\nb\nc\n");
  reader.finish();
  const Excerpt excerpt = reader.around(2);
  REQUIRE(excerpt.size() == 3);
  CHECK(excerpt[1].matched);
  CHECK_FALSE(excerpt[0].matched);
  CHECK(reader.around(7).empty());
  CHECK(reader.last_lines().size() == 3);
}

TEST_CASE("what a rule matched in a line is known") {
  const Rule* rule = testing::shipped_rules().find("gcc-header");
  REQUIRE(rule != nullptr);
  const std::string line =
      "a.c:4:18: fatal error: zlib.h: No such file or "
      "directory, and more";
  const auto part = matched_part(*rule, line);
  CHECK(line.substr(part.first, part.second) ==
        "a.c:4:18: fatal error: zlib.h: No such file or directory");
  CHECK(matched_part(*rule, "something else").second == 0);
}
