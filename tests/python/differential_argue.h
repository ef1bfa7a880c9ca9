#pragma once
// The differences between `packaging` (23.0 is Debian 12's) and autopin that
// are right by the standards' own words. Each is a narrow predicate: whatever
// it does not cover fails the test.

#include <algorithm>
#include <optional>
#include <string>

#include "python/differential_answers.h"

namespace autopin::python {

inline bool is_error(const std::string& answer) {
  return answer.substr(0, 5) == "error";
}

template <typename Predicate>
bool any_clause(const SpecifierSet& set, Predicate holds) {
  return std::any_of(set.clauses().begin(), set.clauses().end(), holds);
}

/// "<2.0a1" and ">2.0a1" name a pre-release.
inline bool orders_by_prerelease(const SpecifierSet& set) {
  return any_clause(set, [](const Specifier& s) {
    return (s.op() == Specifier::Operator::less ||
            s.op() == Specifier::Operator::greater) &&
           s.names_prerelease();
  });
}

/// "~=2.2c1", "~=2.2alpha1", "~=v2.2": spelled in another way than normalised.
inline bool has_unusual_compatible(const SpecifierSet& set) {
  return any_clause(set, [](const Specifier& s) {
    return s.op() == Specifier::Operator::compatible &&
           Version::parse(s.version_text())->text() != s.version_text();
  });
}

inline bool has_free_text(const SpecifierSet& set) {
  return any_clause(set, [](const Specifier& s) {
    return s.op() == Specifier::Operator::arbitrary &&
           !Version::parse(s.version_text());
  });
}

inline bool has_wildcard(const SpecifierSet& set) {
  return any_clause(set, [](const Specifier& s) {
    return s.is_wildcard() || s.op() == Specifier::Operator::compatible;
  });
}

inline std::optional<std::string> argue_specifier(const Case& c,
                                                  const std::string& ours,
                                                  const std::string& theirs) {
  const auto set = SpecifierSet::parse(c.arguments[0]);
  if (!set)
    return std::nullopt;
  const bool chooses = c.kind == "choose";
  if (has_free_text(*set) && theirs == "error InvalidVersion")
    return "PEP 440: === takes any text; 23.0 raises on what is no version";
  if (orders_by_prerelease(*set) && (chooses || ours[0] == theirs[0]))
    return "< and > name pre-releases as >= does (packaging 24.2 on)";
  if (chooses && theirs.empty() && !set->empty())
    return "PEP 440: pre-releases count where nothing else satisfies; 23.0 "
           "does so for an empty set only";
  const bool has_epoch =
      c.line().find('!', c.line().find_first_of("0123456789")) !=
      std::string::npos;
  if (has_wildcard(*set) && has_epoch)
    return "PEP 440: prefix matching pads releases with zeros; 23.0 does not "
           "where there is an epoch";
  if (has_unusual_compatible(*set))
    return "PEP 440: ~= ignores suffixes in every spelling; 23.0 knows the "
           "normalised ones";
  return std::nullopt;
}

/// A name or extra such as "foo_".
inline bool has_name_ending_in_dash(const Case& c) {
  const std::string& text = c.arguments[0];
  for (std::size_t at = text.find('_'); at != std::string::npos;
       at = text.find('_', at + 1)) {
    const std::string_view next = std::string_view(text).substr(at + 1);
    if (next.empty() || std::string_view(" \t[],;(<>=!~@").find(next[0]) !=
                            std::string_view::npos)
      return true;
  }
  return false;
}

/// Why a difference is right, or nothing where none is known.
inline std::optional<std::string> argue(const Case& c, const std::string& ours,
                                        const std::string& theirs) {
  if (c.kind == "specifier" || c.kind == "choose")
    return argue_specifier(c, ours, theirs);
  const bool about_markers = c.kind == "marker" || c.kind == "requirement";
  if (about_markers && theirs == "error InvalidVersion")
    return "PEP 508: where PEP 440 defines no order, Python's own for strings "
           "applies; 23.0 raises";
  if (is_error(ours) && c.arguments[0].substr(0, 1) == "-")
    return "PEP 427, 625: a file's name begins with that of its project";
  if (about_markers && is_error(ours) &&
      c.arguments[0].find('\\') != std::string::npos)
    return "PEP 508: a string in a marker has no backslash";
  if (c.kind == "requirement" && is_error(ours) && has_name_ending_in_dash(c))
    return "PEP 508: a name ends with a letter or digit; 23.0 takes \"_\"";
  return std::nullopt;
}

}  // namespace autopin::python
