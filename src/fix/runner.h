#pragma once
// How a package's tests are run, as its derivation says: that decides in which
// words a test is left out.

#include <optional>
#include <string>
#include <vector>

#include "fix/change.h"
#include "fix/situation.h"

namespace autopin::fix {

struct Runner {
  bool python = false;
  bool pytest_hook = false;
  bool pytest = false;
  bool deselects = false;  ///< pytest has --deselect (3.3, 2017).
  std::string hook = "preCheck";
};

Runner runner_of(const Situation& situation, const std::string& drv);

/// The hook that runs before a Python package's tests, whoever runs them.
std::string hook_before_tests(const Situation& situation,
                              const std::string& drv);

/// Leaves tests out by the flags of a runner that is no Python one: cargo's
/// `--skip=`, Go's `-skip`. Nothing where the package has none of them, or a
/// name could not be one of its tests.
std::optional<DerivationChange> skip_by_flags(
    const Situation& situation, const std::string& drv,
    const std::vector<std::string>& tests, const std::string& comment);

}  // namespace autopin::fix
