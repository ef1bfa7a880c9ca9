#pragma once
// One run of the solver over a universe, and its outcome in the resolver's own
// terms. Private to this folder.

#include <cstddef>
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
  /// Places in `needs`, by who has them and by what is needed.
  std::map<std::string, std::vector<std::size_t>> needs_of;
  std::map<std::string, std::vector<std::size_t>> needs_on;
  /// Dependencies before dependents; circles are cut somewhere.
  std::vector<std::string> order;
};

std::variant<Found, NoSolution> search(Universe& universe,
                                       const std::vector<Demand>& roots);

}  // namespace autopin::python
