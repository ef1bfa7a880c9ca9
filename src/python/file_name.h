#pragma once
// What the names of distribution files say: wheels (PEP 427) wholly, source
// distributions (PEP 625) as far as the older, ambiguous names allow.

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "python/tags.h"
#include "python/version.h"

namespace autopin::python {

/// A wheel's name taken apart and no more; the version may be none. Points into
/// the name.
struct WheelParts {
  std::string_view project;
  std::string_view version;
  std::string_view build;
  std::string_view python;
  std::string_view abi;
  std::string_view platform;

  static std::optional<WheelParts> of(std::string_view filename);
  /// "py2.py3-none-any", as the name has it.
  std::string_view tags() const {
    return {python.data(),
            static_cast<std::size_t>(platform.data() + platform.size() -
                                     python.data())};
  }
};

struct WheelName {
  /// PEP 503.
  std::string project;
  Version version;
  /// "1", "2b"; mostly empty.
  std::string build;
  std::set<Tag> tags;
  /// The five parts as the file spells them: a URL is made of these.
  std::string project_spelling;
  std::string version_spelling;
  std::string python;
  std::string abi;
  std::string platform;

  /// Nothing where the name is no wheel's.
  static std::optional<WheelName> parse(std::string_view filename);
};

struct SdistName {
  std::string project;
  Version version;
  std::string project_spelling;
  std::string version_spelling;
  /// ".tar.gz", ".zip", ".tar.bz2", ".tgz", ".tar.xz".
  std::string extension;

  /// `project` decides where the name ends in names with several dashes
  /// ("foo-2-1.0.tar.gz"); empty: the last dash does, as PEP 625 has it.
  static std::optional<SdistName> parse(std::string_view filename,
                                        std::string_view project = {});
};

}  // namespace autopin::python
