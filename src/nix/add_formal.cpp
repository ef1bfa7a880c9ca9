// One more name in { a, b }:

#include "nix/edit.h"
#include "nix/layout.h"

namespace autopin::nix {
namespace {

Edit insert_at(std::size_t byte, std::string text) {
  return {{byte, byte}, std::move(text)};
}

/// { } and { ... }
Edit first_formal(const Source& source, const Expr& function,
                  const std::string& name) {
  const Range inside = {function.formals_range.begin + 1,
                        function.formals_range.end - 1};
  if (function.has_ellipsis) {
    const std::size_t dots = source.text().rfind("...", inside.end - 1);
    return insert_at(dots, name + ", ");
  }
  const std::size_t place =
      after_all_comments(source, inside.begin, inside.end);
  if (ends_in_line_comment(source, inside.begin, place))
    return insert_at(place, line_end_of(source) +
                                indentation_at(source, inside.begin) +
                                indentation_unit(source) + name);
  return insert_at(place, " " + name + (place < inside.end ? "" : " "));
}

}  // namespace

Edit add_formal(const Source& source, ExprId id, std::string_view new_name) {
  const Expr& function = source.at(id);
  const std::string name(new_name);
  if (function.formals.empty())
    return first_formal(source, function, name);

  const std::string end = line_end_of(source);
  const std::size_t limit = function.formals_range.end - 1;
  const Range last = function.formals.back().range;
  const std::size_t comma = after_comma(source, last.end, limit);
  const bool has_comma = comma != last.end;
  const std::size_t before_last = line_begin(source, last.begin);
  const std::size_t lead = source.text().find_first_not_of(" \t", before_last);
  const bool leads_with_comma =
      lead < last.begin && source.text()[lead] == ',' &&
      source.text().find_first_not_of(" \t", lead + 1) >= last.begin;
  const bool comma_on_next_line =
      has_comma && has_line_end(source.text_of({last.end, comma}));

  // , a     or  { a
  // , b         , b
  if (leads_with_comma || comma_on_next_line) {
    const std::size_t place = after_comments(source, last.end, limit);
    std::size_t model = leads_with_comma ? last.begin : comma - 1;
    return insert_at(place, end + indentation_at(source, model) + ", " + name);
  }
  // a, b
  if (!starts_line(source, last.begin)) {
    if (fits_line(source, last.end, name.size() + 2))
      return insert_at(last.end, ", " + name);
    return insert_at(
        last.end, end + indentation_at(source, function.formals_range.begin) +
                      ", " + name);
  }
  // a,
  // b,
  const std::string line = end + indentation_at(source, last.begin) + name;
  if (has_comma)
    return insert_at(after_comments(source, comma, limit), line + ",");
  const std::size_t place = after_comments(source, last.end, limit);
  return {{last.end, place},
          "," + std::string(source.text_of({last.end, place})) + line};
}

}  // namespace autopin::nix
