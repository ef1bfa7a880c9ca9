#pragma once
// Which expressions of a file might become a derivation or a package set, so
// that it is worth asking what they became.

#include <vector>

#include "nix/probe.h"
#include "nix/source.h"

namespace autopin::nix {

struct Candidate {
  Range range;
  NodeForm form = NodeForm::expression;
  ExprId expr = no_expr;
};

/// In source order, an outer one before those within it; no two with one range.
/// What can only be a function (the head of a call) is none, nor is what stands
/// in an attribute's name or names a well-known builtin.
std::vector<Candidate> candidates(const Source& source);

}  // namespace autopin::nix
