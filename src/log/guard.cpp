#include "log/guard.h"

#include <algorithm>
#include <optional>
#include <set>

#include "log/commonness.h"
#include "log/known_text.h"

namespace autopin {

namespace {

/// Reads the part of RE2's syntax that rules use; all else is "not understood",
/// and then there is no guard.
class Reader {
 public:
  /// Not `thorough`: only what stands in every match counts, no alternatives,
  /// which is quick and mostly enough.
  Reader(std::string_view text, bool thorough)
      : text_(text), thorough_(thorough) {}

  Guard read() {
    Known known = alternation();
    Guard guard;
    guard.understood = ok_ && at_ == text_.size();
    if (!guard.understood)
      return guard;
    Texts texts = known.exact ? shortest_of(std::move(known.begin))
                              : std::move(known.inside);
    guard.cost = texts.empty() ? no_guard_cost : cost_of(texts);
    if (guard.cost < no_guard_cost)
      guard.texts = std::move(texts);
    guard.fold = any_fold_;
    if (guard.fold)
      for (std::string& text : guard.texts)
        for (char& c : text)
          c = lower(c);
    return guard;
  }

 private:
  static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }

  bool more() const { return ok_ && at_ < text_.size(); }
  char peek() const { return text_[at_]; }
  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word)
      return false;
    at_ += word.size();
    return true;
  }
  Known refuse() {
    ok_ = false;
    return anything();
  }

  Known alternation() {
    if (++depth_ > 100)
      return refuse();
    const bool outer_fold = fold_;
    std::vector<Known> branches;
    do
      branches.push_back(sequence());
    while (ok_ && take("|"));
    fold_ = outer_fold;
    --depth_;
    if (branches.size() == 1)
      return std::move(branches[0]);
    return thorough_ ? alternate(branches) : anything();
  }

  Known sequence() {
    std::vector<Known> pieces;
    while (more() && peek() != '|' && peek() != ')') {
      if (std::string plain = plain_text(); !plain.empty()) {
        pieces.push_back(one_of({std::move(plain)}));
        continue;
      }
      const bool counted_before = counted_;
      counted_ = false;
      Known piece = atom();
      pieces.push_back(quantified(std::move(piece)));
      counted_ = counted_ || counted_before;
    }
    return concatenate(pieces);
  }

  /// Characters that stand for themselves, as many as are not quantified.
  std::string plain_text() {
    std::size_t end = at_;
    while (end < text_.size() && is_plain(text_[end]))
      ++end;
    if (end < text_.size() && end > at_ && is_quantifier(text_[end]))
      --end;
    std::string plain(text_.substr(at_, end - at_));
    if (fold_)
      for (char& c : plain)
        c = lower(c);
    at_ = end;
    return plain;
  }

  static bool is_plain(char c) {
    return c == ' ' || c == ':' || is_digit(c) ||
           (lower(c) >= 'a' && lower(c) <= 'z');
  }

  static bool is_quantifier(char c) {
    return c == '*' || c == '+' || c == '?' || c == '{';
  }

  Known quantified(Known piece) {
    if (!more())
      return piece;
    const std::size_t before = at_;
    int least = 1;
    int most = 1;
    if (take("*")) {
      least = 0;
      most = -1;
    } else if (take("+")) {
      most = -1;
    } else if (take("?")) {
      least = 0;
    } else if (peek() == '{') {
      ++at_;
      if (!count(least, most) || counted_)
        return refuse();
      counted_ = true;
    } else {
      return piece;
    }
    if (piece.is_nothing() && at_ != before)
      return refuse();  // "(?i)*"
    take("?");
    // RE2 refuses a second one ("bad repetition operator").
    if (more() && is_quantifier(peek()))
      return refuse();
    return thorough_ || least > 0 ? repeat(piece, least, most) : anything();
  }

  /// What stands behind "{", with its "}". Small numbers only.
  bool count(int& least, int& most) {
    const auto number = [&](int& value) {
      const std::size_t begin = at_;
      value = 0;
      while (more() && is_digit(peek()) && at_ - begin < 3)
        value = value * 10 + (text_[at_++] - '0');
      return at_ > begin;
    };
    if (!number(least))
      return false;
    most = least;
    if (take(",") && !number(most))
      most = -1;
    return take("}") && (most < 0 || least <= most) && least <= 100 &&
           most <= 100;
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  Known atom() {
    const char c = text_[at_++];
    switch (c) {
      case '(':
        return group();
      case '[':
        return klass();
      case '.':
        return anything();
      case '^':
      case '$':
        return one_of({"\n"});
      case '\\':
        return escape();
      case '*':
      case '+':
      case '?':
      case '{':
        return refuse();
      default:
        return literal(c);
    }
  }

  Known literal(char c) {
    // Latin-1 folds its letters too; no rule needs them.
    if (fold_ && (static_cast<unsigned char>(c) >= 0x80))
      return anything();
    return one_of({std::string(1, fold_ ? lower(c) : c)});
  }

  Known group() {
    if (take("?P<")) {
      const std::size_t end = text_.find('>', at_);
      if (end == std::string_view::npos || end == at_)
        return refuse();
      const std::string name(text_.substr(at_, end - at_));
      at_ = end + 1;
      const bool word = std::all_of(name.begin(), name.end(), [](char c) {
        return is_digit(c) || c == '_' || (lower(c) >= 'a' && lower(c) <= 'z');
      });
      if (!word || !names_.insert(name).second)
        return refuse();
    } else if (take("?i)")) {
      fold_ = any_fold_ = true;
      return {};
    } else if (!take("?:") && more() && peek() == '?') {
      return refuse();
    }
    Known inner = alternation();
    if (!take(")"))
      return refuse();
    return inner;
  }

  static bool is_class_letter(char c) {
    return std::string_view("dDwWsS").find(c) != std::string_view::npos;
  }

  Known escape() {
    if (!more())
      return refuse();
    const char c = text_[at_++];
    if (c == 'b' || c == 'B')
      return {};
    if (c == 'd' && thorough_)
      return one_of({"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"});
    if (c == 's' && thorough_)
      return one_of({" ", "\t", "\f", "\r"});  // No line holds a line feed.
    if (is_class_letter(c))
      return anything();
    if (c == 't')
      return one_of({"\t"});
    if (is_punctuation(c))
      return literal(c);
    return refuse();
  }

  static bool is_punctuation(char c) {
    return c > ' ' && c < 0x7f && !is_digit(c) &&
           (lower(c) < 'a' || lower(c) > 'z');
  }

  /// Of a class only a few single characters are of use.
  Known klass() {
    const bool negated = take("^");
    Texts members;
    bool few = !negated && thorough_;
    for (bool first = true; more() && (first || peek() != ']'); first = false) {
      const std::optional<char> low = member(few);
      if (!ok_)
        return anything();
      if (!low)
        continue;
      char high = *low;
      if (at_ + 1 < text_.size() && peek() == '-' && text_[at_ + 1] != ']') {
        ++at_;
        bool single = true;
        const std::optional<char> end = member(single);
        if (!ok_ || !end ||
            static_cast<unsigned char>(*end) < static_cast<unsigned char>(*low))
          return refuse();
        high = *end;
      }
      for (int c = static_cast<unsigned char>(*low);
           few && c <= static_cast<unsigned char>(high); ++c) {
        members.emplace_back(1, static_cast<char>(c));
        few = members.size() <= 10 && c != '\n';
      }
    }
    if (!take("]"))
      return refuse();
    if (!few || fold_ || !thorough_)
      return anything();
    return one_of(std::move(members));
  }

  /// One character of a class; nothing for \w and its like, and then the class
  /// is not made of a few.
  std::optional<char> member(bool& few) {
    const char c = text_[at_++];
    if (c == '[' && more() && peek() == ':') {
      ok_ = false;
      return std::nullopt;
    }
    if (c != '\\')
      return c;
    if (!more()) {
      ok_ = false;
      return std::nullopt;
    }
    const char escaped = text_[at_++];
    if (is_class_letter(escaped)) {
      few = false;
      // "\w-x" would be no range.
      if (at_ + 1 < text_.size() && peek() == '-' && text_[at_ + 1] != ']')
        ok_ = false;
      return std::nullopt;
    }
    if (escaped == 't')
      return '\t';
    if (escaped == 'n')
      return '\n';
    if (is_punctuation(escaped))
      return escaped;
    ok_ = false;
    return std::nullopt;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool ok_ = true;
  bool thorough_;
  bool fold_ = false;
  bool any_fold_ = false;
  bool counted_ = false;  ///< A counted repetition is in the atom just read.
  int depth_ = 0;
  std::set<std::string> names_;
};

}  // namespace

Guard guard_of(std::string_view pattern) {
  Guard guard = Reader(pattern, false).read();
  if (guard.understood && guard.cost >= good_cost)
    guard = Reader(pattern, true).read();
  return guard;
}

}  // namespace autopin
