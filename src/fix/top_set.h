#pragma once
// Questions to the whole package set of a draft (`pkgs`).

#include <optional>
#include <string>
#include <vector>

#include "fix/situation.h"

namespace autopin::fix {

/// Expressions of the draft that are the whole set. (A Python set holds much of
/// what the whole set does, and is none.)
std::vector<const nix::Node*> top_sets(const Situation& situation);

/// Which of the attributes (dotted paths allowed) the set has and can
/// evaluate to a derivation, in the order given. Empty where the draft has no
/// expression that is the set.
std::vector<std::string> attributes_of_top(
    const Situation& situation, const std::vector<std::string>& names);

/// Whether mkDerivation takes the builder's variables as `env` (nixpkgs since
/// 22.11), as far as the draft's sets can be asked.
bool builders_take_env(const Situation& situation);

/// The .drv of each attribute, "" where it has none.
std::vector<std::string> drvs_of_top(const Situation& situation,
                                     const std::vector<std::string>& names);

}  // namespace autopin::fix
