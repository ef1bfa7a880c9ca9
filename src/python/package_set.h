#pragma once
// What the resolver needs to know of nixpkgs, behind an interface: the loop
// answers it by evaluation, tests by a table. Candidates of the set come before
// all others, since each pin that is not needed costs somebody a review.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "python/requirement.h"
#include "python/version.h"

namespace autopin::python {

/// One package of the interpreter's set.
struct SetPackage {
  std::string attribute;  ///< "pytest_3"
  std::string name;       ///< The distribution's, "pytest".
  Version version;
  /// Its own runtime requirements where they are known; without them it is
  /// taken to agree with whatever is chosen.
  std::optional<std::vector<Requirement>> requirements;
};

/// A requirement and who has it.
struct Demand {
  Requirement requirement;
  /// In words: "tensorflow 1.5.1", "the draft".
  std::string asked_by;
};

class PackageSet {
 public:
  PackageSet() = default;
  PackageSet(const PackageSet&) = delete;
  PackageSet& operator=(const PackageSet&) = delete;
  virtual ~PackageSet() = default;

  /// All attributes that hold the distribution `name` (PEP 503), the one that
  /// others use by default first. Empty: the set has none.
  virtual std::vector<SetPackage> candidates(const std::string& name) = 0;

  /// What consumers that stay as they are (and share the closure) ask of
  /// `name`; a pin must please them too.
  virtual std::vector<Demand> demands_on(const std::string& name) = 0;

  /// Whether the tests of `name` run when it is built; if not, nobody needs
  /// what they ask for.
  virtual bool runs_tests(const std::string& /*name*/) { return true; }

  /// A hint: these will be asked for, so that one question serves for all.
  virtual void expect(const std::vector<std::string>& /*names*/) {}
};

/// A set that has nothing.
class EmptyPackageSet final : public PackageSet {
 public:
  std::vector<SetPackage> candidates(const std::string&) override { return {}; }
  std::vector<Demand> demands_on(const std::string&) override { return {}; }
};

}  // namespace autopin::python
