#pragma once
// Nix that questions about Python package sets share.

#include <string>
#include <vector>

namespace autopin::fix {

/// Binds `norm`: a name as PEP 503 has it, near enough for attributes.
extern const char* const normalize;

/// "[ "a" "b" ]".
std::string nix_list(const std::vector<std::string>& words);

}  // namespace autopin::fix
