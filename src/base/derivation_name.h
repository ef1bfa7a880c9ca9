#pragma once
// Derivations are named to people without the store's folder and hash.

#include <string>
#include <string_view>

namespace autopin {

/// The name in a store path: "/nix/store/<32 characters>-a-1.0.drv" and
/// "<32 characters>-a-1.0" give "a-1.0". A bare name is returned as it is.
std::string_view derivation_name(std::string_view path);

/// What stands before words about a failure: "a-1.0: ", and nothing where it
/// has no derivation, as one of the evaluation.
std::string derivation_prefix(std::string_view path);

}  // namespace autopin
