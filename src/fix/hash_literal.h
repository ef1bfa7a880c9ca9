#pragma once
// Hashes as a draft writes them: which attribute they are given as, and how
// that spells a placeholder.

#include <string>

#include "fix/fix.h"

namespace autopin::fix {

/// Name of the attribute that a value is bound to, "" where to none.
std::string bound_to(const nix::Source& source, nix::ExprId id);

/// True for `hash`, `sha256`, `cargoSha256`, `outputHash`, …
bool names_hash(const std::string& attribute);

/// True where the attribute takes SRI, and not base 32 alone.
bool takes_sri(const std::string& attribute);

/// True for a hash of zeros: what Nix itself and lib.fakeHash mean by one that
/// nobody knows yet.
bool is_placeholder(const std::string& raw);

/// The state asks for a download of that hash, and no longer for `drv`.
Check asks_for_hash(const std::string& drv, const std::string& raw);

}  // namespace autopin::fix
