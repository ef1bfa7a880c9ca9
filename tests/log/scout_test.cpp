// A guard or a look ahead that is wrong loses diagnoses without a word. So all
// that they spare is done here as well, and must come to the same.

#include "log/scout.h"

#include <re2/re2.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "base/text.h"
#include "layouts.h"
#include "log/clean.h"
#include "log/collector.h"
#include "log/diagnoser.h"
#include "log/diagnosis_json.h"
#include "log/excerpt.h"
#include "log/guard.h"
#include "log/nix_lines.h"
#include "log/ranking.h"
#include "log_fixture.h"

using namespace autopin;

namespace {

bool matches(const Pattern& pattern, std::string_view line) {
  return RE2::PartialMatch(re2::StringPiece(line.data(), line.size()),
                           *pattern.regex);
}

/// "rule/pattern" of all that match, each pattern tried by itself.
std::string one_by_one(const RuleSet& rules, std::string_view line) {
  std::string hits;
  for (const Rule& rule : rules.rules()) {
    for (const Pattern& pattern : rule.patterns)
      if (matches(pattern, line))
        hits += rule.id + ": " + pattern.text + "\n";
    for (const Context& context : rule.context)
      if (matches(context.pattern, line))
        hits += rule.id + ": " + context.pattern.text + "\n";
  }
  return hits;
}

/// The first pattern with a guard that matches.
std::string guarded_match(const RuleSet& rules, std::string_view line) {
  for (const Rule& rule : rules.rules()) {
    for (const Pattern& pattern : rule.patterns)
      if (!pattern.guard.texts.empty() && matches(pattern, line))
        return pattern.text;
    for (const Context& context : rule.context)
      if (matches(context.pattern, line))
        return context.pattern.text;
  }
  return "";
}

std::string all_at_once(const RuleSet& rules, std::string_view line) {
  std::vector<RuleSet::Hit> found;
  rules.match(line, found);
  std::string hits;
  for (const RuleSet::Hit& hit : found) {
    const Rule& rule = rules.rules()[hit.rule];
    hits += rule.id + ": " +
            (hit.is_context ? rule.context[hit.pattern].pattern
                            : rule.patterns[hit.pattern])
                .text +
            "\n";
  }
  return hits;
}

std::vector<std::string> sample_lines() {
  std::vector<std::string> lines;
  for (const Rule& rule : testing::shipped_rules().rules())
    for (const RuleSample& sample : rule.samples)
      for (const std::string_view line : lines_of(sample.log))
        lines.emplace_back(line);
  return lines;
}

/// What a line could have been instead.
std::vector<std::string> variants(const std::string& line,
                                  const std::string& other,
                                  std::mt19937& random) {
  const auto below = [&](std::size_t limit) -> std::size_t {
    return random() % (limit + 1);
  };
  std::vector<std::string> all = {
      line,       "x" + line,   " " + line,          line + " ",
      line + "x", line + other, other + ": " + line, to_lower(line)};
  std::string upper = line;
  for (char& c : upper)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  all.push_back(upper);
  for (int i = 0; i < 6; ++i) {
    const std::size_t at = below(line.size());
    std::string changed = line;
    switch (i % 3) {
      case 0:
        changed.erase(at, 1 + below(3));
        break;
      case 1:
        changed.insert(at, 1, " e:'_\xff"[below(5)]);
        break;
      default:
        if (at < changed.size())
          changed[at] ^= 0x20;
    }
    all.push_back(changed);
    all.push_back(line.substr(0, at));
    all.push_back(line.substr(at));
  }
  for (std::string& text : all)
    text.erase(std::remove(text.begin(), text.end(), '\n'), text.end());
  return all;
}

/// Hands the lines on and lets none be passed over.
class Plodder : public LogSink {
 public:
  explicit Plodder(const RuleSet& rules) : collector(rules) {}
  void on_line(const LogLine& line) override { collector.on_line(line); }
  void on_phase(std::size_t stream, long number) override {
    collector.on_phase(stream, number);
  }
  void on_success(std::size_t stream) override { collector.on_success(stream); }
  void on_outcome(const Outcome& outcome) override {
    collector.on_outcome(outcome);
  }
  Collector collector;
};

std::string answer(Collector& collector, LogSink& sink, const std::string& log,
                   std::size_t piece) {
  LogReader reader(sink);
  collector.watch(reader);
  for (std::size_t at = 0; at < log.size(); at += piece)
    reader.feed(std::string_view(log).substr(at, piece));
  reader.finish();
  collector.finish();
  const RuleSet& rules = testing::shipped_rules();
  return std::to_string(reader.line_count()) +
         diagnoses_to_json(rules, rank_findings(rules, reader,
                                                std::move(collector.findings()),
                                                collector.outcomes()));
}

}  // namespace

TEST_CASE("no guard hides a line from its pattern") {
  const RuleSet& rules = testing::shipped_rules();
  const std::vector<std::string> lines = sample_lines();
  std::mt19937 random(1);
  std::size_t hits = 0;
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (const std::string& line :
         variants(lines[i], lines[(i * 7 + 1) % lines.size()], random)) {
      const std::string expected = one_by_one(rules, line);
      if (!expected.empty())
        ++hits;
      if (all_at_once(rules, line) != expected) {
        INFO(line);
        CHECK(all_at_once(rules, line) == expected);
      }
    }
  CHECK(hits > lines.size());
}

TEST_CASE("every shipped pattern has a guard or waits for its context") {
  const RuleSet& rules = testing::shipped_rules();
  for (std::size_t i = 0; i < rules.rules().size(); ++i) {
    INFO(rules.rules()[i].id);
    CHECK(rules.passable(i));
  }
  std::string good;
  for (const Rule& rule : rules.rules())
    for (const Pattern& pattern : rule.patterns)
      if (!pattern.guard.understood)
        good += pattern.text + "\n";
  CHECK(good == "");
}

TEST_CASE("a guard holds what every match must hold") {
  const auto guard = [](const std::string& pattern) {
    Guard found = guard_of(pattern);
    std::sort(found.texts.begin(), found.texts.end());
    return (found.fold ? "(?i)" : "") + join(found.texts, "|");
  };
  CHECK(guard("cannot find -l(\\S+)") == "cannot find -l");
  CHECK(guard("^FAILED: .*$") == "\nFAILED: ");
  CHECK(guard("x\\.\\.\\. FAILED$") == "x... FAILED\n");
  CHECK(guard("(?:Missing|Absent) \\d+") == "Absent|Missing");
  CHECK(guard("[Zz]ebra found") == "ebra found");
  CHECK(guard("Quux(?: zork)?") == "Quux");
  CHECK(guard("(?:Quux zork)?Quip zap") == "Quip zap");
  CHECK(guard("(?:Quux zork)*") == "");
  CHECK(guard("Quux|\\d+") == "");
  CHECK(guard("\\w(?:Quux)+\\w") == "Quux");
  CHECK(guard("\\w_{5,}x") == "_____x");
  CHECK(guard("(?i)Quux: ZORK") == "(?i)quux: zork");
  CHECK(guard("a(?i:b)") == "");
  CHECK(guard("^^Quux zork$$") == "\nQuux zork\n");
  CHECK(guard("\\bQuux\\b") == "Quux");
  CHECK(guard(".+") == "");
  CHECK(guard("") == "");
}

TEST_CASE("what RE2 refuses or a guard does not understand has no guard") {
  for (const char* pattern :
       {"(", ")", "a)", "a**", "a{2}{3}", "[b-a]", "[a", "a{3,2}", "(?P<n>",
        "(?P<n>a)(?P<n>b)", "(?P<n-x>a)", "\\", "\\y", "*a", "(?:a{99}){99}",
        "(?s)abcdefg", "[[:alpha:]]abcdefg", "\\pLabcdefg", "(?i)*"}) {
    INFO(pattern);
    CHECK_FALSE(guard_of(pattern).understood);
    CHECK(guard_of(pattern).texts.empty());
  }
}

TEST_CASE("lines that are passed over are clean and match nothing") {
  const RuleSet& rules = testing::shipped_rules();
  std::vector<std::string> lines = sample_lines();
  const auto add = [&](const std::string& text) {
    for (const std::string_view line : lines_of(text))
      lines.emplace_back(line);
  };
  for (const testing::Dress& dress : testing::dresses())
    for (std::size_t i = 0; i < 40; ++i)
      add(dress.on(lines[i * 9]));
  add(testing::harmless_lines(2000));
  std::mt19937 random(2);
  std::shuffle(lines.begin(), lines.end(), random);
  const std::string log = "\n" + join(lines, "\n") + "\n";
  long passed = 0;
  long all = 0;
  for (std::size_t at = 0; at + 1 < log.size();) {
    const std::string_view rest = std::string_view(log).substr(at);
    const Scout::Passed step =
        rules.scout().pass(rest, random() % 50 == 0 ? 3 : 1000000,
                           [&](std::uint32_t owner, std::string_view line) {
                             return rules.matches(owner, line);
                           });
    REQUIRE((step.bytes == 0 || rest[step.bytes] == '\n'));
    long count = 0;
    if (step.bytes > 0)
      for (const std::string& line :
           split(rest.substr(1, step.bytes - 1), '\n')) {
        ++count;
        INFO(line);
        std::string scratch;
        REQUIRE(strip_escapes(line, scratch) == line);
        REQUIRE(strip_odd_ends(line) == line);
        REQUIRE(strip_bare_colours(line, scratch) == line);
        REQUIRE(strip_decoration(line) == line);
        REQUIRE_FALSE(is_furniture(line));
        REQUIRE_FALSE(split_prefix(line));
        REQUIRE_FALSE(may_be_nix(line));
        REQUIRE_FALSE(full_log_hint(line));
        REQUIRE_FALSE(build_start(line));
        REQUIRE_FALSE(build_failure(line));
        REQUIRE_FALSE(dependency_failure(line));
        REQUIRE(phase_header(line).empty());
        Verdict verdict = Verdict::none;
        REQUIRE_FALSE(is_success(line, verdict));
        REQUIRE(verdict == Verdict::none);
        REQUIRE(guarded_match(rules, line) == "");
      }
    REQUIRE(step.lines == count);
    passed += step.lines;
    all += step.lines + 1;
    at = std::min(log.find('\n', at + step.bytes + 1), log.size());
  }
  CHECK(passed * 3 > all);
}

TEST_CASE("passing over lines does not change the answer") {
  const RuleSet& rules = testing::shipped_rules();
  const std::string harmless = testing::harmless_lines(60);
  const std::vector<std::string> verdicts = {
      "", "Ran 3 tests in 0.001s\n\nOK\n", "\nRan 3 tests in 0.001s\nx\nOK\n",
      "# FAIL:  0\n# XPASS: 0\n# ERROR: 0\n"};
  std::size_t count = 0;
  for (const Rule& rule : rules.rules())
    for (const RuleSample& sample : rule.samples) {
      const std::string log = harmless + sample.log + "\n" + harmless +
                              sample.log + "\nabc\n" +
                              testing::harmless_lines(5) + sample.log + "\n" +
                              verdicts[count++ % verdicts.size()] + harmless;
      Plodder plodder(rules);
      const std::string expected =
          answer(plodder.collector, plodder, log, log.size());
      for (const std::size_t piece : {log.size(), std::size_t{997}}) {
        Collector collector(rules);
        INFO(rule.id << ":\n" << sample.log);
        CHECK(answer(collector, collector, log, piece) == expected);
      }
    }
}

TEST_CASE("passing over lines does not change what stands around a match") {
  const RuleSet& rules = testing::shipped_rules();
  const auto shown = [](const Excerpt& excerpt) {
    std::string text;
    for (const ExcerptLine& line : excerpt)
      text += std::to_string(line.number) + (line.matched ? "* " : "  ") +
              std::to_string(line.ordinal) + " " + line.text + "\n";
    return text;
  };
  for (std::size_t i = 0; i < rules.rules().size(); i += 7) {
    std::string log;
    for (const RuleSample& sample : rules.rules()[i].samples)
      log += testing::harmless_lines(150) + sample.log + "\nname> one\nabc\n" +
             sample.log + "\nname> two\n\n\n";
    log += testing::harmless_lines(300);
    Diagnoser diagnoser(rules);
    diagnoser.feed(log);
    const std::vector<Diagnosis> diagnoses = diagnoser.finish();
    ExcerptReader whole(diagnoses);
    ExcerptReader passing(diagnoses, diagnoser.line_count());
    for (ExcerptReader* reader : {&whole, &passing}) {
      reader->feed(log);
      reader->finish();
    }
    for (const Diagnosis& diagnosis : diagnoses) {
      INFO(rules.rules()[i].id);
      CHECK(shown(passing.around(diagnosis)) == shown(whole.around(diagnosis)));
    }
    const std::vector<EvidenceLine> mine = passing.last_lines();
    const std::vector<EvidenceLine> last = whole.last_lines();
    CHECK(std::equal(mine.begin(), mine.end(), last.begin(), last.end(),
                     [](const EvidenceLine& one, const EvidenceLine& other) {
                       return one.number == other.number &&
                              one.text == other.text;
                     }));
  }
}
