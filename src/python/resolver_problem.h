#pragma once
// The solver's view of packages: requirements become rules, and each rule keeps
// the words that explain it. Private to this folder.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "python/candidates.h"
#include "python/solver.h"

namespace autopin::python {

/// Thrown out of the search where it wants versions of an index that was not
/// asked yet; the search then starts anew with them.
struct AskIndex {
  std::string name;
};

struct Reason {
  /// "bleach 1.5.0 needs html5lib<0.99999999".
  std::string text;
  std::string name;  ///< What is needed; PEP 503.
  /// For joining versions that say the same: "bleach", "1.5.0", "needs …".
  std::string subject;
  std::string version;
  std::string rest;
  bool is_root = false;
  /// Of a requirement that would be met if the interpreter were another.
  std::optional<Requirement> unfit = {};
};

/// A requirement that a chosen candidate has.
struct Edge {
  PackageId from = 0;
  std::size_t candidate = 0;
  std::string to;
  Need need;
  std::string asked_by;
};

class ResolverProblem final : public Problem {
 public:
  ResolverProblem(Universe& universe, std::vector<Demand> roots);

  std::vector<Rule> roots();
  std::size_t states(PackageId package) override;
  std::vector<Rule> rules_of(PackageId package, std::size_t candidate) override;
  std::vector<Rule> rules_about(PackageId package) override;

  /// "" for the root; the extra is left out.
  const std::string& name_of(PackageId package) const {
    return packages_[package].first;
  }
  bool is_extra(PackageId package) const {
    return !packages_[package].second.empty();
  }
  const std::vector<Edge>& edges() const { return edges_; }
  const Reason& reason(ReasonId id) const { return reasons_[id]; }
  /// What there is of a package where nothing fits, in words: "the index has
  /// 3.1, 3.0, …".
  std::string offered(const Requirement& requirement);

 private:
  PackageId intern(const std::string& name, const std::string& extra);
  Choices only(PackageId package, std::size_t state);
  void add_need(PackageId from, std::size_t candidate, const Need& need,
                const std::string& subject, const std::string& version,
                std::vector<Rule>& out);
  void add_facts(PackageId package, std::size_t candidate,
                 std::vector<Rule>& out);
  ReasonId remember(Reason reason);

  Universe& universe_;
  std::vector<Demand> roots_;
  std::vector<std::pair<std::string, std::string>> packages_;
  std::map<std::pair<std::string, std::string>, PackageId> ids_;
  std::vector<Reason> reasons_;
  std::vector<Edge> edges_;
};

}  // namespace autopin::python
