// One more binding in { … } or in a let, or one less; or an item less.

#include <algorithm>

#include "base/text.h"
#include "nix/edit.h"
#include "nix/layout.h"

namespace autopin::nix {
namespace {

/// The indentation that the bindings of this set have: of the last one that
/// begins its line, else one step more than the line the set begins on.
std::string indentation_of_bindings(const Source& source, const Expr& set) {
  for (auto binding = set.bindings.rbegin(); binding != set.bindings.rend();
       ++binding) {
    if (starts_line(source, binding->range.begin))
      return indentation_at(source, binding->range.begin);
  }
  return indentation_at(source, set.range.begin) + indentation_unit(source);
}

Edit insert_at(std::size_t byte, std::string text) {
  return {{byte, byte}, std::move(text)};
}

/// Nothing in the set yet, but maybe comments.
Edit into_empty(const Source& source, const Expr& set,
                const Insertion& insertion) {
  const std::string end = line_end_of(source);
  const std::string_view inside = source.text_of(set.inner);
  const std::size_t place =
      after_all_comments(source, set.inner.begin, set.inner.end);
  if (!has_line_end(inside) && insertion.comment.empty() &&
      !has_line_end(insertion.text) &&
      fits_line(source, place, insertion.text.size())) {
    const bool has_blank_after = place < set.inner.end;
    return insert_at(place,
                     " " + insertion.text + (has_blank_after ? "" : " "));
  }
  std::string text =
      end + as_lines(source, insertion, indentation_of_bindings(source, set));
  const std::string_view tail = source.text_of({place, set.inner.end});
  if (starts_line(source, set.inner.end) || !trim(tail).empty())
    return insert_at(place, std::move(text));
  // What was between the braces, blanks at most, goes.
  return {{place, set.inner.end},
          text + end + indentation_at(source, set.range.begin)};
}

/// Without what is in `range`; with its lines where it has them to itself.
Edit remove_piece(const Source& source, const Range& range) {
  const std::string& text = source.text();
  const std::size_t stop = line_stop(source, range.end);
  if (starts_line(source, range.begin) &&
      after_comments(source, range.end, stop) == range.end &&
      trim(source.text_of({range.end, stop})).empty()) {
    // Its lines are its own: they go with it.
    const std::size_t next = text.find('\n', stop);
    return {{line_begin(source, range.begin),
             next == std::string::npos ? text.size() : next + 1},
            ""};
  }
  // With the blank before it; where it begins its line, the one after it.
  std::size_t begin = range.begin;
  std::size_t end = range.end;
  if (starts_line(source, begin))
    end = std::min(text.find_first_not_of(" \t", end), stop);
  else
    begin = text.find_last_not_of(" \t", begin - 1) + 1;
  return {{begin, end}, ""};
}

}  // namespace

Edit add_binding(const Source& source, ExprId attrset,
                 const Insertion& insertion) {
  const Expr& set = source.at(attrset);
  if (set.bindings.empty())
    return into_empty(source, set, insertion);

  const std::size_t last = set.bindings.back().range.end;
  const std::string words = as_words(insertion);
  if (!has_line_end(source.text_of(set.inner)) &&
      !has_line_end(insertion.text) &&
      fits_line(source, last, words.size() + 1))
    return insert_at(last, " " + words);

  const std::size_t place = after_comments(source, last, set.inner.end);
  std::string text =
      line_end_of(source) +
      as_lines(source, insertion, indentation_of_bindings(source, set));
  return insert_at(place, std::move(text));
}

Edit remove_binding(const Source& source, ExprId attrset, std::size_t index) {
  return remove_piece(source, source.at(attrset).bindings[index].range);
}

Edit remove_item(const Source& source, ExprId list, std::size_t index) {
  return remove_piece(source, source.at(source.at(list).items[index]).range);
}

}  // namespace autopin::nix
