#pragma once
// Unified diffs, as `git apply` and patch(1) take them: every step of a run is
// handed over as one.

#include <string>
#include <string_view>

namespace autopin {

/// Empty where the texts are the same. Names go into the `---` and `+++` lines
/// as they are ("a/draft.nix", "/dev/null"), quoted as git does where they hold
/// odd bytes. Three lines of context; line ends, also a missing last one and
/// CR LF, are kept.
std::string unified_diff(std::string_view old_text, std::string_view new_text,
                         std::string_view old_name, std::string_view new_name);

}  // namespace autopin
