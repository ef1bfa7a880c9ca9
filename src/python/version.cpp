#include "python/version.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "python/scan.h"

namespace autopin::python {

Number::Number(std::string_view digits) {
  const std::size_t first = digits.find_first_not_of('0');
  digits_ = first == std::string_view::npos ? "0" : digits.substr(first);
}

std::strong_ordering Number::operator<=>(const Number& other) const {
  if (digits_.size() != other.digits_.size())
    return digits_.size() <=> other.digits_.size();
  return digits_.compare(other.digits_) <=> 0;
}

namespace {

// Longest first, so that "a" does not take the head of "alpha".
constexpr std::array<std::pair<std::string_view, Version::Phase>, 8> phases{{
    {"preview", Version::Phase::candidate},
    {"alpha", Version::Phase::alpha},
    {"beta", Version::Phase::beta},
    {"pre", Version::Phase::candidate},
    {"rc", Version::Phase::candidate},
    {"a", Version::Phase::alpha},
    {"b", Version::Phase::beta},
    {"c", Version::Phase::candidate},
}};

Number number_or_zero(Scanner& in) {
  const std::string_view digits = in.digits();
  return digits.empty() ? Number() : Number(digits);
}

/// After a word such as "rc": one optional separator, then the number.
Number number_after_word(Scanner& in) {
  in.take_any("-_.");
  return number_or_zero(in);
}

std::optional<Version::Pre> read_pre(Scanner& in) {
  Scanner ahead = in;
  ahead.take_any("-_.");
  for (const auto& [word, phase] : phases) {
    if (!ahead.take_word(word))
      continue;
    Version::Pre pre{phase, number_after_word(ahead)};
    in = ahead;
    return pre;
  }
  return std::nullopt;
}

std::optional<Number> read_post(Scanner& in) {
  Scanner ahead = in;
  if (ahead.take('-')) {
    const std::string_view digits = ahead.digits();
    if (!digits.empty()) {
      in = ahead;
      return Number(digits);
    }
  }
  ahead = in;
  ahead.take_any("-_.");
  for (const std::string_view word : {"post", "rev", "r"}) {
    if (!ahead.take_word(word))
      continue;
    in = ahead;
    return number_after_word(in);
  }
  return std::nullopt;
}

std::optional<Number> read_dev(Scanner& in) {
  Scanner ahead = in;
  ahead.take_any("-_.");
  if (!ahead.take_word("dev"))
    return std::nullopt;
  in = ahead;
  return number_after_word(in);
}

std::optional<std::vector<Version::LocalPart>> read_local(Scanner& in) {
  std::vector<Version::LocalPart> parts;
  do {
    const std::string part = in.alphanumerics();
    if (part.empty())
      return std::nullopt;
    if (std::all_of(part.begin(), part.end(), is_digit))
      parts.emplace_back(Number(part));
    else
      parts.emplace_back(part);
  } while (in.take_any("-_."));
  return parts;
}

}  // namespace

std::optional<Version> Version::parse(std::string_view text) {
  Scanner in(strip_space(text));
  in.take_word("v");
  Version version;
  std::string_view digits = in.digits();
  if (digits.empty())
    return std::nullopt;
  if (in.take('!')) {
    version.epoch_ = Number(digits);
    digits = in.digits();
    if (digits.empty())
      return std::nullopt;
  }
  version.release_.emplace_back(digits);
  for (Scanner ahead = in; ahead.take('.'); in = ahead) {
    digits = ahead.digits();
    if (digits.empty())
      break;
    version.release_.emplace_back(digits);
  }
  version.pre_ = read_pre(in);
  version.post_ = read_post(in);
  version.dev_ = read_dev(in);
  if (in.take('+')) {
    auto local = read_local(in);
    if (!local)
      return std::nullopt;
    version.local_ = *std::move(local);
  }
  if (!in.at_end())
    return std::nullopt;
  return version;
}

std::string Version::text() const {
  std::string out;
  if (!epoch_.is_zero())
    out += epoch_.text() + '!';
  for (std::size_t i = 0; i < release_.size(); ++i) {
    if (i > 0)
      out += '.';
    out += release_[i].text();
  }
  if (pre_) {
    constexpr std::array<std::string_view, 3> letters{"a", "b", "rc"};
    out += letters.at(static_cast<std::size_t>(pre_->phase));
    out += pre_->number.text();
  }
  if (post_)
    out += ".post" + post_->text();
  if (dev_)
    out += ".dev" + dev_->text();
  for (std::size_t i = 0; i < local_.size(); ++i) {
    out += i == 0 ? '+' : '.';
    if (const auto* word = std::get_if<std::string>(&local_[i]))
      out += *word;
    else
      out += std::get<Number>(local_[i]).text();
  }
  return out;
}

Version Version::public_version() const {
  Version version = *this;
  version.local_.clear();
  return version;
}

Version Version::base_version() const {
  Version version;
  version.epoch_ = epoch_;
  version.release_ = release_;
  return version;
}

namespace {

std::strong_ordering compare_releases(const std::vector<Number>& left,
                                      const std::vector<Number>& right) {
  static const Number zero;
  const std::size_t size = std::max(left.size(), right.size());
  for (std::size_t i = 0; i < size; ++i) {
    const Number& a = i < left.size() ? left[i] : zero;
    const Number& b = i < right.size() ? right[i] : zero;
    if (const auto order = a <=> b; order != 0)
      return order;
  }
  return std::strong_ordering::equal;
}

std::strong_ordering compare_parts(const Version::LocalPart& left,
                                   const Version::LocalPart& right) {
  // Words come before numbers (PEP 440, "Local version identifiers").
  if (left.index() != right.index())
    return left.index() <=> right.index();
  if (const auto* word = std::get_if<std::string>(&left))
    return word->compare(std::get<std::string>(right)) <=> 0;
  return std::get<Number>(left) <=> std::get<Number>(right);
}

std::strong_ordering compare_locals(
    const std::vector<Version::LocalPart>& left,
    const std::vector<Version::LocalPart>& right) {
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    if (const auto order = compare_parts(left[i], right[i]); order != 0)
      return order;
  }
  return left.size() <=> right.size();
}

/// Where a version stands among those of one release before its pre-release
/// number counts: 1.0.dev0 < 1.0a1 < 1.0, and 1.0a1 < 1.0.post1.
int pre_rank(const Version& version) {
  if (version.pre())
    return 1;
  return !version.post() && version.dev() ? 0 : 2;
}

/// An absent "dev" sorts after every present one.
std::strong_ordering compare_dev(const std::optional<Number>& left,
                                 const std::optional<Number>& right) {
  if (left && right)
    return *left <=> *right;
  return right.has_value() <=> left.has_value();
}

}  // namespace

std::strong_ordering Version::operator<=>(const Version& other) const {
  if (const auto order = epoch_ <=> other.epoch_; order != 0)
    return order;
  if (const auto order = compare_releases(release_, other.release_); order != 0)
    return order;
  if (const auto order = pre_rank(*this) <=> pre_rank(other); order != 0)
    return order;
  if (const auto order = pre_ <=> other.pre_; order != 0)
    return order;
  if (const auto order = post_ <=> other.post_; order != 0)
    return order;
  if (const auto order = compare_dev(dev_, other.dev_); order != 0)
    return order;
  return compare_locals(local_, other.local_);
}

}  // namespace autopin::python
