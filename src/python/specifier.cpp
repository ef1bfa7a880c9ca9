#include "python/specifier.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/text.h"
#include "python/scan.h"

namespace autopin::python {

namespace {

using Operator = Specifier::Operator;

// "===" before "==", "<=" before "<".
constexpr std::array<std::pair<std::string_view, Operator>, 8> operators{{
    {"===", Operator::arbitrary},
    {"==", Operator::equal},
    {"~=", Operator::compatible},
    {"!=", Operator::not_equal},
    {"<=", Operator::less_equal},
    {">=", Operator::greater_equal},
    {"<", Operator::less},
    {">", Operator::greater},
}};

std::string_view spelling(Operator op) {
  return std::find_if(operators.begin(), operators.end(),
                      [op](const auto& row) { return row.second == op; })
      ->first;
}

/// "==1.2.*": the first `length` numbers of the release, zeros filled in, and
/// the epoch; suffixes and the local part do not count.
bool has_prefix(const Version& version, const Version& prefix,
                std::size_t length) {
  static const Number zero;
  if (version.epoch() != prefix.epoch())
    return false;
  for (std::size_t i = 0; i < length; ++i) {
    const Number& found =
        i < version.release().size() ? version.release()[i] : zero;
    if (found != prefix.release()[i])
      return false;
  }
  return true;
}

/// Without the version's local part; hardly any has one.
std::strong_ordering compare_public(const Version& version,
                                    const Version& wanted) {
  return version.local().empty() ? version <=> wanted
                                 : version.public_version() <=> wanted;
}

bool equals(const Version& version, const Version& wanted) {
  // A local part counts only where the specifier has one.
  return wanted.local().empty() ? compare_public(version, wanted) == 0
                                : version == wanted;
}

bool same_base(const Version& left, const Version& right) {
  return left.base_version() == right.base_version();
}

// "<1.0" takes no pre-release of 1.0 itself, ">1.0" no post-release or local
// build of it (PEP 440, "Exclusive ordered comparison").
bool is_less(const Version& version, const Version& wanted) {
  return version < wanted &&
         (wanted.is_prerelease() || !version.is_prerelease() ||
          !same_base(version, wanted));
}

bool is_greater(const Version& version, const Version& wanted) {
  if (version <= wanted)
    return false;
  const bool plain = (wanted.is_postrelease() || !version.is_postrelease()) &&
                     version.local().empty();
  return plain || !same_base(version, wanted);
}

}  // namespace

std::optional<Specifier> Specifier::parse(std::string_view text) {
  Scanner in(strip_space(text));
  Specifier out;
  const auto* row =
      std::find_if(operators.begin(), operators.end(),
                   [&in](const auto& r) { return in.take_text(r.first); });
  if (row == operators.end())
    return std::nullopt;
  out.op_ = row->second;
  std::string_view version = strip_space(in.rest());
  out.version_text_ = version;
  if (out.op_ == Operator::arbitrary) {
    const bool odd = std::any_of(version.begin(), version.end(), [](char c) {
      return is_space(c) || c == ';' || c == ')';
    });
    if (odd)
      return std::nullopt;
    out.version_ = Version::parse(version);
    return out;
  }
  if (version.size() > 2 && version.substr(version.size() - 2) == ".*") {
    version.remove_suffix(2);
    out.wildcard_ = true;
  }
  // Version::parse would forgive white space before the ".*".
  if (version != strip_space(version))
    return std::nullopt;
  out.version_ = Version::parse(version);
  if (!out.version_)
    return std::nullopt;
  const bool equality =
      out.op_ == Operator::equal || out.op_ == Operator::not_equal;
  const Version& v = *out.version_;
  if (out.wildcard_ &&
      (!equality || v.pre() || v.post() || v.dev() || !v.local().empty()))
    return std::nullopt;
  if (!equality && !v.local().empty())
    return std::nullopt;
  if (out.op_ == Operator::compatible && v.release().size() < 2)
    return std::nullopt;
  return out;
}

std::string Specifier::text() const {
  return std::string(spelling(op_)) + version_text_;
}

std::string Specifier::canonical_text() const {
  const std::string op(spelling(op_));
  // "===" compares spellings: "===0" and "===00" are two.
  if (wildcard_ || op_ == Operator::arbitrary)
    return op + version_text_;
  const std::string text = version_->text();
  if (op_ == Operator::compatible)
    return op + text;
  std::string base = version_->base_version().text();
  const std::string rest = text.substr(base.size());
  while (base.size() > 2 && base.compare(base.size() - 2, 2, ".0") == 0)
    base.resize(base.size() - 2);
  return op + base + rest;
}

bool Specifier::matches(const Version& version) const {
  if (op_ == Operator::arbitrary)
    return to_lower(version.text()) == to_lower(version_text_);
  const Version& wanted = *version_;
  const std::size_t length = wanted.release().size();
  switch (op_) {
    case Operator::equal:
      return wildcard_ ? has_prefix(version, wanted, length)
                       : equals(version, wanted);
    case Operator::not_equal:
      return wildcard_ ? !has_prefix(version, wanted, length)
                       : !equals(version, wanted);
    case Operator::compatible:
      return compare_public(version, wanted) >= 0 &&
             has_prefix(version, wanted, length - 1);
    case Operator::less_equal:
      return compare_public(version, wanted) <= 0;
    case Operator::greater_equal:
      return compare_public(version, wanted) >= 0;
    case Operator::less:
      return is_less(version, wanted);
    case Operator::greater:
      return is_greater(version, wanted);
    case Operator::arbitrary:
      break;
  }
  return false;
}

bool Specifier::names_prerelease() const {
  return op_ != Operator::not_equal && version_ && version_->is_prerelease();
}

bool Specifier::is_exact() const {
  return op_ == Operator::arbitrary || (op_ == Operator::equal && !wildcard_);
}

std::optional<SpecifierSet> SpecifierSet::parse(std::string_view text) {
  SpecifierSet out;
  for (const std::string& piece : split(text, ',')) {
    if (strip_space(piece).empty())
      continue;
    auto clause = Specifier::parse(piece);
    if (!clause)
      return std::nullopt;
    out.clauses_.push_back(*std::move(clause));
  }
  return out;
}

bool SpecifierSet::contains(const Version& version,
                            Prereleases prereleases) const {
  const bool wanted =
      prereleases == Prereleases::allowed ||
      (prereleases == Prereleases::as_named && names_prerelease());
  if (version.is_prerelease() && !wanted)
    return false;
  return std::all_of(clauses_.begin(), clauses_.end(),
                     [&](const Specifier& s) { return s.matches(version); });
}

std::vector<Version> SpecifierSet::filter(
    const std::vector<Version>& versions) const {
  std::vector<Version> finals;
  std::vector<Version> prereleases;
  const bool named = names_prerelease();
  for (const Version& version : versions) {
    if (!contains(version, Prereleases::allowed))
      continue;
    (version.is_prerelease() && !named ? prereleases : finals)
        .push_back(version);
  }
  return finals.empty() ? prereleases : finals;
}

bool SpecifierSet::names_prerelease() const {
  return std::any_of(clauses_.begin(), clauses_.end(),
                     [](const Specifier& s) { return s.names_prerelease(); });
}

bool SpecifierSet::is_exact() const {
  return std::any_of(clauses_.begin(), clauses_.end(),
                     [](const Specifier& s) { return s.is_exact(); });
}

std::string SpecifierSet::text() const {
  std::set<std::string> seen;
  std::set<std::string> texts;
  for (const Specifier& clause : clauses_) {
    if (seen.insert(clause.canonical_text()).second)
      texts.insert(clause.text());
  }
  return join({texts.begin(), texts.end()}, ",");
}

SpecifierSet SpecifierSet::operator&(const SpecifierSet& other) const {
  SpecifierSet out = *this;
  out.clauses_.insert(out.clauses_.end(), other.clauses_.begin(),
                      other.clauses_.end());
  return out;
}

}  // namespace autopin::python
