// One more item in [ … ].

#include "nix/edit.h"
#include "nix/layout.h"

namespace autopin::nix {
namespace {

Edit insert_at(std::size_t byte, std::string text) {
  return {{byte, byte}, std::move(text)};
}

Edit into_empty(const Source& source, const Expr& list,
                const Insertion& insertion) {
  const std::size_t place =
      after_all_comments(source, list.inner.begin, list.inner.end);
  const std::string words = as_words(insertion);
  if (!has_line_end(source.text_of(list.inner)) &&
      !has_line_end(insertion.text) && insertion.comment.empty() &&
      fits_line(source, place, words.size() + 1)) {
    const bool has_blank_after = place < list.inner.end;
    return insert_at(place, " " + words + (has_blank_after ? "" : " "));
  }
  const std::string end = line_end_of(source);
  const std::string outer = indentation_at(source, list.range.begin);
  std::string text =
      end + as_lines(source, insertion, outer + indentation_unit(source));
  if (starts_line(source, list.inner.end))
    return insert_at(place, std::move(text));
  return {{place, list.inner.end}, text + end + outer};
}

}  // namespace

ExprId innermost(const Source& source, ExprId id) {
  while (true) {
    const Expr& expr = source.at(id);
    const bool wraps =
        expr.kind == ExprKind::parenthesized || expr.kind == ExprKind::with ||
        expr.kind == ExprKind::let || expr.kind == ExprKind::assertion;
    if (!wraps || expr.body == no_expr)
      return id;
    id = expr.body;
  }
}

std::optional<ExprId> list_in(const Source& source, ExprId id) {
  id = innermost(source, id);
  return source.at(id).kind == ExprKind::list ? std::optional(id)
                                              : std::nullopt;
}

Edit append_item(const Source& source, ExprId id, const Insertion& insertion) {
  const Expr& list = source.at(id);
  if (list.items.empty())
    return into_empty(source, list, insertion);

  const Range last = source.at(list.items.back()).range;
  const std::string words = as_words(insertion);
  const bool one_line = !has_line_end(source.text_of(list.range));
  const bool has_own_line = starts_line(source, last.begin);
  const bool shares_line = one_line || !has_own_line;
  if (shares_line && !has_line_end(insertion.text) &&
      (one_line || insertion.comment.empty()) &&
      fits_line(source, last.end, words.size() + 1))
    return insert_at(last.end, " " + words);

  const std::string indent =
      has_own_line
          ? indentation_at(source, last.begin)
          : indentation_at(source, list.range.begin) + indentation_unit(source);
  const std::size_t place = after_comments(source, last.end, list.inner.end);
  return insert_at(place,
                   line_end_of(source) + as_lines(source, insertion, indent));
}

}  // namespace autopin::nix
