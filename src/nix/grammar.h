#pragma once
// From a text to its expressions, by tree-sitter: the grammar's node and field
// names end here, and everything else sees Expr.

#include <string_view>
#include <vector>

#include "nix/source.h"

namespace autopin::nix {

struct ExprTree {
  std::vector<Expr> exprs;  ///< Never empty; pre-order.
  bool has_errors = false;
};

ExprTree read_exprs(std::string_view text);

}  // namespace autopin::nix
