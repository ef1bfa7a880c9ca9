#include "loop/draft_diff.h"

#include "base/diff.h"

namespace autopin {
namespace {

std::string diff_of_file(const nix::Draft& draft,
                         const std::filesystem::path& file,
                         const std::string& before) {
  const std::string name =
      file.lexically_proximate(draft.entry().parent_path()).generic_string();
  return unified_diff(before, draft.text(file), "a/" + name, "b/" + name);
}

}  // namespace

std::string diff_between(const nix::Draft& before, const nix::Draft& after) {
  std::string diff;
  for (const auto& file : after.files())
    diff += diff_of_file(after, file, before.text(file));
  return diff;
}

std::string diff_from_original(const nix::Draft& draft) {
  std::string diff;
  for (const auto& file : draft.files())
    diff += diff_of_file(draft, file, draft.original(file));
  return diff;
}

}  // namespace autopin
