#pragma once
// The tree behind a Marker. Private to this folder.

#include <memory>
#include <string>

#include "python/marker.h"

namespace autopin::python {

/// Either "and"/"or" over two trees, or a comparison of two operands.
struct Marker::Node {
  std::string op;
  NodePtr left;
  NodePtr right;
  Operand first;
  Operand second;

  bool mentions_extra() const { return first.is_extra() || second.is_extra(); }
};

}  // namespace autopin::python
