#include "log/diagnosis_json.h"

#include <nlohmann/json.hpp>

namespace autopin {

namespace {

using nlohmann::ordered_json;

ordered_json to_object(const RuleSet& rules, const Diagnosis& diagnosis) {
  ordered_json object;
  object["kind"] = diagnosis.kind;
  ordered_json params = ordered_json::object();
  for (const auto& [name, values] : diagnosis.params) {
    const bool list = rules.param_type(diagnosis.kind, name) == ParamType::list;
    if (list || values.size() > 1)
      params[name] = values;
    else if (!values.empty())
      params[name] = values.front();
  }
  object["params"] = std::move(params);
  if (diagnosis.derivation.empty())
    object["derivation"] = nullptr;
  else
    object["derivation"] = diagnosis.derivation;
  if (diagnosis.phase.empty())
    object["phase"] = nullptr;
  else
    object["phase"] = diagnosis.phase;
  object["rule"] = diagnosis.rule;
  object["severity"] = severity_word(diagnosis.severity);
  ordered_json lines = ordered_json::array();
  for (const EvidenceLine& line : diagnosis.lines)
    lines.push_back({{"number", line.number}, {"text", line.text}});
  object["lines"] = std::move(lines);
  object["why"] = diagnosis.why;
  object["cure"] = diagnosis.cure;
  object["fixes"] = diagnosis.fixes;
  return object;
}

}  // namespace

std::string_view severity_word(Severity severity) {
  switch (severity) {
    case Severity::cause:
      return "cause";
    case Severity::consequence:
      return "consequence";
    case Severity::environment:
      return "environment";
    case Severity::undetermined:
      break;
  }
  return "undetermined";
}

std::string diagnosis_to_json(const RuleSet& rules,
                              const Diagnosis& diagnosis) {
  return to_object(rules, diagnosis).dump();
}

std::string diagnoses_to_json(const RuleSet& rules,
                              const std::vector<Diagnosis>& diagnoses) {
  ordered_json document;
  document["schema"] = 1;
  document["diagnoses"] = ordered_json::array();
  for (const Diagnosis& diagnosis : diagnoses)
    document["diagnoses"].push_back(to_object(rules, diagnosis));
  return document.dump(2) + "\n";
}

}  // namespace autopin
