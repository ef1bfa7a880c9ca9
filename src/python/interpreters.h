#pragma once
// Which interpreters a requirement has files for: an old version's wheels end
// at some Python, and then the interpreter is what has to change. Private to
// this folder.

#include <optional>
#include <string>

#include "python/index.h"
#include "python/resolve.h"

namespace autopin::python {

/// The newest of `options.pythons` (of all CPythons where those are empty) that
/// a file of a version that fits is for, on the target's platform.
std::optional<std::string> newest_python(const Requirement& requirement,
                                         Index& index, Target target,
                                         const ResolveOptions& options);

}  // namespace autopin::python
