#pragma once
// One run of the solver over a universe, and its outcome in the resolver's own
// terms. Private to this folder.

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "python/candidates.h"
#include "python/resolver_problem.h"

namespace autopin::python {

/// A requirement of a chosen distribution (or of the root: `from` is empty).
struct ChosenNeed {
  std::string from;
  std::string to;
  Need need;
  std::string asked_by;
};

struct Found {
  std::map<std::string, Candidate> chosen;
  std::vector<ChosenNeed> needs;
  /// Dependencies before dependents; circles are cut somewhere.
  std::vector<std::string> order;
};

std::variant<Found, NoSolution> search(Universe& universe,
                                       const std::vector<Demand>& roots);

}  // namespace autopin::python
