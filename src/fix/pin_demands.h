#pragma once
// What a pin has to please beside what the log names: the rest of what the
// failing package declares, and what others in the closure ask of the pinned
// ones. Each of these would otherwise be the next failing build.

#include <map>
#include <string>
#include <vector>

#include "fix/python_set.h"
#include "python/resolve.h"

namespace autopin::fix {

struct Declared {
  /// What the package's closure does not fulfil: it fails next.
  std::vector<python::Requirement> unmet;
  /// What it does: a pin must not undo it.
  std::vector<python::Requirement> met;
};

/// What the package that `drv` builds declares, read from its source and never
/// run. Nothing where `asked` is not among it, or where something may rewrite
/// the source before it is built: then it is not what the builder sees.
Declared declared_by(const Situation& situation, const PythonSet& set,
                     const std::string& drv, const python::Requirement& asked);

/// A package of the set that cannot stay as it is beside a pin.
struct Neighbour {
  std::string name;  ///< PEP 503.
  std::string drv;
  std::vector<python::Requirement> requirements;
  std::string pinned;  ///< The pin that it cannot live with.
};

/// Packages of the set in the draft's closure, as they are there, that could
/// not live with the pins. Only what they ask for and have now counts: the set
/// may build a package against its own metadata.
std::vector<Neighbour> neighbours_against(const Situation& situation,
                                          const PythonSet& set,
                                          const std::string& failing,
                                          const python::Resolution& resolution);

/// The set, with what is known beside it.
class SetWithDemands final : public python::PackageSet {
 public:
  explicit SetWithDemands(const PythonSet& set) : set_(set), plain_(set) {}
  /// From now on the requirements of this one count.
  void heed(const Neighbour& neighbour);
  bool heeds(const Neighbour& neighbour) const;
  /// Something that stays as it is asks for this.
  void demand(const python::Requirement& requirement, std::string asked_by);

  std::vector<python::SetPackage> candidates(const std::string& name) override;
  std::vector<python::Demand> demands_on(const std::string& name) override;
  bool runs_tests(const std::string& name) override;

 private:
  const PythonSet& set_;
  SetForResolver plain_;
  std::map<std::string, Neighbour> neighbours_;  ///< By name.
  std::map<std::string, std::vector<python::Demand>> demands_;
};

/// Whether an earlier step of the round has brought what was asked for.
bool is_settled(const Failure& failure, const Situation& situation);

}  // namespace autopin::fix
