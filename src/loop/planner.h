#pragma once
// One round's planning: from the failures of a state to the next state. Each
// proposal is tried on a copy: it must parse, evaluate, and show in the
// derivation that comes out; else it is dropped and the next one is tried.

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/risk.h"
#include "fix/fix.h"
#include "report/patch_log.h"

namespace autopin {

struct Policy {
  std::set<Risk> denied;
  /// `permits` is refused unless it is named here.
  std::set<Risk> allowed;
  fix::Permissions permissions;

  /// Why a risk may not be taken, or nothing.
  std::optional<std::string> objection(Risk risk) const;
};

/// Why nothing was done about a failure.
struct Unfixed {
  fix::Failure failure;
  std::vector<fix::WhyNot> why_not;
  bool refused() const;
};

struct Planned {
  nix::Draft draft;                ///< The state after the steps.
  std::vector<std::string> roots;  ///< Its drvs.
  std::vector<std::string> targets;
  std::vector<report::Step> steps;
  /// Proposal and failure of each step, for taking back.
  std::vector<std::string> step_keys;
  std::vector<Unfixed> unfixed;
};

/// Tells a failure from others across rounds: the package, not the hash of its
/// derivation; the kind; the params.
std::string signature_of(const fix::Failure& failure);

class Planner {
 public:
  using Told = std::function<void(std::string_view)>;

  Planner(fix::Parts parts, Policy policy, Told busy)
      : parts_(std::move(parts)),
        policy_(std::move(policy)),
        busy_(std::move(busy)) {}

  /// A proposal that did not help is not made again.
  void ban(const std::string& step_key) { banned_.insert(step_key); }

  /// Fixes what can be fixed, one failure after the other. `first_step` and
  /// `round` number the steps.
  Planned plan(const nix::Draft& draft, const std::vector<std::string>& roots,
               const std::vector<std::string>& targets,
               std::vector<fix::Failure> failures, int first_step, int round);

 private:
  struct Trial {
    nix::Draft draft;
    nix::Instantiated made;
    std::unique_ptr<fix::Situation> situation;
  };
  std::optional<Trial> attempt(const fix::Situation& before,
                               const fix::Proposal& proposal,
                               std::string& why_not);
  bool fix_one(fix::Failure failure, Planned& planned,
               std::unique_ptr<fix::Situation>& situation, int step, int round);

  fix::Parts parts_;
  Policy policy_;
  Told busy_;
  std::set<std::string> banned_;
};

}  // namespace autopin
