#pragma once
// The search: PubGrub (N. Weizenbaum, "PubGrub: Next-Generation Version
// Solving", 2018) over finite domains. A conflict is resolved into a rule that
// names its true causes, so that the search jumps back over decisions that had
// no part in it and never runs into the same wall twice; and the chain of
// rules that ends a hopeless search is the explanation.

#include <cstddef>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "python/choices.h"

namespace autopin::python {

using PackageId = std::size_t;
using ReasonId = std::size_t;

/// "Not all of these at once": each term says that a package's state is one of
/// some. A dependency of a@1 on b is {a in {1}, b not in {what fits}}.
struct Rule {
  std::map<PackageId, Choices> terms;
  ReasonId reason = 0;
};

/// What is to be solved. Asked lazily: rules of a candidate only when it is
/// about to be chosen, since finding them may mean a download.
class Problem {
 public:
  Problem() = default;
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;
  virtual ~Problem() = default;

  /// States of a package (candidates + 1), best candidate first.
  virtual std::size_t states(PackageId package) = 0;
  /// Rules that follow from choosing the candidate.
  virtual std::vector<Rule> rules_of(PackageId package,
                                     std::size_t candidate) = 0;
  /// Rules that hold once the package is spoken of.
  virtual std::vector<Rule> rules_about(PackageId package) = 0;
};

/// The candidate of each package that is not left out.
using Assignment = std::map<PackageId, std::size_t>;

/// The given rules that together rule everything out, in order of argument.
struct Contradiction {
  std::vector<ReasonId> reasons;
};

std::variant<Assignment, Contradiction> solve(Problem& problem,
                                              const std::vector<Rule>& roots);

}  // namespace autopin::python
