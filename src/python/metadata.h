#pragma once
// Core metadata: a wheel's METADATA, a source distribution's PKG-INFO and the
// requires.txt beside it. What a package says it needs, in one form.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "python/requirement.h"

namespace autopin::python {

struct Metadata {
  std::string metadata_version;
  std::string name;
  std::string version;
  /// Empty: none was given.
  std::string requires_python;
  std::vector<Requirement> requires_dist;
  std::vector<std::string> provides_extra;
  /// Fields (lower case) that PKG-INFO leaves to the build (PEP 643).
  std::vector<std::string> dynamic;
  /// Requires-Dist entries that could not be read, as written.
  std::vector<std::string> unreadable;

  /// True where the requirements may be relied upon: a wheel's always; of a
  /// source distribution only from 2.2 on and without "Dynamic: Requires-Dist".
  bool requirements_are_final(bool is_wheel) const;
};

/// Reads METADATA or PKG-INFO. Throws Error where there is no Name or Version,
/// naming `where`.
Metadata parse_metadata(std::string_view text, std::string_view where);

/// Reads an egg-info requires.txt: sections are "[extra]", "[:marker]" and
/// "[extra:marker]" (setuptools' own form). Entries that cannot be read land
/// in `unreadable`.
std::vector<Requirement> parse_requires_txt(
    std::string_view text, std::vector<std::string>& unreadable);

}  // namespace autopin::python
