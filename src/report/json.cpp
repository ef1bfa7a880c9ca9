#include "report/json.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/scrub.h"

namespace autopin::report {
namespace {

constexpr int schema = 1;
constexpr std::array<std::string_view, 4> severity_names{
    "cause", "consequence", "environment", "undetermined"};

double to_milliseconds(double seconds) {
  return std::round(seconds * 1000) / 1000;
}

/// RFC 3339, in UTC.
std::string text_of(std::chrono::system_clock::time_point time) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(
      time.time_since_epoch());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(ms);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::time_t{seconds.count()}),
                     (ms - seconds).count());
}

Json failure_json(const Failure& failure) {
  Json diagnoses = Json::array();
  for (const Diagnosis& diagnosis : failure.diagnoses)
    diagnoses.push_back(json_of(diagnosis));
  return {{"derivation", failure.derivation},
          {"diagnoses", diagnoses},
          {"log", failure.log}};
}

Json totals_of(const PatchLog& log) {
  Json risks = Json::object();
  const auto standing = standing_steps(log);
  for (const std::string_view name : risk_names)
    risks[std::string(name)] = std::count_if(
        standing.begin(), standing.end(),
        [&](const Step* step) { return name_of(step->risk) == name; });
  return {{"builds", log.builds},
          {"failing_builds", log.failing_builds},
          {"steps", standing.size()},
          {"taken_back", log.steps.size() - standing.size()},
          {"risk", risks}};
}

}  // namespace

Json json_of(const Diagnosis& diagnosis) {
  Json lines = Json::array();
  for (const EvidenceLine& line : diagnosis.lines)
    lines.push_back({{"number", line.number}, {"text", redact(line.text)}});
  return {{"kind", diagnosis.kind},
          {"params", diagnosis.params},
          {"derivation", diagnosis.derivation},
          {"phase", diagnosis.phase},
          {"rule", diagnosis.rule},
          {"severity",
           severity_names.at(static_cast<std::size_t>(diagnosis.severity))},
          {"why", diagnosis.why},
          {"cure", diagnosis.cure},
          {"lines", lines},
          {"fixes", diagnosis.fixes}};
}

Json json_of(const Round& round) {
  Json failures = Json::array();
  for (const Failure& failure : round.failures)
    failures.push_back(failure_json(failure));
  return {{"number", round.number},
          {"outcome", name_of(round.outcome)},
          {"started", text_of(round.started)},
          {"seconds", to_milliseconds(round.seconds)},
          {"failures", failures}};
}

Json json_of(const Step& step) {
  Json alternatives = Json::array();
  for (const Alternative& other : step.alternatives)
    alternatives.push_back({{"fix", other.fix}, {"why_not", other.why_not}});
  Json provenance = Json::array();
  for (const Provenance& from : step.provenance)
    provenance.push_back({{"index", redact(from.index)},
                          {"file", from.file},
                          {"hash", from.hash}});
  Json changes = Json::array();
  for (const DerivationChange& change : step.changed)
    changes.push_back({{"name", change.name},
                       {"before", change.before},
                       {"after", change.after}});
  return {{"number", step.number},
          {"round", step.round},
          {"rule", step.failure.rule},
          {"fix", step.fix},
          {"risk", name_of(step.risk)},
          {"summary", step.summary},
          {"why", step.why},
          {"failure", json_of(step.failure)},
          {"alternatives", alternatives},
          {"provenance", provenance},
          {"weakens", step.weakens},
          {"drv_before", step.drv_before},
          {"drv_after", step.drv_after},
          {"changed_derivations", changes},
          {"seconds", to_milliseconds(step.seconds)},
          {"taken_back", step.taken_back},
          {"diff", step.diff}};
}

Json json_of(const PatchLog& log) {
  Json rounds = Json::array();
  for (const Round& round : log.rounds)
    rounds.push_back(json_of(round));
  Json steps = Json::array();
  for (const Step& step : log.steps)
    steps.push_back(json_of(step));
  return {{"schema", schema},
          {"autopin", log.autopin},
          {"nix", log.nix},
          {"system", log.system},
          {"draft", log.draft},
          {"outcome", log.outcome},
          {"exit_code", log.exit_code},
          {"message", log.message},
          {"started", text_of(log.started)},
          {"seconds", to_milliseconds(log.seconds)},
          {"totals", totals_of(log)},
          {"rounds", rounds},
          {"steps", steps},
          {"learned", log.learned},
          {"diff", log.diff}};
}

std::string dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string to_json(const PatchLog& log) {
  return dump(json_of(log), 1) + "\n";
}

}  // namespace autopin::report
