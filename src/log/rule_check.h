#pragma once
// Proves a rule set by its own samples, so that a new rule needs no C++ and no
// test file: what a sample shows is what a log will give.

#include <string>
#include <vector>

#include "log/rule_set.h"

namespace autopin {

struct RuleProblem {
  std::string rule;
  std::string what;  ///< One sentence: what is wrong and what would help.
};

/// Every pattern matches a sample of its rule; every positive sample gives a
/// diagnosis of its kind with the params that it lists, and by its own rule;
/// no negative sample does; no sample is matched by two rules of one rank that
/// give different kinds unless one explains or overrides the other, and none is
/// answered by other rules alone without one of them saying so; kinds and
/// params are documented, and a sample leads to each kind; nothing is left
/// TODO. That a rule offers a fix that is not among `fixes` is told and not
/// fatal.
std::vector<RuleProblem> check_rules(const RuleSet& rules);

}  // namespace autopin
