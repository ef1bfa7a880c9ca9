#pragma once
// Green is not the end: a command of the user's in an environment with what
// was built, since some failures show only when the result is used.

#include <chrono>
#include <string>
#include <vector>

#include "fix/situation.h"
#include "nix/build.h"

namespace autopin {

/// Runs `command` by nix-shell: in the shell that the draft is, or in one that
/// has the results among its inputs.
CommandResult run_check(const fix::Parts& parts, const std::string& command,
                        const std::vector<std::string>& roots,
                        const nix::BuildResult& build, bool shell,
                        std::chrono::milliseconds timeout);

}  // namespace autopin
