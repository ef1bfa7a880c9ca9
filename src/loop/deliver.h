#pragma once
// What a run leaves behind: the fixed draft, beside the old one or in its
// place, and the patch log. A draft that takes its own folder as a source
// (`src = ./.`) would become another derivation by files laid beside it; then
// they stay outside, and that is said.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "nix/draft.h"
#include "nix/evaluator.h"

namespace autopin {

struct Delivery {
  /// The fixed entry; empty where nothing was written.
  std::filesystem::path fixed;
  std::filesystem::path log_folder;
  /// What the user should know, each a sentence.
  std::vector<std::string> notes;
};

struct DeliveryRequest {
  bool in_place = false;
  /// Where the patch log is now, and where things go that cannot lie beside
  /// the draft.
  std::filesystem::path log_folder;
  std::filesystem::path outside;
};

/// "draft.fixed.nix" of "draft.nix".
std::filesystem::path fixed_name(const std::filesystem::path& file);

/// What is delivered beside a changed draft: name -> text. A changed second
/// file gets a name of its own, and whoever names it is led there.
std::map<std::filesystem::path, std::string> fixed_copies(
    const nix::Draft& draft);

/// Lays the files of `draft` (a changed one) and the log folder. `roots` are
/// the drvs of the state; what is delivered must evaluate to the same.
Delivery deliver(nix::Evaluator& evaluator, const nix::Draft& draft,
                 const std::vector<std::string>& roots,
                 const DeliveryRequest& request);

}  // namespace autopin
