#pragma once
// Versions as PEP 440 has them. Everything that compares, filters or prints a
// Python version goes through this type, so that the order is the standard's
// and never a string's ("1.10" is newer than "1.9", "1.0.post1" than "1.0").

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace autopin::python {

/// A non-negative integer of any length ("20230101000000000001" occurs), kept
/// as its decimal digits without leading zeros.
class Number {
 public:
  Number() = default;
  /// `digits` holds only ASCII digits, at least one.
  explicit Number(std::string_view digits);

  const std::string& text() const { return digits_; }
  bool is_zero() const { return digits_ == "0"; }
  bool operator==(const Number&) const = default;
  std::strong_ordering operator<=>(const Number& other) const;

 private:
  std::string digits_ = "0";
};

/// One parsed version. Two spellings of one version are equal ("1.0" and
/// "v1.0.0", "1.0-1" and "1.0.post1").
class Version {
 public:
  enum class Phase { alpha, beta, candidate };
  struct Pre {
    Phase phase = Phase::alpha;
    Number number;
    auto operator<=>(const Pre&) const = default;
  };
  using LocalPart = std::variant<std::string, Number>;

  /// Nothing where `text` is no PEP 440 version (appendix B's expression,
  /// surrounding white space allowed).
  static std::optional<Version> parse(std::string_view text);

  /// The normalised spelling ("1.0RC1" gives "1.0rc1"); zeros stay as written.
  std::string text() const;
  /// Without the local part.
  Version public_version() const;
  /// Epoch and release only.
  Version base_version() const;

  const Number& epoch() const { return epoch_; }
  const std::vector<Number>& release() const { return release_; }
  const std::optional<Pre>& pre() const { return pre_; }
  const std::optional<Number>& post() const { return post_; }
  const std::optional<Number>& dev() const { return dev_; }
  const std::vector<LocalPart>& local() const { return local_; }

  bool is_prerelease() const { return pre_ || dev_; }
  bool is_postrelease() const { return post_.has_value(); }
  bool is_devrelease() const { return dev_.has_value(); }

  std::strong_ordering operator<=>(const Version& other) const;
  bool operator==(const Version& other) const {
    return std::is_eq(*this <=> other);
  }

 private:
  Number epoch_;
  std::vector<Number> release_;
  std::optional<Pre> pre_;
  std::optional<Number> post_;
  std::optional<Number> dev_;
  std::vector<LocalPart> local_;
};

}  // namespace autopin::python
