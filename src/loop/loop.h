#pragma once
// The fixpoint: evaluate, build, diagnose, plan, edit, again, until the build
// (and the check) is green or there is a reason to stop. State is the text of
// the draft; nothing on disk changes before the end.

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/exit_code.h"
#include "fix/situation.h"
#include "log/rule_set.h"
#include "loop/failures.h"
#include "loop/planner.h"
#include "nix/build.h"
#include "nix/evaluator.h"
#include "report/log_folder.h"
#include "report/progress.h"

namespace autopin {

struct LoopOptions {
  int max_rounds = 20;
  /// Of the whole run; zero: none.
  std::chrono::milliseconds timeout{0};
  Policy policy;
  /// A shell command that must succeed in an environment with the result.
  std::optional<std::string> check;
};

struct LoopEnd {
  ExitCode code = ExitCode::green;
  std::string message;  ///< What happened and what to do next.
  nix::Draft draft;     ///< The last state.
  std::vector<std::string> roots;
  nix::BuildResult build;  ///< The last one.
  bool shell = false;
  bool edited() const { return code == ExitCode::green && draft.changed(); }
};

class Loop {
 public:
  Loop(fix::Parts parts, const RuleSet& rules, LoopOptions options,
       report::Progress& progress, report::LogFolder& log);

  LoopEnd run();

 private:
  struct State {
    nix::Draft draft;
    std::vector<std::string> roots;
    std::vector<std::string> targets;
  };
  /// What a round began with and did, for taking it back.
  struct Past {
    State before;
    std::vector<fix::Failure> failures;
    std::vector<report::Step> steps;
    std::vector<std::string> step_keys;
  };

  std::optional<LoopEnd> start();
  std::optional<LoopEnd> round(int number);
  std::optional<LoopEnd> build(int number, report::Round& told,
                               Findings& findings);
  std::optional<LoopEnd> check(report::Round& told, Findings& findings);
  std::optional<LoopEnd> go_on(int number, const Findings& findings);
  bool take_back(const Findings& findings);
  std::optional<LoopEnd> advance(int number,
                                 const std::vector<fix::Failure>& failures);
  LoopEnd stop(ExitCode code, std::string message) const;
  LoopEnd stop_unfixed(const std::vector<Unfixed>& unfixed) const;
  LoopEnd stop_evaluation(const Findings& findings, const std::string& log);
  void tell_failures(report::Round& told, const Findings& findings,
                     std::string_view log);
  std::chrono::milliseconds time_left() const;
  bool out_of_time() const;

  fix::Parts parts_;
  const RuleSet& rules_;
  LoopOptions options_;
  report::Progress& progress_;
  report::LogFolder& log_;
  Planner planner_;
  nix::Builder builder_;
  State state_;
  std::vector<Past> past_;
  std::set<std::string> seen_;
  nix::BuildResult last_build_;
  bool shell_ = false;
  int steps_ = 0;
  std::chrono::system_clock::time_point started_;
};

}  // namespace autopin
