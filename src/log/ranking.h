#pragma once
// From all that matched to the answer: whose failure each finding is, which of
// them repeat or only follow from others, and in which order a person (or the
// loop) should look at them.

#include <string>
#include <vector>

#include "log/diagnosis.h"
#include "log/finding.h"
#include "log/log_reader.h"
#include "log/rule_set.h"

namespace autopin {

/// Something that a rule found and that is no cause of the failure: dropped, or
/// a consequence. For people who ask why.
struct RankingNote {
  std::string rule;
  std::string kind;
  std::string derivation;
  long number = 0;  ///< Of the line.
  std::string why;
};

/// `notes`, where given, is set to what did not become a cause.
std::vector<Diagnosis> rank_findings(const RuleSet& rules,
                                     const LogReader& reader,
                                     std::vector<Finding> findings,
                                     const std::vector<Outcome>& outcomes,
                                     std::vector<RankingNote>* notes = nullptr);

}  // namespace autopin
