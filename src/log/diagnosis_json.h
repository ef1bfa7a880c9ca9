#pragma once
// The JSON form of diagnoses (schema 1), which other programs read: `diagnose
// --json`, `suggest --json` and the patch log hold the same objects.

#include <string>
#include <vector>

#include "log/diagnosis.h"
#include "log/rule_set.h"

namespace autopin {

std::string_view severity_word(Severity severity);

/// One diagnosis as a JSON object. List params are arrays, others strings.
std::string diagnosis_to_json(const RuleSet& rules, const Diagnosis& diagnosis);

/// {"schema": 1, "diagnoses": […]}, indented, with a newline at the end.
std::string diagnoses_to_json(const RuleSet& rules,
                              const std::vector<Diagnosis>& diagnoses);

}  // namespace autopin
