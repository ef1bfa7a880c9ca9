#pragma once
// From what a log says to what is to be fixed: each cause tied to a derivation
// of this state.

#include <string>
#include <string_view>
#include <vector>

#include "fix/fix.h"
#include "log/diagnoser.h"
#include "nix/build.h"
#include "nix/store.h"

namespace autopin {

/// What one build or evaluation told.
struct Findings {
  std::vector<Diagnosis> diagnoses;    ///< All, ranked.
  std::vector<fix::Failure> failures;  ///< Causes that fixes can be sought for.
  std::vector<Diagnosis> environment;  ///< What stops the loop.
};

/// Of a build's log. `roots` are the drvs that were built.
Findings findings_of_build(const RuleSet& rules, std::string_view log,
                           nix::Store& store,
                           const std::vector<std::string>& roots);

/// Of the evaluator's message.
Findings findings_of_evaluation(const RuleSet& rules, std::string_view log);

/// Of a command that ran with the result: what it complains of belongs to the
/// package whose file stands last in its words.
Findings findings_of_check(const RuleSet& rules, std::string_view log,
                           nix::Store& store,
                           const std::vector<std::string>& roots);

/// The log of each builder by itself: .drv (or name) -> text.
std::vector<std::pair<std::string, std::string>> logs_by_derivation(
    std::string_view log);

}  // namespace autopin
