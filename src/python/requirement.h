#pragma once
// Requirements (PEP 508): "name[extra]>=1.0; marker" and "name @ URL". The
// words of every index, wheel and pip message about what is needed.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "python/marker.h"
#include "python/specifier.h"

namespace autopin::python {

/// Why a text is no requirement.
struct RequirementProblem {
  std::string what;
  std::size_t at = 0;  ///< Offset in bytes.
};

struct Requirement {
  /// As written; compare with `key`.
  std::string name;
  /// Sorted, without repeats, as written.
  std::vector<std::string> extras;
  SpecifierSet specifiers;
  /// Of a direct reference; empty otherwise.
  std::string url;
  std::optional<Marker> marker;

  /// Strict, as PEP 508 and `packaging` have it. `problem`, where given, says
  /// what is wrong with a text that gives nothing.
  static std::optional<Requirement> parse(
      std::string_view text, RequirementProblem* problem = nullptr);

  /// For old metadata: also takes what early tools wrote and installers mend,
  /// "foo (1.0)" (PEP 345: an exact version) and ">=1.0.*".
  static std::optional<Requirement> parse_leniently(std::string_view text);

  /// The PEP 503 name.
  std::string key() const;

  /// True where the marker (if any) holds; an undefined one does not. With
  /// extras, it is enough that it holds for one of them.
  bool applies(const MarkerEnvironment& environment,
               const std::vector<std::string>& extras_asked = {}) const;

  std::string text() const;
};

}  // namespace autopin::python
