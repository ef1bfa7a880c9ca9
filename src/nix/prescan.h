#pragma once
// A look at the brackets of a Nix text before the real parser gets it, for two
// faults of that one: tree-sitter 0.20 corrupts its memory when some 65,536
// unfinished constructs are open, and the grammar does not know the comma that
// may end formals (`{ a, b, }:`, the style of today's formatter).

#include <cstddef>
#include <string_view>
#include <vector>

namespace autopin::nix {

struct Prescan {
  bool too_deep = false;
  /// Bytes of the commas right before the `}` of formals.
  std::vector<std::size_t> trailing_commas;
};

Prescan prescan(std::string_view text);

}  // namespace autopin::nix
