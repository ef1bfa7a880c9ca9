#pragma once
// A resolution as Nix: what each pinned package becomes, in a scope where all
// consumers see it, or nested at its one consumer.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fix/fix.h"
#include "fix/set_override.h"
#include "python/resolve.h"

namespace autopin::fix {

/// A pin together with what the set has for it.
struct PinnedPackage {
  python::Pin pin;
  /// The set's package that is overridden; nothing where the set has none.
  std::optional<SetAttribute> base;
  std::string comment;
};

class PinText {
 public:
  PinText(const PythonSet& set, const python::Resolution& resolution,
          const Failure& failure);

  const std::vector<PinnedPackage>& packages() const { return packages_; }
  /// The pin that the whole closure shares, or else one for a build alone.
  const PinnedPackage* find(const std::string& name) const;
  /// Reference to what satisfies `name`: the pinned or kept attribute.
  std::optional<NixText> reference(const std::string& name) const;

  /// Entries of packageOverrides for all that the set's consumers share.
  std::vector<SetEntry> scope_entries() const;
  /// The package with all of its pins inside of it. Nothing where one of them
  /// would have to stand twice.
  std::optional<NixText> nested(const std::string& name) const;
  /// Version, source and the like of one pin, without its dependencies.
  DerivationChange own_change(const PinnedPackage& package) const;

  std::vector<Source> sources() const;

 private:
  DerivationChange change_with(const PinnedPackage& package, bool scope,
                               std::vector<std::string>& placed) const;
  std::optional<NixText> value_of(const PinnedPackage& package, bool scope,
                                  std::vector<std::string>& placed) const;
  NixText fetch(const python::Pin& pin) const;
  /// The pin that `need` of `user` means: two builds may each have a version
  /// of one tool.
  const PinnedPackage* find_for(const PinnedPackage& user,
                                const python::Need& need) const;
  std::optional<NixText> reference_to(const PinnedPackage* package,
                                      const std::string& name) const;
  bool brought_by_other(const PinnedPackage& package,
                        const std::string& name) const;
  bool has_in_closure(const PinnedPackage& package,
                      const std::string& name) const;

  const PythonSet& set_;
  const python::Resolution& resolution_;
  std::vector<PinnedPackage> packages_;
  bool modern_ = false;  ///< The set takes `hash`, `dependencies`, …
};

}  // namespace autopin::fix
