#pragma once
// One node of the tree-sitter tree, read into an Expr: with grammar.cpp, which
// goes over them all, the only code that knows the grammar's names.

#include <tree_sitter/api.h>

#include <optional>
#include <string_view>
#include <vector>

#include "nix/source.h"

namespace autopin::nix {

/// Which member of its parent an expression fills.
enum class Slot {
  child,
  function,
  argument,
  base,
  fallback,
  item,
  body,
  binding_value,
  inherit_from,
  formal_fallback
};

struct Pending {
  TSNode node;
  ExprId parent = no_expr;
  Slot slot = Slot::child;
  std::size_t index = 0;  ///< Of the binding or formal.
};

/// Nothing for a node that is no expression.
std::optional<ExprKind> kind_of(TSNode node);

/// Fills all members of `expr` that hold no ids; hands back the expressions
/// directly below it, in source order. The cursor is only lent.
std::vector<Pending> read_node(std::string_view text, TSTreeCursor& cursor,
                               ExprId id, Expr& expr, TSNode node);

}  // namespace autopin::nix
