#include "nix/layout.h"

#include <algorithm>
#include <array>

#include "base/printable.h"
#include "base/text.h"

namespace autopin::nix {
namespace {

constexpr std::string_view blanks = " \t\r\n";

bool is_blank(char c) {
  return blanks.find(c) != std::string_view::npos;
}

/// The end of the comment that begins at `byte`, or `byte` where none does.
std::size_t comment_end(std::string_view text, std::size_t byte) {
  if (text.substr(byte, 1) == "#") {
    const std::size_t end = text.find_first_of("\r\n", byte);
    return end == std::string_view::npos ? text.size() : end;
  }
  if (text.substr(byte, 2) == "/*") {
    const std::size_t end = text.find("*/", byte + 2);
    return end == std::string_view::npos ? text.size() : end + 2;
  }
  return byte;
}

std::string_view leading_blanks(std::string_view line) {
  const std::size_t end = line.find_first_not_of(" \t");
  return line.substr(0, end == std::string_view::npos ? line.size() : end);
}

}  // namespace

bool has_line_end(std::string_view text) {
  return text.find('\n') != std::string_view::npos;
}

std::string line_end_of(const Source& source) {
  return line_end_of(std::string_view(source.text()));
}

std::string line_end_of(std::string_view text) {
  std::size_t both = 0;
  std::size_t all = 0;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos;
       at = text.find('\n', at + 1)) {
    ++all;
    if (at > 0 && text[at - 1] == '\r')
      ++both;
  }
  return both * 2 > all ? "\r\n" : "\n";
}

std::size_t line_begin(const Source& source, std::size_t byte) {
  if (byte == 0)
    return 0;
  const std::size_t end = source.text().rfind('\n', byte - 1);
  return end == std::string::npos ? 0 : end + 1;
}

std::size_t line_stop(const Source& source, std::size_t byte) {
  const std::string& text = source.text();
  std::size_t end = text.find('\n', byte);
  if (end == std::string::npos)
    return text.size();
  if (end > byte && text[end - 1] == '\r')
    --end;
  return end;
}

std::string indentation_at(const Source& source, std::size_t byte) {
  const std::size_t begin = line_begin(source, byte);
  return std::string(
      leading_blanks(source.text_of({begin, line_stop(source, begin)})));
}

bool starts_line(const Source& source, std::size_t byte) {
  const std::size_t begin = line_begin(source, byte);
  return source.text().find_first_not_of(" \t", begin) >= byte;
}

std::string indentation_unit(const Source& source) {
  constexpr std::size_t widest = 8;
  std::array<std::size_t, widest + 1> steps{};
  std::size_t tabs = 0;
  std::size_t spaces = 0;
  std::size_t before = 0;
  for (const std::string_view line : lines_of(source.text())) {
    const std::string_view indent = leading_blanks(line);
    if (trim(line).empty())
      continue;
    if (indent.starts_with('\t'))
      ++tabs;
    else if (!indent.empty())
      ++spaces;
    if (indent.size() > before && indent.size() - before <= widest)
      ++steps[indent.size() - before];
    before = indent.size();
  }
  if (tabs > spaces)
    return "\t";
  const auto most = std::max_element(steps.begin() + 1, steps.end());
  return *most == 0
             ? "  "
             : std::string(static_cast<std::size_t>(most - steps.begin()), ' ');
}

std::size_t after_comments(const Source& source, std::size_t byte,
                           std::size_t limit) {
  const std::string& text = source.text();
  std::size_t end = byte;
  for (std::size_t at = byte; at < limit;) {
    if (text[at] == ' ' || text[at] == '\t') {
      ++at;
      continue;
    }
    const std::size_t next = comment_end(text, at);
    if (next == at || next > limit || has_line_end(source.text_of({at, next})))
      break;
    end = at = next;
  }
  return end;
}

std::size_t after_all_comments(const Source& source, std::size_t begin,
                               std::size_t limit) {
  const std::string& text = source.text();
  std::size_t end = begin;
  for (std::size_t at = begin; at < limit;) {
    const std::size_t next = comment_end(text, at);
    if (next != at)
      end = at = std::min(next, limit);
    else
      ++at;
  }
  return end;
}

bool ends_in_line_comment(const Source& source, std::size_t begin,
                          std::size_t end) {
  const std::string& text = source.text();
  bool line_comment = false;
  for (std::size_t at = begin; at < end;) {
    const std::size_t next = comment_end(text, at);
    if (next != at) {
      line_comment = text[at] == '#';
      at = next;
    } else {
      line_comment = line_comment && text[at] != '\n' && text[at] != '\r';
      ++at;
    }
  }
  return line_comment;
}

std::size_t after_comma(const Source& source, std::size_t byte,
                        std::size_t limit) {
  const std::string& text = source.text();
  for (std::size_t at = byte; at < limit;) {
    const std::size_t next = comment_end(text, at);
    if (next != at)
      at = next;
    else if (text[at] == ',')
      return at + 1;
    else if (is_blank(text[at]))
      ++at;
    else
      break;
  }
  return byte;
}

std::string one_line(std::string_view comment) {
  return std::string(trim(printable_line(comment)));
}

namespace {

/// `line`, in which two spaces are one step, indented in the file's way.
std::string reindented(std::string_view line, std::string_view unit) {
  std::string indent;
  while (line.starts_with("  ")) {
    indent += unit;
    line.remove_prefix(2);
  }
  return indent + std::string(line);
}

}  // namespace

std::string as_lines(const Source& source, const Insertion& insertion,
                     std::string_view indent) {
  const std::string unit = indentation_unit(source);
  std::vector<std::string> lines;
  if (!insertion.comment.empty())
    lines.push_back("# " + one_line(insertion.comment));
  for (std::string_view line : lines_of(insertion.text)) {
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    lines.push_back(reindented(line, unit));
  }
  for (std::string& line : lines) {
    if (!line.empty())
      line.insert(0, indent);
  }
  return join(lines, line_end_of(source));
}

std::string as_words(const Insertion& insertion) {
  if (insertion.comment.empty())
    return insertion.text;
  return "/* " + replace_all(one_line(insertion.comment), "*/", "* /") +
         " */ " + insertion.text;
}

bool fits_line(const Source& source, std::size_t byte, std::size_t extra) {
  const std::size_t width = line_stop(source, byte) - line_begin(source, byte);
  return width > line_width || width + extra <= line_width;
}

}  // namespace autopin::nix
