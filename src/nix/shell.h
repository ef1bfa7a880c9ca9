#pragma once
// Shells: drafts that nix-shell enters. Under nix-build they fail by design, so
// what is built of them is what nix-shell would: their inputs.

#include <optional>
#include <string>
#include <vector>

#include "nix/derivation.h"
#include "nix/draft.h"

namespace autopin::nix {

/// Why `drv` is a shell, which is entered and not built ("mkShell makes it",
/// …), or nothing.
std::optional<std::string> shell_reason(const Derivation& drv);

/// What nix-shell realises for a derivation: its inputs with their outputs
/// (nix-build/nix-build.cc: pathsToBuild).
std::vector<std::string> shell_inputs(const Derivation& drv);

/// Whether the draft looks at nix-shell at all (inNixShell, IN_NIX_SHELL): then
/// it is to be evaluated as nix-shell does (Invocation::in_nix_shell) to see
/// whether that makes another derivation.
bool asks_for_nix_shell(const Draft& draft);

/// The draft that `nix-shell -p A B` makes (nix-build/nix-build.cc), on lines.
std::string shell_draft(const std::vector<std::string>& packages);

}  // namespace autopin::nix
