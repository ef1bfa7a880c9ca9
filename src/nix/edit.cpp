#include "nix/edit.h"

#include <algorithm>

#include "base/text.h"
#include "nix/layout.h"

namespace autopin::nix {
namespace {

bool overlap(const Range& a, const Range& b) {
  if (a == b)
    return a.begin != a.end;
  return a.begin < b.end && b.begin < a.end;
}

}  // namespace

bool EditSet::add(Edit edit) {
  for (const Edit& other : edits_) {
    if (overlap(edit.range, other.range))
      return false;
  }
  // After those at the same place: insertions keep the order they came in, and
  // come before what replaces the text that follows them.
  const auto place = std::upper_bound(
      edits_.begin(), edits_.end(), edit, [](const Edit& a, const Edit& b) {
        return a.range.begin != b.range.begin ? a.range.begin < b.range.begin
                                              : a.range.end < b.range.end;
      });
  edits_.insert(place, std::move(edit));
  return true;
}

bool EditSet::add_all(const std::vector<Edit>& edits) {
  const std::vector<Edit> before = edits_;
  for (const Edit& edit : edits) {
    if (!add(edit)) {
      edits_ = before;
      return false;
    }
  }
  return true;
}

std::string EditSet::apply(std::string_view text) const {
  const bool crlf = line_end_of(text) == "\r\n";
  std::string result;
  std::size_t done = 0;
  for (const Edit& edit : edits_) {
    result += text.substr(done, edit.range.begin - done);
    result +=
        crlf ? replace_all(replace_all(edit.text, "\r\n", "\n"), "\n", "\r\n")
             : edit.text;
    done = edit.range.end;
  }
  result += text.substr(done);
  return result;
}

std::string as_item(std::string_view text) {
  const std::string_view trimmed = trim(text);
  const Source source = Source::parse(std::string(trimmed));
  const Expr& root = source.at(source.root());
  bool simple = !source.has_errors();
  switch (root.kind) {
    case ExprKind::variable:
    case ExprKind::select:
    case ExprKind::attrset:
    case ExprKind::list:
    case ExprKind::string:
    case ExprKind::indented_string:
    case ExprKind::path:
    case ExprKind::search_path:
    case ExprKind::uri:
    case ExprKind::number:
    case ExprKind::parenthesized:
      break;
    default:
      simple = false;
  }
  if (simple)
    return std::string(trimmed);
  // A comment at the end would take the parenthesis with it.
  const bool open_comment =
      ends_in_line_comment(source, root.range.end, trimmed.size());
  return "(" + std::string(trimmed) + (open_comment ? "\n)" : ")");
}

Edit replace_expr(const Source& source, ExprId id, std::string_view text) {
  const Range range = source.at(id).range;
  const std::string lines = as_lines(source, {std::string(text), {}},
                                     indentation_at(source, range.begin));
  // The first line goes where the expression began.
  const std::size_t first = lines.find_first_not_of(" \t");
  return {range, first == std::string::npos ? "" : lines.substr(first)};
}

std::vector<Edit> wrap_expr(const Source& source, ExprId id,
                            std::string_view before, std::string_view after) {
  const Range range = source.at(id).range;
  return {{{range.begin, range.begin}, std::string(before)},
          {{range.end, range.end}, std::string(after)}};
}

}  // namespace autopin::nix
