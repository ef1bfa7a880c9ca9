#pragma once
// The patch log: what a run saw, did and why, as one value. log.json is this
// value written down (log.schema.json is its published form); every other file
// of the log folder is a view of it (views.h).

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/risk.h"
#include "log/diagnosis.h"

namespace autopin::report {

/// One failing derivation of a round.
struct Failure {
  std::string derivation;
  std::vector<Diagnosis> diagnoses;  ///< Causes first.
  std::string log;  ///< The log's file in the log folder, as keep_log gave it.
};

enum class RoundOutcome { failed, green, check_failed };

struct Round {
  int number = 0;  ///< From 1.
  RoundOutcome outcome = RoundOutcome::failed;
  std::chrono::system_clock::time_point started;
  double seconds = 0;
  std::vector<Failure> failures;
};

/// A fix that was considered and not taken.
struct Alternative {
  std::string fix;
  std::string why_not;
};

/// Where a version or a hash came from.
struct Provenance {
  std::string index;  ///< URL, without credentials.
  std::string file;
  std::string hash;  ///< "sha256-…", or "" where the index gave none.
};

struct DerivationChange {
  std::string name;  ///< "html5lib-0.9999999"
  std::string before;
  std::string after;
};

struct Step {
  int number = 0;  ///< From 1.
  int round = 0;
  Diagnosis failure;
  std::string fix;  ///< Kebab-case id.
  Risk risk = Risk::exact;
  std::string
      summary;  ///< "pin html5lib to 0.9999999": one line, no full stop.
  std::string why;
  std::vector<Alternative> alternatives;
  std::vector<Provenance> provenance;
  std::string diff;  ///< Unified, against the state before this step.
  std::string drv_before;
  std::string drv_after;
  std::vector<DerivationChange> changed;
  /// What is checked no more, each as a person would say it.
  std::vector<std::string> weakens;
  double seconds = 0;
  /// Empty: the step stands. Else why it was taken back.
  std::string taken_back;
};

struct PatchLog {
  std::string autopin;  ///< Version.
  std::string nix;      ///< Version.
  std::string system;
  std::string draft;  ///< File name of the entry; no folder of this machine.
  std::chrono::system_clock::time_point started;
  double seconds = 0;
  /// "running" until the run ends; see log.schema.json for the words.
  std::string outcome = "running";
  int exit_code = 0;
  std::string message;  ///< What was said at the end, and what to do next.
  std::vector<Round> rounds;
  std::vector<Step> steps;
  std::vector<std::string> learned;
  int builds = 0;          ///< Commands that build, run so far.
  int failing_builds = 0;  ///< Of those, with an exit code other than 0.
  std::string diff;        ///< Of all steps that stand, against the draft.
};

std::string_view name_of(RoundOutcome outcome);

/// Steps that were not taken back.
std::vector<const Step*> standing_steps(const PatchLog& log);

/// log.json, with a line end.
std::string to_json(const PatchLog& log);
/// Throws Error where `json` is no patch log of a schema we know.
PatchLog from_json(std::string_view json);

}  // namespace autopin::report
