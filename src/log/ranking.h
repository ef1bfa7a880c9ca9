#pragma once
// From all that matched to the answer: whose failure each finding is, which of
// them repeat or only follow from others, and in which order a person (or the
// loop) should look at them.

#include <vector>

#include "log/diagnosis.h"
#include "log/finding.h"
#include "log/log_reader.h"
#include "log/rule_set.h"

namespace autopin {

std::vector<Diagnosis> rank_findings(const RuleSet& rules,
                                     const LogReader& reader,
                                     std::vector<Finding> findings,
                                     const std::vector<Outcome>& outcomes);

}  // namespace autopin
