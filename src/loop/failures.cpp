#include "loop/failures.h"

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
    findings.failures.push_back({diagnosis, drv, {}, 1});
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
  Findings findings;
  findings.diagnoses = diagnose(rules, log);
  for (auto& diagnosis : findings.diagnoses) {
    if (resolve(diagnosis.derivation, store, roots).empty())
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
