#pragma once
// The JSON that the patch log, `suggest` and `diagnose` have in common.

#include <nlohmann/json.hpp>

#include "report/patch_log.h"

namespace autopin::report {

using Json = nlohmann::ordered_json;

/// {"kind", "params", "derivation", "phase", "rule", "severity", "why", "cure",
/// "lines", "fixes"}
Json json_of(const Diagnosis& diagnosis);
Json json_of(const Round& round);
Json json_of(const Step& step);
Json json_of(const PatchLog& log);

/// Bytes as a JSON string; what is no UTF-8 is replaced.
std::string dump(const Json& json, int indent = -1);

}  // namespace autopin::report
