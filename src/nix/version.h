#pragma once
// Which Nix this is. autopin uses the old commands only, which all of 2.3 to
// 2.34 have; the few differences that matter hang on the version.

#include <optional>
#include <string>
#include <string_view>

#include "io/world.h"

namespace autopin::nix {

struct NixVersion {
  int major = 0;
  int minor = 0;
  std::string text;  ///< "2.8.0", "2.26.3-dirty"
  bool operator==(const NixVersion&) const = default;
  bool at_least(int other_major, int other_minor) const {
    return major != other_major ? major > other_major : minor >= other_minor;
  }
};

/// From "nix-instantiate (Nix) 2.8.0" (also "(Lix, like Nix) 2.91.1").
std::optional<NixVersion> parse_nix_version(std::string_view text);

/// Throws Error where nix-instantiate is not there, or is older than 2.3.
NixVersion nix_version(World& world);

}  // namespace autopin::nix
