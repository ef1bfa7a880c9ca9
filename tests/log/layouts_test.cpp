// The same failure, in every layout, after anything that happens to a log on
// its way, must give the same answer: kind, params, derivation, severity, of
// all diagnoses. Over each sample of each shipped rule, and over each *.log of
// the folder AUTOPIN_CASES where that is set. AUTOPIN_LONG=1 takes more of
// everything.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>

#include "base/derivation_name.h"
#include "base/text.h"
#include "layouts.h"
#include "log/clean.h"
#include "log_fixture.h"

using namespace autopin;
using namespace autopin::testing;

namespace {

const std::string drv =
    "/nix/store/gcqhijilhwfjg1nbmiga5xwk6zpqhwyk-python3.11-wrapper-1.0.drv";
const std::string other_drv =
    "/nix/store/saq4gibm5gskvs1062h7qlw3m1xidzak-other-2.drv";
const std::string good_drv =
    "/nix/store/5bym4skfrxwsb5h1kngksy9w1dqr8zl3-good-0.1.drv";

bool long_run() {
  const char* value = std::getenv("AUTOPIN_LONG");
  return value != nullptr && *value != '\0' && *value != '0';
}

struct Sample {
  std::string name;
  std::string log;
  /// Nix's own words, not a builder's.
  bool of_nix = false;
};

/// Whether Nix says in a log that a build failed.
bool names_failure(const std::string& log) {
  Recorder recorder;
  recorder.reader.feed(log);
  recorder.reader.finish();
  return !recorder.outcomes.empty();
}

/// Whether a log names a derivation by itself, as only Nix does.
bool says_nix(const std::string& log) {
  if (names_failure(log))
    return true;
  const std::vector<Diagnosis> found = read(log);
  return std::any_of(found.begin(), found.end(), [](const Diagnosis& one) {
    return !one.derivation.empty();
  });
}

std::vector<Sample> rule_samples() {
  std::vector<Sample> samples;
  for (const Rule& rule : shipped_rules().rules()) {
    // What only says that something went wrong names no cause to compare.
    if (rule.severity == Severity::undetermined)
      continue;
    for (const RuleSample& sample : rule.samples)
      if (sample.positive)
        samples.push_back({rule.id, sample.log,
                           rule.family == "eval" || says_nix(sample.log)});
  }
  return samples;
}

std::vector<Sample> cases() {
  std::vector<Sample> samples;
  const char* folder = std::getenv("AUTOPIN_CASES");
  if (folder == nullptr || *folder == '\0')
    return samples;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".log")
      continue;
    std::ifstream in(entry.path(), std::ios::binary);
    samples.push_back({entry.path().filename().string(),
                       {std::istreambuf_iterator<char>(in), {}}});
  }
  REQUIRE(!samples.empty());
  return samples;
}

std::vector<Sample> samples_and_cases() {
  std::vector<Sample> samples = rule_samples();
  const std::vector<Sample> more = cases();
  samples.insert(samples.end(), more.begin(), more.end());
  return samples;
}

std::string one_answer(const Diagnosis& diagnosis) {
  std::string text = diagnosis.kind;
  if (diagnosis.severity == Severity::consequence)
    text += " (consequence)";
  for (const auto& [name, values] : diagnosis.params)
    if (name != "command")
      text += " " + name + "=" + join(values, ",");
  return text + " in " + std::string(derivation_name(diagnosis.derivation)) +
         "\n";
}

std::string answer(const std::string& log) {
  std::string text;
  for (const Diagnosis& diagnosis : read(log))
    text += one_answer(diagnosis);
  return text;
}

std::vector<std::string> strings(const std::string& log) {
  std::vector<std::string> lines;
  for (const std::string_view line : lines_of(log))
    lines.emplace_back(line);
  return lines;
}

Build build_of(const std::string& derivation, const std::string& log) {
  return {derivation, strings(log)};
}

/// The one build that failed in a log: its own lines and its .drv.
std::optional<Build> failed_build(const std::string& log) {
  Recorder recorder;
  recorder.reader.feed(log);
  recorder.reader.finish();
  std::set<std::string> failed;
  for (const Outcome& outcome : recorder.outcomes)
    if (outcome.kind == Outcome::Kind::failed &&
        outcome.text.find("hash ") == std::string::npos)
      failed.insert(outcome.derivation);
  if (failed.size() != 1 || failed.begin()->find(".drv") == std::string::npos)
    return std::nullopt;
  Build build;
  build.derivation = *failed.begin();
  for (std::size_t i = 0; i < recorder.lines.size(); ++i) {
    if (recorder.origins[i] == Origin::nix)
      continue;
    const std::string& line = recorder.lines[i];
    const std::size_t text = line.find('|', line.find('|') + 1) + 1;
    build.lines.push_back(line.substr(text));
  }
  return build;
}

/// What an indentation says is lost in a layout that trims.
bool suits(const Layout& layout, const Build& build) {
  return !layout.trims ||
         std::all_of(build.lines.begin(), build.lines.end(),
                     [](const std::string& line) {
                       return !line.empty() && trim(line) == line;
                     });
}

/// Counts, and names the first differences: there may be thousands.
class Comparison {
 public:
  void compare(const std::string& what, const std::string& layout,
               const std::string& log, const std::string& got,
               const std::string& want) {
    ++compared_;
    if (got == want)
      return;
    ++by_layout_[layout];
    if (++different_ <= most_shown)
      shown_ += what + " in " + layout + ":\n" + log.substr(0, 700) +
                "\n  answer: " + (got.empty() ? "none\n" : got) +
                "  not:    " + (want.empty() ? "none\n" : want) + "\n";
  }

  void require_none() const {
    std::string counts;
    for (const auto& [layout, count] : by_layout_)
      counts += layout + ": " + std::to_string(count) + "\n";
    INFO(compared_ << " compared, " << different_ << " differ\n"
                   << counts << shown_);
    CHECK(different_ == 0);
    CHECK(compared_ > 0);
  }

 private:
  static constexpr int most_shown = 8;
  int compared_ = 0;
  int different_ = 0;
  std::map<std::string, int> by_layout_;
  std::string shown_;
};

}  // namespace

TEST_CASE("a failing build gives the same answer in every layout") {
  Comparison comparison;
  for (const Sample& sample : rule_samples()) {
    if (sample.of_nix)
      continue;
    const Build build = build_of(drv, sample.log);
    // The lines, then Nix's word that the build failed: nothing between.
    const std::string want = answer(sample.log + "\nerror: builder for '" +
                                    drv + "' failed with exit code 1\n");
    for (const Layout& layout : layouts()) {
      if (!suits(layout, build))
        continue;
      const std::string log = layout.render(build);
      comparison.compare(sample.name, layout.name, log, answer(log), want);
    }
  }
  for (const Sample& sample : cases()) {
    const std::optional<Build> build = failed_build(sample.log);
    if (!build || build->lines.empty())
      continue;
    const std::string want = answer(layouts()[0].render(*build));
    for (const Layout& layout : layouts()) {
      if (!suits(layout, *build))
        continue;
      const std::string log = layout.render(*build);
      comparison.compare(sample.name, layout.name, log, answer(log), want);
    }
  }
  comparison.require_none();
}

TEST_CASE("what happens to a log on its way does not change the answer") {
  Comparison comparison;
  std::size_t number = 0;
  for (const Sample& sample : samples_and_cases()) {
    std::vector<std::pair<std::string, std::string>> texts = {
        {"bare", sample.log}};
    // Each in one layout more, or in all of them.
    ++number;
    if (!sample.of_nix && sample.name.find(".log") == std::string::npos)
      for (std::size_t i = 0; i < layouts().size(); ++i)
        if (long_run() || i == number % layouts().size())
          texts.emplace_back(layouts()[i].name,
                             layouts()[i].render(build_of(drv, sample.log)));
    for (const auto& [layout, text] : texts) {
      const std::string want = answer(text);
      for (const Dress& dress : dresses()) {
        const std::string log = dress.on(text);
        comparison.compare(sample.name, layout + ", " + dress.name, log,
                           answer(log), want);
      }
    }
  }
  comparison.require_none();
}

TEST_CASE("interleaved builds are told apart") {
  Comparison comparison;
  const Build good = build_of(good_drv, harmless_lines(20));
  std::vector<Sample> samples = rule_samples();
  samples.erase(
      std::remove_if(samples.begin(), samples.end(),
                     [](const Sample& sample) { return sample.of_nix; }),
      samples.end());
  const std::size_t partners = long_run() ? 20 : 1;
  for (std::size_t i = 0; i < samples.size(); ++i)
    for (std::size_t k = 1; k <= partners; ++k) {
      const Sample& sample = samples[i];
      const Sample& partner = samples[(i + 37 * k) % samples.size()];
      const std::vector<Build> builds = {build_of(drv, sample.log),
                                         build_of(other_drv, partner.log)};
      const auto sorted = [](const std::string& text) {
        std::vector<std::string> lines = strings(text);
        std::sort(lines.begin(), lines.end());
        return join(lines, "\n");
      };
      const auto render_one = layouts()[1].render;
      const std::string want =
          sorted(answer(render_one(builds[0])) + answer(render_one(builds[1])));
      for (const Interleaving& layout : interleavings()) {
        const std::string log = layout.render(builds, &good);
        comparison.compare(sample.name + " and " + partner.name, layout.name,
                           log, sorted(answer(log)), want);
      }
    }
  comparison.require_none();
}

TEST_CASE("a build that ends well beside it changes nothing") {
  Comparison comparison;
  const std::vector<Sample> samples = rule_samples();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (samples[i].of_nix)
      continue;
    // What the good build prints would be a failure, had it failed.
    const Sample& noise = samples[(i + 11) % samples.size()];
    if (noise.of_nix)
      continue;
    const Build good = build_of(good_drv, noise.log);
    const std::vector<Build> builds = {build_of(drv, samples[i].log)};
    const std::string want = answer(layouts()[1].render(builds[0]));
    for (const Interleaving& layout : interleavings()) {
      const std::string log = layout.render(builds, &good);
      comparison.compare(samples[i].name + " beside " + noise.name, layout.name,
                         log, answer(log), want);
    }
  }
  comparison.require_none();
}

TEST_CASE("a hundred thousand harmless lines around change nothing") {
  Comparison comparison;
  const int count = 100000;
  const std::string around = harmless_lines(count);
  const std::vector<Sample> samples = samples_and_cases();
  for (std::size_t i = 0; i < samples.size(); i += long_run() ? 1U : 401U) {
    const std::string log = around + samples[i].log + "\n" + around;
    comparison.compare(samples[i].name, "harmless lines", samples[i].log,
                       answer(log), answer(samples[i].log));
  }
  comparison.require_none();
}

TEST_CASE("Nix's own words give the same answer as internal-json messages") {
  Comparison comparison;
  for (const Sample& sample : rule_samples()) {
    if (!sample.of_nix)
      continue;
    comparison.compare(sample.name, "message", sample.log,
                       answer(json_message(sample.log)), answer(sample.log));
  }
  comparison.require_none();
}

TEST_CASE("a log without its cause has one answer: where to look") {
  for (const bool with_noise : {false, true})
    for (const Layout& layout : bare_failures()) {
      const std::string log =
          layout.render(build_of(drv, with_noise ? harmless_lines(30) : ""));
      const std::vector<Diagnosis> found = read(log);
      INFO(layout.name << ":\n" << log << "\n" << answer(log));
      REQUIRE(found.size() == 1);
      CHECK(found[0].kind == "undetermined");
      CHECK(found[0].derivation == drv);
      CHECK_THAT(found[0].param("command"), Catch::EndsWith(drv));
    }
}

TEST_CASE("a log of consequences only says how to see the cause") {
  for (const Layout& layout : consequences()) {
    const std::string log = layout.render(build_of(drv, ""));
    const std::vector<Diagnosis> found = read(log);
    INFO(layout.name << ":\n" << log << "\n" << answer(log));
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == "undetermined");
    CHECK(found[0].derivation == drv);
    CHECK(found[0].param("command") == "nix-store --realise " + drv);
  }
}

TEST_CASE("a log that was cut at either end invents no cause") {
  for (const Layout& layout : bare_failures()) {
    const std::string log = layout.render(build_of(drv, harmless_lines(12)));
    for (std::size_t cut = 0; cut <= log.size(); cut += long_run() ? 1U : 23U)
      for (const std::string& part : {log.substr(0, cut), log.substr(cut)}) {
        const std::vector<Diagnosis> found = read(part);
        INFO(layout.name << ":\n" << part << "\n" << answer(part));
        REQUIRE(found.size() <= 1);
        if (!found.empty())
          REQUIRE(found[0].kind == "undetermined");
      }
  }
}

TEST_CASE("a log that lacks its first or last line keeps its answer") {
  Comparison comparison;
  for (const Sample& sample : rule_samples()) {
    if (sample.of_nix)
      continue;
    const Build build = build_of(drv, sample.log);
    for (const Layout& layout : layouts()) {
      const std::string log = layout.render(build);
      // The first line of a beheaded tail is the builder's own.
      if (log.find("building ") != 0 || !suits(layout, build))
        continue;
      const std::string without_first = log.substr(log.find('\n') + 1);
      comparison.compare(sample.name, layout.name + ", beheaded", without_first,
                         answer(without_first), answer(log));
      const std::string without_last =
          log.substr(0, log.rfind('\n', log.size() - 2) + 1);
      // Where the failure itself is cut off, hints are no causes.
      const std::string want =
          names_failure(without_last)
              ? answer(log)
              : answer(building(build) + sample.log + "\n");
      comparison.compare(sample.name, layout.name + ", cut off", without_last,
                         answer(without_last), want);
    }
  }
  comparison.require_none();
}
