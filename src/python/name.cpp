#include "python/name.h"

#include <algorithm>

#include "python/scan.h"

namespace autopin::python {

std::string normalize_name(std::string_view name) {
  std::string out;
  bool in_run = false;
  for (const char c : name) {
    const bool separator = c == '-' || c == '_' || c == '.';
    if (!separator)
      out += lower(c);
    else if (!in_run)
      out += '-';
    in_run = separator;
  }
  return out;
}

bool is_valid_name(std::string_view name) {
  return !name.empty() && is_alphanumeric(name.front()) &&
         is_alphanumeric(name.back()) &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return is_alphanumeric(c) || c == '-' || c == '_' || c == '.';
         });
}

}  // namespace autopin::python
