#pragma once
// What changed between two states of a draft, as `git apply` takes it.

#include <string>

#include "nix/draft.h"

namespace autopin {

/// Unified diff of all files that differ, by their names from the entry on.
std::string diff_between(const nix::Draft& before, const nix::Draft& after);

/// The same against the draft as it was on disk.
std::string diff_from_original(const nix::Draft& draft);

}  // namespace autopin
