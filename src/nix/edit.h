#pragma once
// Edits of a Nix file: byte ranges and what replaces them. A set of edits has
// no two that overlap; what is outside their ranges stays byte for byte.

#include <string>
#include <string_view>
#include <vector>

#include "nix/source.h"

namespace autopin::nix {

struct Edit {
  Range range;
  std::string text;
  bool operator==(const Edit&) const = default;
};

class EditSet {
 public:
  /// False, and nothing added, where it overlaps one that is there. Two
  /// insertions at one place are kept in the order they came.
  bool add(Edit edit);
  bool add_all(const std::vector<Edit>& edits);
  bool empty() const { return edits_.empty(); }
  const std::vector<Edit>& edits() const { return edits_; }
  std::string apply(std::string_view text) const;

 private:
  std::vector<Edit> edits_;  // by position
};

/// How text is spelled in Nix source. Hostile input is safe in all of these.
/// "…" with ", \, ${ and line ends escaped.
std::string quote(std::string_view value);
/// A word as POSIX sh reads it, quoted only where it must be.
std::string shell_quote(std::string_view word);
/// The inside of ''…'' for text that is to stand there as it is: '' and ${
/// escaped.
std::string escape_indented(std::string_view raw);
/// An attribute name, quoted where it is no identifier or is a keyword.
std::string attr_name(std::string_view name);
bool is_identifier(std::string_view name);

/// The line end that the file uses, and the indentation of the line that holds
/// a byte (its leading blanks and tabs as they are).
std::string line_end_of(const Source& source);
std::string indentation_at(const Source& source, std::size_t byte);
/// One more step of indentation, as this file does it ("  ", "    " or "\t").
std::string indentation_unit(const Source& source);

/// An expression's text as an item of a list: in parentheses where Nix would
/// read it as several items or as none.
std::string as_item(std::string_view text);

/// What is put into a file: lines without indentation of their own beyond the
/// relative one, two spaces a step (it becomes the file's); `comment` (may be
/// empty; line ends and `*/` in it do no harm) becomes a `# …` line before it,
/// or a /* … */ where the place has no lines of its own.
struct Insertion {
  std::string text;
  std::string comment;
};

/// { … } + `text` (such as `doCheck = false;`, possibly several lines) as its
/// last binding; a one-line attrset stays on one line while that is short. Also
/// for the bindings of a `let`.
Edit add_binding(const Source& source, ExprId attrset,
                 const Insertion& insertion);
/// Without one of its bindings, and without its lines where they hold nothing
/// else. Comments stay.
Edit remove_binding(const Source& source, ExprId attrset, std::size_t index);
/// [ … ] without one of its items, in the same way.
Edit remove_item(const Source& source, ExprId list, std::size_t index);
/// [ … ] + one item right after the last one. Where items have lines of their
/// own it gets one too, after the comments that end the last one's line; else
/// it comes before them.
Edit append_item(const Source& source, ExprId id, const Insertion& insertion);
/// What `id` is in the end, through parentheses and the bodies of `with`, `let`
/// and `assert`.
ExprId innermost(const Source& source, ExprId id);
/// The list that `id` is in the end: the one to append to.
std::optional<ExprId> list_in(const Source& source, ExprId id);
/// ''…'' + lines of shell at its end, indented like the others. Also for
/// "…" strings, as "\n"-joined text. `text` is what the shell is to see: what
/// would be an interpolation in it is escaped. The comment is one of the shell
/// script, except for a "…" on one line, which it follows as a /* … */.
Edit append_lines(const Source& source, ExprId id, const Insertion& insertion);
/// "…" or ''…'' + more words at its end, a blank before them; the comment
/// follows the string.
Edit append_words(const Source& source, ExprId id, const Insertion& insertion);
/// { a, b }: + one more formal, as the file separates them.
Edit add_formal(const Source& source, ExprId id, std::string_view new_name);
/// The expression replaced. Continuation lines of `text` are indented to where
/// the expression stands (so it is not for text that stood there before: see
/// wrap_expr).
Edit replace_expr(const Source& source, ExprId id, std::string_view text);
/// `before` and `after` around an expression, which stays as it is. To wrap
/// expressions that begin or end together, add all the first edits in order of
/// id, then all the second ones in the opposite order.
std::vector<Edit> wrap_expr(const Source& source, ExprId id,
                            std::string_view before, std::string_view after);

}  // namespace autopin::nix
