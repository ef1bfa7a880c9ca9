#include "loop/failures.h"

#include <re2/re2.h>

#include <algorithm>
#include <map>

#include "nix/derivation.h"

namespace autopin {
namespace {

/// The .drv that a log means: named, or by its output, or by its bare name.
std::string resolve(const std::string& named, nix::Store& store,
                    const std::vector<std::string>& roots) {
  if (named.empty())
    return {};
  if (named.ends_with(".drv") && named.front() == '/')
    return store.has_derivation(named) ? named : std::string();
  if (named.front() == '/')
    return store.maker_of_output(roots, named).value_or("");
  for (const auto& drv : store.closure(roots, nix::Edges::build))
    if (store.derivation(drv).name() == named)
      return drv;
  return {};
}

void sort_into(Findings& findings, const Diagnosis& diagnosis,
               const std::string& drv) {
  if (diagnosis.severity == Severity::environment)
    findings.environment.push_back(diagnosis);
  else if (diagnosis.severity == Severity::cause)
    findings.failures.push_back({diagnosis, drv, {}, false, 1});
}

/// Hands each failure the consequences that have fixes of their own.
void add_consequences(Findings& findings) {
  for (auto& failure : findings.failures)
    for (const auto& diagnosis : findings.diagnoses)
      if (diagnosis.severity == Severity::consequence &&
          !diagnosis.fixes.empty() &&
          diagnosis.derivation == failure.diagnosis.derivation)
        failure.consequences.push_back(diagnosis);
}

/// pytest's closing line tells of failures and of no test that passed. A run
/// that collection errors interrupted says nothing of the kind.
bool nothing_passed(std::string_view log) {
  static const RE2 closing(
      R"((?m)^=+ (.*\b(?:failed|errors?)\b.*) in [0-9.]+ ?s)");
  static const RE2 interrupted(R"((?m)^!+ .*(?:Interrupted|stopping after))");
  if (RE2::PartialMatch(log, interrupted))
    return false;
  re2::StringPiece rest(log.data(), log.size());
  std::string summary;
  bool found = false;
  while (RE2::FindAndConsume(&rest, closing, &summary))
    found = true;
  return found && summary.find("passed") == std::string::npos;
}

/// Marks failures whose whole suite fails.
void add_whole_suites(Findings& findings, std::string_view log) {
  for (const auto& [label, text] : logs_by_derivation(log))
    for (auto& failure : findings.failures)
      if (label == failure.drv)
        failure.nothing_passed = nothing_passed(text);
}

/// Whether Nix says that some build failed.
bool has_failed_build(std::string_view log) {
  struct Watch final : LogSink {
    bool failed = false;
    void on_line(const LogLine& /*line*/) override {}
    void on_outcome(const Outcome& /*outcome*/) override { failed = true; }
  } watch;
  LogReader reader(watch);
  reader.feed(log);
  reader.finish();
  return watch.failed;
}

/// Splits a build's log; see logs_by_derivation.
class Splitter final : public LogSink {
 public:
  void on_line(const LogLine& line) override {
    if (line.origin != Origin::builder || line.stream == 0)
      return;
    std::string& text = logs_[line.stream];
    text += line.text;
    text += '\n';
  }
  const std::map<std::size_t, std::string>& logs() const { return logs_; }

 private:
  std::map<std::size_t, std::string> logs_;
};

}  // namespace

Findings findings_of_build(const RuleSet& rules, std::string_view log,
                           nix::Store& store,
                           const std::vector<std::string>& roots) {
  Findings findings;
  findings.diagnoses = diagnose(rules, log);
  for (auto& diagnosis : findings.diagnoses) {
    const std::string drv = resolve(diagnosis.derivation, store, roots);
    if (!drv.empty())
      diagnosis.derivation = drv;
    if (!drv.empty() || diagnosis.severity == Severity::environment)
      sort_into(findings, diagnosis, drv);
  }
  add_consequences(findings);
  add_whole_suites(findings, log);
  return findings;
}

Findings findings_of_evaluation(const RuleSet& rules, std::string_view log) {
  Findings findings;
  findings.diagnoses = diagnose(rules, log);
  for (const auto& diagnosis : findings.diagnoses)
    sort_into(findings, diagnosis, "");
  return findings;
}

Findings findings_of_check(const RuleSet& rules, std::string_view log,
                           nix::Store& store,
                           const std::vector<std::string>& roots) {
  std::string culprit;
  auto paths = nix::store_paths(log);
  for (auto path = paths.rbegin(); path != paths.rend() && culprit.empty();
       ++path)
    culprit = store.maker_of_output(roots, *path).value_or("");
  // nix-shell may have built its own shell first, in a new store; what follows
  // that builder's lines is the command's all the same.
  const bool ran = !has_failed_build(log);
  Findings findings;
  findings.diagnoses = diagnose(rules, log);
  for (auto& diagnosis : findings.diagnoses) {
    if (ran || resolve(diagnosis.derivation, store, roots).empty())
      diagnosis.derivation = culprit;
    sort_into(findings, diagnosis, diagnosis.derivation);
  }
  add_consequences(findings);
  return findings;
}

std::vector<std::pair<std::string, std::string>> logs_by_derivation(
    std::string_view log) {
  Splitter splitter;
  LogReader reader(splitter);
  reader.feed(log);
  reader.finish();
  std::vector<std::pair<std::string, std::string>> logs;
  for (const auto& [stream, text] : splitter.logs())
    logs.emplace_back(reader.stream(stream).label, text);
  return logs;
}

}  // namespace autopin
