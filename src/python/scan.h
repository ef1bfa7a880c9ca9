#pragma once
// A cursor over ASCII text for the small grammars of the packaging standards.
// Copying it is looking ahead. Private to this folder.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace autopin::python {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_alphanumeric(char c) {
  return is_digit(c) || is_letter(c);
}
constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
/// What Python's "\s" takes of ASCII.
constexpr bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
}

constexpr std::string_view strip_space(std::string_view text) {
  while (!text.empty() && is_space(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_space(text.back()))
    text.remove_suffix(1);
  return text;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ >= text_.size(); }
  std::size_t position() const { return at_; }
  std::string_view rest() const { return text_.substr(at_); }
  /// '\0' at the end.
  char peek() const { return at_end() ? '\0' : text_[at_]; }

  bool take(char c) {
    if (at_end() || text_[at_] != c)
      return false;
    ++at_;
    return true;
  }

  bool take_any(std::string_view characters) {
    if (at_end() || characters.find(text_[at_]) == std::string_view::npos)
      return false;
    ++at_;
    return true;
  }

  bool take_text(std::string_view text) {
    if (text_.substr(at_, text.size()) != text)
      return false;
    at_ += text.size();
    return true;
  }

  /// Without regard to case; `word` is lower case.
  bool take_word(std::string_view word) {
    const std::string_view found = text_.substr(at_, word.size());
    if (found.size() != word.size())
      return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
      if (lower(found[i]) != word[i])
        return false;
    }
    at_ += word.size();
    return true;
  }

  template <typename Predicate>
  std::string_view take_while(Predicate accepts) {
    const std::size_t start = at_;
    while (!at_end() && accepts(text_[at_]))
      ++at_;
    return text_.substr(start, at_ - start);
  }

  std::string_view digits() { return take_while(is_digit); }

  /// Lower-cased.
  std::string alphanumerics() {
    std::string out;
    for (const char c : take_while(is_alphanumeric))
      out += lower(c);
    return out;
  }

  void skip_blanks() {
    take_while([](char c) { return c == ' ' || c == '\t'; });
  }

  /// Not beyond the end.
  void advance(std::size_t count) {
    at_ += std::min(count, text_.size() - at_);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace autopin::python
