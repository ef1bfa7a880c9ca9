#pragma once
// Evaluating files from another place than their own. The texts of a draft as
// it stands in memory must mean what they will mean on disk: their own relative
// paths are made absolute, and where they name another file of the draft whose
// text is not the one on disk, they name its copy.

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "nix/draft.h"

namespace autopin::nix {

/// Which files of the draft each of them may lead to: by a literal (`./x.nix`,
/// or a folder with a default.nix), or by a computed path (`./pkgs + "/${n}"`,
/// `./pkgs/${n}.nix`) below whose literal start they lie.
std::map<std::filesystem::path, std::set<std::filesystem::path>> naming(
    const Draft& draft);

/// Files that naming does not reach from the entry.
std::vector<std::filesystem::path> unreachable_files(const Draft& draft);

/// Paths of local .nix files that literals in `text` name, whether or not they
/// are in a draft: where evaluation stopped early, this is what is known.
std::vector<std::filesystem::path> named_paths(
    const std::string& text, const std::filesystem::path& folder);

struct Relocated {
  /// The entry's text to evaluate; where `plain`, the file on disk is meant.
  bool plain = true;
  std::string entry_text;
  /// The entry's relative paths were left as they are: it must be evaluated
  /// from its own folder.
  bool from_own_folder = false;
  /// Copies to write: where, and the text.
  std::map<std::filesystem::path, std::string> copies;
  /// Copy -> the draft's file that it stands for.
  std::map<std::filesystem::path, std::filesystem::path> stands_for;
};

/// `texts` holds each file of the draft as it is to be evaluated; `differing`
/// are those whose text is not the one on disk. Copies are named inside
/// `folder`, and keep their base names, which `"${./x}"` puts into store paths.
/// `user_folder` is where the command will run.
Relocated relocate(const Draft& draft,
                   const std::map<std::filesystem::path, std::string>& texts,
                   const std::set<std::filesystem::path>& differing,
                   const std::filesystem::path& folder,
                   const std::filesystem::path& user_folder);

}  // namespace autopin::nix
