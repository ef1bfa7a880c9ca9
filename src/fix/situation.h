#pragma once
// What a fix may look at: the draft as it stands, which expression of it made
// which derivation, the store's graph, and questions to the evaluator. Nothing
// here changes anything.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fix/tables.h"
#include "log/diagnosis.h"
#include "nix/draft.h"
#include "nix/evaluator.h"
#include "nix/probe.h"
#include "nix/source.h"
#include "nix/store.h"
#include "python/index.h"

namespace autopin::fix {

/// One thing to be fixed: a diagnosis tied to a derivation of this state.
struct Failure {
  Diagnosis diagnosis;
  /// Its .drv in this state; "" where evaluation failed.
  std::string drv;
  /// What the log has of the same derivation that this explains: where the
  /// cause cannot be mended, what it led to (failing tests) perhaps can.
  std::vector<Diagnosis> consequences;
  /// True where a test run came to its end and not one test passed.
  bool nothing_passed = false;
  /// The run's number of the step that would fix it, for comments.
  int step = 1;
};

/// What outlives a state: parts of the run.
struct Parts {
  World& world;
  nix::Evaluator& evaluator;
  nix::Store& store;
  python::Index& index;
  const Tables& tables;
  /// Where downloaded files are put before they go into the store.
  std::filesystem::path download_folder;
  /// Whether a pin takes in what its own metadata will ask for next.
  bool look_ahead = true;
};

class Situation {
 public:
  /// `plain` are the drvs of the plain evaluation, none where that failed. The
  /// draft is probed when that is first asked for.
  Situation(Parts parts, nix::Draft draft, std::vector<std::string> plain);

  const Parts& parts() const { return parts_; }
  const nix::Draft& draft() const { return draft_; }
  const nix::ProbeResult& probe() const;
  /// What is to be built in this state: .drv paths.
  const std::vector<std::string>& roots() const { return roots_; }
  const nix::Source& source(const std::filesystem::path& file) const {
    return sources_.at(file);
  }
  nix::Store& store() const { return parts_.store; }

  /// Build closure of the roots.
  bool in_closure(const std::string& drv) const;

  /// Asks the evaluator for the value at a node; JSON text or nothing.
  std::optional<std::string> ask(const nix::Node& node,
                                 const std::string& function) const;

 private:
  Parts parts_;
  nix::Draft draft_;
  std::vector<std::string> roots_;
  std::map<std::filesystem::path, nix::Source> sources_;
  mutable std::optional<nix::ProbeResult> probe_;
  mutable std::optional<std::vector<std::string>> closure_;
  mutable std::map<std::string, std::optional<std::string>> answers_;
};

}  // namespace autopin::fix
