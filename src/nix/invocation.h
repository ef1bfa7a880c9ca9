#pragma once
// What the user asked for, in the words of nix-build and nix-shell. Kept apart
// from how it is run: evaluation and building take different halves of it.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace autopin::nix {

/// Where the link to the result goes, as nix-build has it.
struct OutLink {
  bool wanted = true;
  /// -o; relative to the user's folder.
  std::filesystem::path path = "result";
};

struct Invocation {
  /// Where the user stands: what relative flags, -E and out-links refer to.
  std::filesystem::path folder;
  /// The draft's file, absolute. Empty where `expression` is the draft.
  std::filesystem::path entry;
  /// -E, or the text that -p makes (see shell_draft in build.h).
  std::optional<std::string> expression;
  /// -A, in order; none means the value itself.
  std::vector<std::string> attributes;
  /// Passed to every evaluation as they are, in order: -I, --arg, --argstr,
  /// --option, --show-trace, …
  std::vector<std::string> evaluation_flags;
  /// Passed to every build: -j, --cores, -k, -K, --builders, --store, …
  /// (--option and --store belong in both).
  std::vector<std::string> build_flags;
  OutLink out_link;
  /// As nix-shell evaluates: IN_NIX_SHELL is set and `inNixShell` is given to a
  /// function that takes it (nix-shell(1)).
  bool in_nix_shell = false;
  /// Absolute, outside every folder that the draft takes as a source: copies of
  /// changed files and GC roots live here until the run ends.
  std::filesystem::path state_folder;
};

}  // namespace autopin::nix
