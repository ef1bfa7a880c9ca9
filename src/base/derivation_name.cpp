#include "base/derivation_name.h"

#include <algorithm>
#include <cctype>

namespace autopin {

std::string_view derivation_name(std::string_view path) {
  constexpr std::size_t hash_length = 32;
  constexpr std::string_view suffix = ".drv";
  path.remove_prefix(path.rfind('/') + 1);
  if (path.size() > hash_length + 1 && path[hash_length] == '-' &&
      std::all_of(path.begin(), path.begin() + hash_length,
                  [](unsigned char c) { return std::isalnum(c) != 0; }))
    path.remove_prefix(hash_length + 1);
  if (path.size() > suffix.size() && path.ends_with(suffix))
    path.remove_suffix(suffix.size());
  return path;
}

std::string derivation_prefix(std::string_view path) {
  const std::string_view name = derivation_name(path);
  return name.empty() ? "" : std::string(name) + ": ";
}

}  // namespace autopin
