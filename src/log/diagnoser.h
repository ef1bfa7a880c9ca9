#pragma once
// Says why a build failed: reads a log once, in any layout, with all rules at
// once, and ranks what it found, causes before consequences.

#include <memory>
#include <string_view>
#include <vector>

#include "log/diagnosis.h"
#include "log/log_reader.h"
#include "log/ranking.h"
#include "log/rule_set.h"

namespace autopin {

/// Takes a log in pieces. Memory does not grow with the log. `rules` outlives
/// it.
class Diagnoser {
 public:
  explicit Diagnoser(const RuleSet& rules);
  ~Diagnoser();
  Diagnoser(const Diagnoser&) = delete;
  Diagnoser& operator=(const Diagnoser&) = delete;

  void feed(std::string_view bytes);
  /// Physical lines read so far.
  long line_count() const;

  /// The answer: environment first, then causes, what the log does not explain
  /// (`undetermined`), and consequences last.
  /// `notes`, where given, is set to what was found besides, and why it is no
  /// cause.
  std::vector<Diagnosis> finish(std::vector<RankingNote>* notes = nullptr);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The whole of a log at once.
std::vector<Diagnosis> diagnose(const RuleSet& rules, std::string_view log);

}  // namespace autopin
