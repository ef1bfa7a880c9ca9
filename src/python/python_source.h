#pragma once
// As much of Python's grammar as it takes to find literal values in a
// setup.py: tokens (Python reference, 2 "Lexical analysis") and expressions
// made of literals, names bound to them, "+" and a few pure methods. Anything
// else is unknown, never guessed. Private to this folder.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace autopin::python {

struct Token {
  enum class Kind { name, text, number, op, newline, end };
  Kind kind = Kind::end;
  /// The name, operator or number as written; of a string its value.
  std::string text;
  /// Of the line on which a statement starts; on newline tokens unused.
  int indent = 0;
  /// A string whose value is computed (an f-string).
  bool computed = false;

  bool is_op(std::string_view op) const {
    return kind == Kind::op && text == op;
  }
  bool is_name(std::string_view name) const {
    return kind == Kind::name && text == name;
  }
};

/// Never fails: what cannot be read becomes an operator token.
std::vector<Token> tokenize_python(std::string_view source);

struct LiteralEntry;

/// A value as far as it is literal.
struct Literal {
  enum class Kind { unknown, other, text, list, dict };
  Kind kind = Kind::unknown;
  std::string text;
  std::vector<Literal> items;  // list, tuple, set
  std::vector<LiteralEntry> entries;
  /// Something in it is unknown, or may be added or taken away later.
  bool partial = false;

  bool is_partial() const { return kind == Kind::unknown || partial; }
};

struct LiteralEntry {
  Literal key;
  Literal value;
};

using LiteralScope = std::map<std::string, Literal>;

/// Reads expressions from tokens, looking names up in scopes, innermost last.
class LiteralReader {
 public:
  LiteralReader(const std::vector<Token>& tokens,
                const std::vector<LiteralScope>& scopes)
      : tokens_(tokens), scopes_(scopes) {}

  /// Reads the expression at `at`, up to the "," or closing bracket or line
  /// end behind it, and moves `at` there.
  Literal read(std::size_t& at);

  /// Reads "name=value, **mapping, …)" behind an opening parenthesis into a
  /// dict, and moves `at` behind the closing one.
  Literal read_keywords(std::size_t& at);

 private:
  Literal read_sum(std::size_t& at);
  Literal read_postfix(std::size_t& at);
  Literal read_atom(std::size_t& at);
  Literal read_list(std::size_t& at, std::string_view close);
  Literal read_braces(std::size_t& at);
  Literal look_up(const std::string& name);
  void skip_expression(std::size_t& at) const;
  bool ends_expression(std::size_t at) const;

  const std::vector<Token>& tokens_;
  const std::vector<LiteralScope>& scopes_;
  int depth_ = 0;
  /// What names may still be copied to: "a = a + a" doubles, line by line.
  std::size_t budget_ = 1'000'000;
};

/// `left + right` where it is literal.
Literal add_literals(Literal left, const Literal& right);

}  // namespace autopin::python
