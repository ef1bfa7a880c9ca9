// More lines at the end of a shell script that is a string.

#include <algorithm>

#include "base/text.h"
#include "nix/edit.h"
#include "nix/layout.h"

namespace autopin::nix {
namespace {

/// The bytes of the string that are its own, not an interpolation's.
bool is_own(const Source& source, const Expr& string, std::size_t byte) {
  return std::none_of(string.children.begin(), string.children.end(),
                      [&](ExprId child) {
                        const Range range = source.at(child).range;
                        return range.begin <= byte && byte < range.end;
                      });
}

/// Leading blanks of the line of the string that has the fewest; nothing where
/// all of its text is on the line of the opening quotes.
std::optional<std::string> least_indentation(const Source& source,
                                             const Expr& string) {
  std::optional<std::string> least;
  const std::string& text = source.text();
  for (std::size_t at = text.find('\n', string.inner.begin);
       at < string.inner.end; at = text.find('\n', at + 1)) {
    const std::size_t begin = text.find_first_not_of(" \t", at + 1);
    if (begin >= string.inner.end || text[begin] == '\n' ||
        text[begin] == '\r' || !is_own(source, string, at))
      continue;
    std::string indent = text.substr(at + 1, begin - at - 1);
    if (!least || indent.size() < least->size())
      least = std::move(indent);
  }
  return least;
}

std::string raw_lines(const Insertion& insertion) {
  std::string text;
  if (!insertion.comment.empty())
    text = "# " + one_line(insertion.comment) + "\n";
  text += insertion.text;
  while (text.ends_with('\n'))
    text.pop_back();
  return replace_all(std::move(text), "\r\n", "\n");
}

/// The lines as they stand in ''…'', each with its line end.
std::string indented_lines(const Source& source, const Insertion& insertion,
                           std::string_view indent) {
  std::string lines;
  const std::string raw = raw_lines(insertion);
  for (const std::string_view line : lines_of(raw)) {
    if (!line.empty())
      lines += indent;
    lines += escape_indented(line) + line_end_of(source);
  }
  return lines;
}

Edit append_indented(const Source& source, const Expr& string,
                     const Insertion& insertion) {
  const std::string end = line_end_of(source);
  const std::size_t close = string.inner.end;
  const std::string_view inside = source.text_of(string.inner);
  const std::string outer = indentation_at(source, string.range.begin);
  const std::string indent = least_indentation(source, string)
                                 .value_or(outer + indentation_unit(source));
  const std::string lines = indented_lines(source, insertion, indent);
  if (has_line_end(inside)) {
    if (starts_line(source, close)) {
      const std::size_t place = line_begin(source, close);
      return {{place, place}, lines};
    }
    // The end of the text shares its line with the quotes: so does the new one.
    return {{close, close}, end + lines.substr(0, lines.size() - end.size())};
  }
  // One line becomes several: it moves to a line of its own.
  const std::string_view kept = trim(inside);
  std::string text = end;
  if (!kept.empty())
    text += indent + std::string(kept) + end;
  return {string.inner, text + lines + outer};
}

std::string quoted_inside(std::string_view text) {
  const std::string quoted = quote(text);
  return quoted.substr(1, quoted.size() - 2);
}

Edit append_quoted(const Source& source, const Expr& string,
                   const Insertion& insertion) {
  const std::string_view inside = source.text_of(string.inner);
  const std::size_t close = string.inner.end;
  if (has_line_end(inside)) {
    const bool ends_line = starts_line(source, close);
    const std::string indent = least_indentation(source, string).value_or("");
    const std::string raw = raw_lines(insertion);
    std::string lines;
    for (const std::string_view line : lines_of(raw))
      lines += (lines.empty() ? "" : line_end_of(source)) + indent +
               quoted_inside(line);
    const std::size_t place = ends_line ? line_begin(source, close) : close;
    return {
        {place, place},
        ends_line ? lines + line_end_of(source) : line_end_of(source) + lines};
  }
  const bool ends_line = inside.ends_with("\\n");
  std::string text = inside.empty() || ends_line ? "" : "\\n";
  text += quoted_inside(raw_lines({insertion.text, {}}));
  if (ends_line)
    text += "\\n";
  if (insertion.comment.empty())
    return {{close, close}, std::move(text)};
  // Past the closing quote, for the comment to be Nix's and not the shell's.
  return {{close, close + 1},
          text + "\" " + std::string(trim(as_words({"", insertion.comment})))};
}

}  // namespace

Edit append_words(const Source& source, ExprId id, const Insertion& insertion) {
  const Expr& string = source.at(id);
  const std::string_view inside = source.text_of(string.inner);
  const std::size_t last = inside.find_last_not_of(" \t\r\n");
  const bool empty = last == std::string_view::npos;
  const std::size_t place = string.inner.begin + (empty ? 0 : last + 1);
  std::string text = (empty ? "" : " ");
  text += string.kind == ExprKind::indented_string
              ? escape_indented(insertion.text)
              : quoted_inside(insertion.text);
  text += source.text_of({place, string.range.end});
  if (!insertion.comment.empty())
    text += " " + std::string(trim(as_words({"", insertion.comment})));
  return {{place, string.range.end}, std::move(text)};
}

Edit append_lines(const Source& source, ExprId id, const Insertion& insertion) {
  const Expr& string = source.at(id);
  return string.kind == ExprKind::indented_string
             ? append_indented(source, string, insertion)
             : append_quoted(source, string, insertion);
}

}  // namespace autopin::nix
