#pragma once
// Changes in the Python set itself: `packageOverrides`, so that every consumer
// in the closure sees one and the same package. All doors of the draft to the
// interpreter's set are led through the overridden one.
//
// Transforms: pkgs.python36Packages.x ->
//             (pkgs.python36.override { packageOverrides = …; }).pkgs.x
//         or, with several doors, a `let` around them.

#include <optional>
#include <string>
#include <vector>

#include "fix/change.h"
#include "fix/place.h"
#include "fix/python_set.h"

namespace autopin::fix {

struct SetEntry {
  std::string attribute;
  /// Changes of the set's own package; or
  DerivationChange change;
  /// a whole new value, where the set has no such attribute.
  std::optional<NixText> value;
  OverrideFunctions functions;
  std::string comment;
};

/// Nothing where the draft has no door that can be changed in place.
std::optional<FileEdits> override_in_set(const PythonSet& set,
                                         const std::vector<SetEntry>& entries);

}  // namespace autopin::fix
