#pragma once
// Puts functions around expressions of a file for one evaluation. The text that
// comes out is only ever evaluated, never shown or kept.

#include <string>
#include <vector>

#include "nix/source.h"

namespace autopin::nix {

/// Where a function is put, and its text: `function` E.
struct Site {
  /// Of an Expr, of a select without its last names, or of one name in an
  /// inherit.
  Range range;
  std::string function;
};

/// Sites of one file nest or are apart, as ranges of its tree do. Names in a
/// plain inherit of a `let` or a `rec` are passed over: what they mean there is
/// outside, and their uses have sites of their own.
std::string instrument(const Source& source, std::vector<Site> sites);

/// Bindings that the functions may use, for a header on one line, `let … in`:
/// - __autopin_names, which inherits go through;
/// - __autopin_used SAY V: the derivation V, where `SAY output drv value`
/// stands
///   in place of each drvPath and outPath, its own and its outputs', and is
///   forced when they are. Nothing of V is forced before.
extern const char* const prelude;

}  // namespace autopin::nix
