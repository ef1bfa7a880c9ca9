#pragma once
// Version specifiers (PEP 440, "Version specifiers"): what a requirement says
// about versions, and the rule by which pre-releases are let in.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "python/version.h"

namespace autopin::python {

/// One clause, such as "~=1.4.2" or "==1.*".
class Specifier {
 public:
  enum class Operator {
    compatible,     // ~=
    equal,          // ==
    not_equal,      // !=
    less_equal,     // <=
    greater_equal,  // >=
    less,           // <
    greater,        // >
    arbitrary       // ===
  };

  static std::optional<Specifier> parse(std::string_view text);

  Operator op() const { return op_; }
  /// "==1.0", as written but for white space.
  std::string text() const;
  /// The same for clauses that mean the same: "==1.0" and "== 1" give "==1".
  std::string canonical_text() const;
  /// The version as written, ".*" included.
  const std::string& version_text() const { return version_text_; }
  bool is_wildcard() const { return wildcard_; }

  /// By the operator alone; whether pre-releases are wanted is the set's say.
  bool matches(const Version& version) const;

  /// True where the clause itself names a pre-release, which lets pre-releases
  /// in (PEP 440, "Handling of pre-releases").
  bool names_prerelease() const;

  /// "==" or "===" with a whole version: what PEP 592 calls pinned exactly.
  bool is_exact() const;

 private:
  Operator op_ = Operator::equal;
  std::string version_text_;
  bool wildcard_ = false;
  /// The version without ".*"; nothing only for "===" with free text.
  std::optional<Version> version_;
};

/// Clauses joined by commas; all must hold. Empty: any version.
class SpecifierSet {
 public:
  /// How `contains` treats pre-releases.
  enum class Prereleases {
    as_named,  // only where a clause names one
    allowed,
    refused
  };

  SpecifierSet() = default;
  static std::optional<SpecifierSet> parse(std::string_view text);

  bool contains(const Version& version,
                Prereleases prereleases = Prereleases::as_named) const;

  /// Those that are contained, in order; where no final release is and no
  /// clause names a pre-release, the pre-releases that match instead.
  std::vector<Version> filter(const std::vector<Version>& versions) const;

  bool names_prerelease() const;
  /// True where one clause pins exactly (see Specifier::is_exact).
  bool is_exact() const;
  bool empty() const { return clauses_.empty(); }
  const std::vector<Specifier>& clauses() const { return clauses_; }

  /// Clauses sorted as text, equal ones once, without white space: "<2,>=1".
  std::string text() const;

  /// Both sets' clauses.
  SpecifierSet operator&(const SpecifierSet& other) const;

 private:
  std::vector<Specifier> clauses_;
};

}  // namespace autopin::python
