#pragma once
// A Nix file as byte ranges into its own text. Edits are splices of those
// ranges (edit.h); nothing is ever printed back from a tree.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace autopin::nix {

/// Half-open, in bytes of the file's text.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool contains(const Range& other) const {
    return begin <= other.begin && other.end <= end;
  }
  bool operator==(const Range&) const = default;
};

/// The old `let { …; body = …; }` is a `let` whose body is that binding's
/// value.
enum class ExprKind {
  variable,
  select,  ///< e.a.b, with or without `or`
  has_attr,
  apply,
  attrset,  ///< { } and rec { }
  list,
  function,
  let,
  with,
  assertion,
  conditional,
  string,           ///< "…"
  indented_string,  ///< ''…''
  path,             ///< ./x, /x, ~/x
  search_path,      ///< <nixpkgs>
  uri,
  number,
  unary,
  binary,
  parenthesized,
  unknown  ///< A node the parser could not make sense of.
};

/// Index of an expression in its Source; children come after their parent.
using ExprId = std::size_t;
inline constexpr ExprId no_expr = static_cast<ExprId>(-1);

/// One name of an attribute path; `text` is what it means (quotes taken off),
/// and empty where it is computed ("${…}").
struct AttrName {
  std::string text;
  Range range;
};

/// `a.b = value;`, or one `inherit …;` with all its names.
struct Binding {
  std::vector<AttrName> path;  ///< For an inherit: the names, each by itself.
  ExprId value = no_expr;      ///< no_expr for an inherit.
  bool is_inherit = false;
  ExprId inherit_from = no_expr;  ///< `inherit (from) …`
  Range range;                    ///< The `;` included.
};

struct Formal {
  std::string name;
  ExprId fallback = no_expr;  ///< After `?`.
  Range range;
};

/// One expression. Which members mean something depends on `kind`.
struct Expr {
  ExprKind kind = ExprKind::unknown;
  Range range;
  /// What is between the delimiters: attrset, list, parenthesized, the strings,
  /// and let (from after `let` to before `in`). The whole range elsewhere.
  Range inner;
  ExprId parent = no_expr;
  /// Direct sub-expressions in source order (of interpolations too).
  std::vector<ExprId> children;

  std::string name;  ///< variable; function with one plain parameter, or `@`.

  ExprId function = no_expr;  ///< apply
  ExprId argument = no_expr;  ///< apply

  ExprId base = no_expr;  ///< select, has_attr; `with`, `assert`: the head
  std::vector<AttrName> attrpath;  ///< select, has_attr
  ExprId fallback = no_expr;       ///< select: after `or`

  bool is_rec = false;            ///< attrset
  std::vector<Binding> bindings;  ///< attrset, let
  std::vector<ExprId> items;      ///< list

  bool has_formals = false;     ///< function: { … }: rather than x:
  std::vector<Formal> formals;  ///< function
  bool has_ellipsis = false;    ///< function
  Range formals_range;          ///< function: the braces included

  ExprId body = no_expr;  ///< function, let, with, assert, parenthesized

  std::string op;  ///< unary, binary

  /// string, indented_string, path, search_path (what is between < and >),
  /// uri, number: the value where nothing in it is computed.
  std::optional<std::string> literal;
};

class Source {
 public:
  /// Never fails: where `text` is no Nix, has_errors() says so. So it does for
  /// expressions nested deeper than any that people write; those are not read
  /// further, so that a walk over a Source may be recursive.
  static Source parse(std::string text);

  const std::string& text() const { return text_; }
  std::string_view text_of(ExprId id) const;
  std::string_view text_of(Range range) const;
  bool has_errors() const { return has_errors_; }
  /// Line (1-based) of a byte.
  std::size_t line_of(std::size_t byte) const;

  ExprId root() const { return 0; }
  const Expr& at(ExprId id) const { return exprs_[id]; }
  std::size_t size() const { return exprs_.size(); }

  /// `id` without the parentheses around it.
  ExprId strip(ExprId id) const;
  /// The binding of `name` (a path of one) in an attrset or let, if any.
  const Binding* find_binding(ExprId attrset, std::string_view name) const;
  /// The innermost expression with exactly this range.
  std::optional<ExprId> find(Range range) const;

 private:
  std::string text_;
  std::vector<Expr> exprs_;
  bool has_errors_ = false;
};

}  // namespace autopin::nix
