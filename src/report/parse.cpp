#include "report/parse.h"

#include <array>
#include <ctime>
#include <stdexcept>

#include "base/error.h"

namespace autopin::report {
namespace {

std::string text(const Json& json, const char* key) {
  return json.at(key).get<std::string>();
}

[[noreturn]] void fail(const std::string& why) {
  throw std::invalid_argument(why);
}

std::chrono::system_clock::time_point time_from(const std::string& text) {
  std::tm fields{};
  const char* rest = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &fields);
  if (rest == nullptr || rest[0] != '.' || std::string_view(rest).size() != 5)
    fail("no time: " + text);
  return std::chrono::system_clock::from_time_t(::timegm(&fields)) +
         std::chrono::milliseconds(std::stoi(rest + 1));
}

Severity severity_from(const std::string& name) {
  for (const Severity one : {Severity::cause, Severity::consequence,
                             Severity::environment, Severity::undetermined}) {
    Diagnosis probe;
    probe.severity = one;
    if (json_of(probe).at("severity") == name)
      return one;
  }
  fail("no severity: " + name);
}

Diagnosis diagnosis_from(const Json& json) {
  Diagnosis diagnosis;
  diagnosis.kind = text(json, "kind");
  diagnosis.params = json.at("params").get<Params>();
  diagnosis.derivation = text(json, "derivation");
  diagnosis.phase = text(json, "phase");
  for (const Json& line : json.at("lines"))
    diagnosis.lines.push_back(
        {line.at("number").get<long>(), text(line, "text")});
  diagnosis.rule = text(json, "rule");
  diagnosis.severity = severity_from(text(json, "severity"));
  diagnosis.fixes = json.at("fixes").get<std::vector<std::string>>();
  diagnosis.why = text(json, "why");
  diagnosis.cure = text(json, "cure");
  return diagnosis;
}

Failure failure_from(const Json& json) {
  Failure failure{text(json, "derivation"), {}, text(json, "log")};
  for (const Json& diagnosis : json.at("diagnoses"))
    failure.diagnoses.push_back(diagnosis_from(diagnosis));
  return failure;
}

}  // namespace

Round round_from(const Json& json) {
  Round round;
  round.number = json.at("number").get<int>();
  const std::string outcome = text(json, "outcome");
  bool known = false;
  for (const RoundOutcome one : {RoundOutcome::failed, RoundOutcome::green,
                                 RoundOutcome::check_failed}) {
    if (name_of(one) == outcome) {
      round.outcome = one;
      known = true;
    }
  }
  if (!known)
    fail("no outcome of a round: " + outcome);
  round.started = time_from(text(json, "started"));
  round.seconds = json.at("seconds").get<double>();
  for (const Json& failure : json.at("failures"))
    round.failures.push_back(failure_from(failure));
  return round;
}

Step step_from(const Json& json) {
  Step step;
  step.number = json.at("number").get<int>();
  step.round = json.at("round").get<int>();
  step.failure = diagnosis_from(json.at("failure"));
  step.fix = text(json, "fix");
  const auto risk = risk_named(text(json, "risk"));
  if (!risk)
    fail("no risk: " + text(json, "risk"));
  step.risk = *risk;
  step.summary = text(json, "summary");
  step.why = text(json, "why");
  for (const Json& other : json.at("alternatives"))
    step.alternatives.push_back({text(other, "fix"), text(other, "why_not")});
  for (const Json& from : json.at("provenance"))
    step.provenance.push_back(
        {text(from, "index"), text(from, "file"), text(from, "hash")});
  step.weakens = json.at("weakens").get<std::vector<std::string>>();
  step.drv_before = text(json, "drv_before");
  step.drv_after = text(json, "drv_after");
  for (const Json& change : json.at("changed_derivations"))
    step.changed.push_back(
        {text(change, "name"), text(change, "before"), text(change, "after")});
  step.seconds = json.at("seconds").get<double>();
  step.taken_back = text(json, "taken_back");
  step.diff = text(json, "diff");
  return step;
}

PatchLog log_from(const Json& json) {
  if (json.at("schema") != 1)
    fail("schema " + json.at("schema").dump() + " is not known here");
  PatchLog log;
  log.autopin = text(json, "autopin");
  log.nix = text(json, "nix");
  log.system = text(json, "system");
  log.draft = text(json, "draft");
  log.outcome = text(json, "outcome");
  log.exit_code = json.at("exit_code").get<int>();
  log.message = text(json, "message");
  log.started = time_from(text(json, "started"));
  log.seconds = json.at("seconds").get<double>();
  log.builds = json.at("totals").at("builds").get<int>();
  log.failing_builds = json.at("totals").at("failing_builds").get<int>();
  for (const Json& round : json.at("rounds"))
    log.rounds.push_back(round_from(round));
  for (const Json& step : json.at("steps"))
    log.steps.push_back(step_from(step));
  log.learned = json.at("learned").get<std::vector<std::string>>();
  log.diff = text(json, "diff");
  return log;
}

PatchLog from_json(std::string_view json) {
  try {
    return log_from(Json::parse(json));
  } catch (const std::exception& error) {
    throw Error("cannot read", "the patch log", error.what());
  }
}

}  // namespace autopin::report
