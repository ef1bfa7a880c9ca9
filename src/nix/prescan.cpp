#include "nix/prescan.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace autopin::nix {
namespace {

constexpr std::size_t max_brackets = 2000;
constexpr std::size_t max_unfinished = 60'000;
constexpr std::size_t none = static_cast<std::size_t>(-1);

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_one_of(char c, std::string_view set) {
  return set.find(c) != std::string_view::npos;
}

bool is_keyword(std::string_view word) {
  static constexpr std::array<std::string_view, 7> keywords = {
      "with", "assert", "if", "then", "else", "let", "in"};
  return std::find(keywords.begin(), keywords.end(), word) != keywords.end();
}

enum class Mode { expression, string, indented };

/// What is open: a bracket, an interpolation or a string.
struct Level {
  Mode mode = Mode::expression;
  std::size_t unfinished = 0;
  std::size_t inherit = none;  ///< Where one began that has no names yet.
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {
    result_.dialect = text;
  }

  Prescan run() {
    levels_.emplace_back();
    while (at_ < text_.size() && !result_.too_deep) {
      switch (levels_.back().mode) {
        case Mode::expression:
          expression();
          break;
        case Mode::string:
          string();
          break;
        case Mode::indented:
          indented();
          break;
      }
    }
    return std::move(result_);
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }

  void open(Mode mode, std::size_t length) {
    at_ += length;
    levels_.push_back({mode});
    result_.too_deep = levels_.size() > max_brackets;
  }

  void close(std::size_t length) {
    at_ += length;
    unfinished_ -= levels_.back().unfinished;
    if (levels_.size() > 1)
      levels_.pop_back();
    else
      levels_.back().unfinished = 0;
  }

  void expect_more() {
    ++levels_.back().unfinished;
    result_.too_deep = ++unfinished_ > max_unfinished;
  }

  void skip_until(std::string_view set) {
    at_ = std::min(text_.find_first_of(set, at_), text_.size());
  }

  bool skip_comment() {
    if (rest().starts_with('#')) {
      skip_until("\r\n");
      if (at_ < text_.size())
        result_.dialect[at_] = '\n';
    } else if (rest().starts_with("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
    } else {
      return false;
    }
    return true;
  }

  void expression() {
    if (is_one_of(text_[at_], " \t\r\n")) {
      ++at_;
      return;
    }
    if (skip_comment())
      return;
    const std::size_t comma = std::exchange(comma_, none);
    const std::size_t begin = at_;
    const std::size_t inherit =
        std::exchange(levels_.back().inherit,
                      text_[at_] == '(' ? levels_.back().inherit : none);
    if (is_letter(text_[at_]))
      word();
    else if (text_[at_] == ';' && inherit != none)
      erase_inherit(inherit);
    else if (rest().starts_with("''"))
      open(Mode::indented, 2);
    else if (rest().starts_with("${"))
      open(Mode::expression, 2);
    else if (rest().starts_with("..."))
      at_ += 3;
    else
      symbol(comma);
    previous_ = text_.substr(begin, at_ - begin);
  }

  void erase_inherit(std::size_t begin) {
    ++at_;
    result_.dialect.replace(begin, at_ - begin, at_ - begin, ' ');
  }

  void symbol(std::size_t comma) {
    const char c = text_[at_];
    if (c == '"') {
      open(Mode::string, 1);
    } else if (is_one_of(c, "{[(")) {
      open(Mode::expression, 1);
    } else if (is_one_of(c, "}])")) {
      if (c == '}' && comma != none)
        result_.dialect[comma] = ' ';
      close(1);
    } else {
      if (c == ',' && previous_ != "..." && previous_ != "{")
        comma_ = at_;
      else if (is_one_of(c, ":!-+*/<>&|?@"))
        expect_more();
      ++at_;
    }
  }

  /// An identifier, a keyword or a URI, which may hold what looks like the
  /// begin of a comment (lexer.l, URI).
  void word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (is_letter(text_[at_]) || is_digit(text_[at_]) ||
            is_one_of(text_[at_], "'-")))
      ++at_;
    std::size_t scheme = at_;
    while (scheme < text_.size() &&
           (is_letter(text_[scheme]) || is_digit(text_[scheme]) ||
            is_one_of(text_[scheme], "+-.")))
      ++scheme;
    const auto in_uri = [](char c) {
      return is_letter(c) || is_digit(c) || is_one_of(c, "%/?:@&=+$,-.!~*'");
    };
    if (scheme + 1 < text_.size() && text_[scheme] == ':' &&
        in_uri(text_[scheme + 1])) {
      at_ = scheme + 1;
      while (at_ < text_.size() && in_uri(text_[at_]))
        ++at_;
    } else if (text_.substr(begin, at_ - begin) == "inherit") {
      levels_.back().inherit = begin;
    } else if (is_keyword(text_.substr(begin, at_ - begin))) {
      expect_more();
    }
  }

  void string() {
    if (rest().starts_with("${"))
      open(Mode::expression, 2);
    else if (text_[at_] == '"')
      close(1);
    else
      at_ += is_one_of(text_[at_], "\\") || rest().starts_with("$$") ? 2U : 1U;
  }

  void indented() {
    if (rest().starts_with("'''") || rest().starts_with("''$"))
      at_ += 3;
    else if (rest().starts_with("''\\"))
      at_ += 4;
    else if (rest().starts_with("''"))
      close(2);
    else if (rest().starts_with("${"))
      open(Mode::expression, 2);
    else if (rest().starts_with("'${"))
      result_.dialect[at_++] = '_';
    else
      at_ += rest().starts_with("$$") ? 2U : 1U;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Level> levels_;
  std::size_t unfinished_ = 0;
  std::size_t comma_ = none;  ///< Of the token before, if it was a comma.
  std::string_view previous_;
  Prescan result_;
};

}  // namespace

Prescan prescan(std::string_view text) {
  return Scanner(text).run();
}

}  // namespace autopin::nix
