#pragma once
// What the tests of the log module share: the shipped rules, loaded once, and
// short forms for what they look at.

#include <string>
#include <vector>

#include "log/diagnoser.h"
#include "log/log_reader.h"

namespace autopin::testing {

inline const RuleSet& shipped_rules() {
  static const RuleSet rules =
      load_rules({std::string(AUTOPIN_SOURCE_DIR) + "/rules"});
  return rules;
}

inline std::vector<Diagnosis> read(std::string_view log) {
  return diagnose(shipped_rules(), log);
}

inline std::string kinds(const std::vector<Diagnosis>& diagnoses) {
  std::string text;
  for (const Diagnosis& diagnosis : diagnoses)
    text += (text.empty() ? "" : " ") + diagnosis.kind;
  return text;
}

/// Keeps what the reader said: "phase|label|text" for each line.
class Recorder : public LogSink {
 public:
  Recorder() : reader(*this) {}

  void on_line(const LogLine& line) override {
    const LogStream& stream = reader.stream(line.stream);
    lines.push_back(stream.phase + "|" + stream.label + "|" +
                    std::string(line.text));
    origins.push_back(line.origin);
    numbers.push_back(line.number);
    redrawn.push_back(line.redrawn);
  }
  void on_outcome(const Outcome& outcome) override {
    outcomes.push_back(outcome);
  }

  LogReader reader;
  std::vector<std::string> lines;
  std::vector<Origin> origins;
  std::vector<long> numbers;
  std::vector<bool> redrawn;
  std::vector<Outcome> outcomes;
};

}  // namespace autopin::testing
