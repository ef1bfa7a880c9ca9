#pragma once
// Where a pin can stand: in the draft's own expression of the package, among
// the inputs of the one that asks, as an argument of its one consumer, or in
// the package set.

#include <string>
#include <vector>

#include "fix/pin_text.h"

namespace autopin::fix {

/// What is to be pinned, and for whom.
struct PinPlan {
  const Failure& failure;
  const Situation& situation;
  const PythonSet& set;
  const PinText& text;
  std::string root;  ///< PEP 503 name that was asked for.
  /// It, and all that the package asks for and does not have.
  std::vector<std::string> roots;
  Proposal draft;  ///< All but where and edits.
};

/// Those of the roots that the failing package does not have at all.
std::vector<std::string> missing_roots(const PinPlan& plan);

/// A proposal for each place, the smallest change first.
std::vector<Proposal> pin_places(const PinPlan& plan);

}  // namespace autopin::fix
