#pragma once
// Unified diffs, read: what a patch would do, and whether a tree has that
// already. The format is that of POSIX diff -u; git's extra headers are passed
// over.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace autopin {

struct PatchedFile {
  /// Path after the strip count; "" where the patch makes or removes the file.
  std::string before;
  std::string after;
  /// For each hunk the lines that are there once it is applied.
  std::vector<std::vector<std::string>> hunks;
};

/// Nothing where it is no patch, or one that cannot be read: binary hunks,
/// renames, paths that leave the tree.
std::optional<std::vector<PatchedFile>> parse_patch(std::string_view text,
                                                    int strip);

/// Whether the file's text is what the patch makes of it: all hunks stand there
/// as applied, in order. `text` is nothing where there is no such file.
bool is_applied(const PatchedFile& file,
                const std::optional<std::string>& text);

}  // namespace autopin
