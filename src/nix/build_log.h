#pragma once
// The logs that the store keeps of builds, and whose they are: by .drv, by
// output, or by what a flake calls it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/world.h"
#include "nix/store.h"

namespace autopin::nix {

/// "/nix/store/HASH-NAME" where `path` is in a store, or is a link that ends
/// there; without the output that Nix may put behind ("!dev", "^out") and
/// without what lies below. Nothing for other paths.
std::optional<std::string> store_path_of(std::string_view path);

/// The log of the last build of a derivation, by its .drv or a valid output.
std::optional<std::string> build_log(World& world, const std::string& path);

/// The .drv that makes an output, valid or not; nothing where the store has
/// none.
std::optional<std::string> maker_of(World& world, Store& store,
                                    const std::string& output);

/// The .drv of a flake's output ("nixpkgs#hello"). Throws Error with Nix's
/// words where there is none.
std::string flake_derivation(World& world, const std::string& installable);

/// What `drv` needs, directly or not, that is not built and of which the store
/// has a log: where a build of `drv` stopped. Nearest to `drv` last.
std::vector<std::string> stopped_at(World& world, Store& store,
                                    const std::string& drv);

}  // namespace autopin::nix
