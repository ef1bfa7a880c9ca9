#pragma once
// A look at a Nix text before the real parser gets it, for the faults of that
// one: tree-sitter 0.20 corrupts its memory when some 65,536 unfinished
// constructs are open, and the grammar lacks some corners of the language.
// Those are written over, byte for byte, with something it does know.

#include <string>
#include <string_view>

namespace autopin::nix {

struct Prescan {
  bool too_deep = false;
  /// As long as the text and the same but for
  /// - the comma that may end formals, `{ a, b, }:` (the style of today's
  ///   formatter): a space;
  /// - a CR that ends a comment: a line end;
  /// - an inherit of nothing, `inherit (x);`: spaces;
  /// - a single quote before an interpolation in an indented string,
  ///   `${a}'${b}`: an underscore.
  std::string dialect;
};

Prescan prescan(std::string_view text);

}  // namespace autopin::nix
