#pragma once
// How diagnoses look to a person on a terminal and to a pull request.

#include <string>
#include <vector>

#include "cli/diagnose.h"
#include "log/diagnosis.h"
#include "log/rule_set.h"

namespace autopin {

/// One paragraph per diagnosis: what, where, the lines that prove it, the cure.
std::string diagnoses_to_text(const RuleSet& rules,
                              const std::vector<Diagnosis>& diagnoses,
                              const DiagnoseOptions& options);

/// Workflow commands that GitHub shows beside the changes.
std::string github_annotations(const std::vector<Diagnosis>& diagnoses);

}  // namespace autopin
