#include "log/clean.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <utility>

namespace autopin {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Length of the escape sequence at the front of `text`, which starts with ESC.
std::size_t escape_length(std::string_view text) {
  if (text.size() < 2)
    return text.size();
  if (text[1] == '[') {  // CSI: parameters, then one final byte @ to ~.
    std::size_t at = 2;
    while (at < text.size() && (text[at] < '@' || text[at] > '~'))
      ++at;
    return at < text.size() ? at + 1 : at;
  }
  if (text[1] == ']' || text[1] == '_') {  // OSC, APC: up to BEL or ST.
    for (std::size_t at = 2; at < text.size(); ++at) {
      if (text[at] == '\a')
        return at + 1;
      if (text[at] == '\x1b')
        return at + 1 < text.size() ? at + 2 : at + 1;
    }
    return text.size();
  }
  if (text[1] == '(' || text[1] == ')')
    return text.size() < 3 ? text.size() : 3;
  return 2;
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7f;
}

/// False where none of the eight bytes at `at` is a control character.
bool may_hold_control(const char* at) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  const std::uint64_t del = bytes ^ ones * 0x7f;
  return ((((bytes - ones * 0x20) & ~bytes) | ((del - ones) & ~del)) &
          ones * 0x80) != 0;
}

/// "2024-05-06T07:08:09.123Z " and its kin; 0 where there is none.
std::size_t stamp_length(std::string_view line) {
  constexpr std::string_view shape = "dddd-dd-ddTdd:dd:dd";
  const std::size_t open = !line.empty() && line[0] == '[' ? 1 : 0;
  if (line.size() < shape.size() + open)
    return 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const char c = line[open + i];
    const bool fits = shape[i] == 'd'   ? is_digit(c)
                      : shape[i] == 'T' ? c == 'T' || c == ' '
                                        : c == shape[i];
    if (!fits)
      return 0;
  }
  std::size_t at = open + shape.size();
  while (at < line.size() &&
         (is_digit(line[at]) || line[at] == '.' || line[at] == ',' ||
          line[at] == 'Z' || line[at] == '+' || line[at] == ':'))
    ++at;
  if (open != 0) {
    if (at >= line.size() || line[at] != ']')
      return 0;
    ++at;
  }
  return at < line.size() && line[at] == ' ' ? at + 1
         : at == line.size()                 ? at
                                             : 0;
}

std::size_t digits_at(std::string_view line, std::size_t from) {
  std::size_t at = from;
  while (at < line.size() && is_digit(line[at]))
    ++at;
  return at - from;
}

/// Stamps that are no date: "_bk;t=1720507270123" (Buildkite, whose ESC and BEL
/// got lost), "12:00:00  " (Jenkins), "#9 12.34 " (docker build).
std::size_t short_stamp_length(std::string_view line) {
  if (line.size() < 8)
    return 0;
  if (line[0] == '_' && line.substr(0, 6) == "_bk;t=")
    return 6 + std::min<std::size_t>(digits_at(line, 6), 13);  // Milliseconds.
  if (line[0] == '#') {
    const std::size_t step = digits_at(line, 1);
    const std::size_t seconds = digits_at(line, step + 2);
    const std::size_t parts = digits_at(line, step + seconds + 3);
    const std::size_t end = step + seconds + parts + 3;
    const bool fits = step > 0 && seconds > 0 && parts > 0 &&
                      line[step + 1] == ' ' && line[step + seconds + 2] == '.';
    return !fits                                   ? 0
           : end < line.size() && line[end] == ' ' ? end + 1
           : end == line.size()                    ? end
                                                   : 0;
  }
  if (is_digit(line[0]) && line[2] == ':' && line[5] == ':' &&
      digits_at(line, 0) == 2 && digits_at(line, 3) == 2 &&
      digits_at(line, 6) == 2)
    return line.size() == 8 ? 8 : line.substr(8, 2) == "  " ? 10 : 0;
  return 0;
}

std::string_view without_prefix(std::string_view text,
                                std::string_view prefix) {
  if (text.substr(0, prefix.size()) == prefix)
    text.remove_prefix(prefix.size());
  return text;
}

/// "job<TAB>step<TAB>2024-…Z text", as `gh run view --log` prints it.
std::string_view without_gh_columns(std::string_view line) {
  const std::size_t first = line.find('\t');
  if (first > 120)  // or npos
    return line;
  const std::size_t second = line.find('\t', first + 1);
  if (second == std::string_view::npos)
    return line;
  std::string_view rest =
      without_prefix(line.substr(second + 1), "\xEF\xBB\xBF");
  return stamp_length(rest) > 0 ? rest : line;
}

/// "[1/0/2 built (1 failed), 3.4 MiB DL] building NAME: the last line": Nix's
/// progress bar (libmain/progress-bar.cc), which repeats what builders print.
bool is_status_bar(std::string_view line) {
  if (line.size() < 3 || line[0] != '[' || !is_digit(line[1]))
    return false;
  const std::string_view counts = line.substr(0, line.find(']'));
  if (counts.size() == line.size() || counts.size() > 200)
    return false;
  for (const std::string_view word : {" built", " copied", " DL", " UL"})
    if (counts.find(word) != std::string_view::npos)
      return true;
  return false;
}

/// Length of the well-formed UTF-8 sequence at the front of `text`, 0 where
/// there is none.
std::size_t sequence_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xc2 && lead < 0xe0 ? 2
                             : lead >= 0xe0 && lead < 0xf0 ? 3
                             : lead >= 0xf0 && lead < 0xf5 ? 4
                                                           : 0;
  if (length > text.size())
    return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80U)
      return 0;
  return length;
}

}  // namespace

std::optional<GitlabStamp> gitlab_stamp(std::string_view line) {
  // common/buildlogger of GitLab's runner: time, two digits for the stream, O
  // or E, and " " or "+": the text goes on from the line before.
  if (line.size() < 26 || !is_digit(line[0]))
    return std::nullopt;
  const std::size_t at = stamp_length(line);
  if (at == 0 || at + 4 > line.size() || digits_at(line, at) != 2 ||
      (line[at + 2] != 'O' && line[at + 2] != 'E') ||
      (line[at + 3] != ' ' && line[at + 3] != '+'))
    return std::nullopt;
  return GitlabStamp{at + 4, line[at + 3] == '+'};
}

std::string_view strip_odd_ends(std::string_view line) {
  while (!line.empty() && sequence_length(line) == 0)
    line.remove_prefix(1);
  while (!line.empty() && static_cast<unsigned char>(line.back()) >= 0x80) {
    std::size_t begin = line.size() - 1;
    while (begin > 0 && line.size() - begin < 4 &&
           (static_cast<unsigned char>(line[begin]) & 0xc0U) == 0x80U)
      --begin;
    if (sequence_length(line.substr(begin)) == line.size() - begin)
      break;
    line.remove_suffix(1);
  }
  return line;
}

namespace {

/// "[31;1m" at the front of `text`: its length, or 0.
std::size_t bare_colour_length(std::string_view text) {
  const std::size_t end = text.find_first_not_of("0123456789;", 1);
  return !text.empty() && text[0] == '[' && end != std::string_view::npos &&
                 text[end] == 'm'
             ? end + 1
             : 0;
}

}  // namespace

std::string_view strip_bare_colours(std::string_view line,
                                    std::string& scratch) {
  if (line.find("[0m") == std::string_view::npos)
    return line;
  scratch.clear();
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t colour = bare_colour_length(line.substr(at));
    if (colour == 0)
      scratch += line[at++];
    at += colour;
  }
  return scratch;
}

std::string_view strip_escapes(std::string_view line, std::string& scratch) {
  std::size_t at = 0;
  while (at + 8 <= line.size() && !may_hold_control(line.data() + at))
    at += 8;
  while (at < line.size() && !is_control(line[at]))
    ++at;
  if (at == line.size())
    return line;
  if (line.find('\0') != std::string_view::npos) {
    // Two bytes for each character: they part escape sequences, too.
    std::string plain(line);
    plain.erase(std::remove(plain.begin(), plain.end(), '\0'), plain.end());
    std::string stripped;
    scratch = std::string(strip_escapes(plain, stripped));
    return scratch;
  }
  scratch.assign(line.substr(0, at));
  while (at < line.size()) {
    if (line[at] == '\x1b') {
      at += escape_length(line.substr(at));
      continue;
    }
    if (!is_control(line[at]))
      scratch += line[at];
    ++at;
  }
  return scratch;
}

std::string_view strip_decoration(std::string_view line) {
  if (!may_be_decorated(line) && line.find('\t') == std::string_view::npos)
    return line;
  line = without_prefix(line, "\xEF\xBB\xBF");
  line = without_gh_columns(line);
  line.remove_prefix(stamp_length(line));
  line.remove_prefix(short_stamp_length(line));
  // Workflow commands of GitHub and Azure, printed before the text they mark.
  for (const std::string_view marker :
       {"##[error]", "##[warning]", "##[group]", "##[debug]", "##[command]",
        "::error::", "::warning::", "::group::"})
    line = without_prefix(line, marker);
  // The frame of nix-output-monitor, which frames a framed error again.
  constexpr std::string_view frame = "\u2503";
  while (line.substr(0, frame.size()) == frame) {
    line.remove_prefix(frame.size());
    line = without_prefix(line, " ");
  }
  return line;
}

bool is_furniture(std::string_view line) {
  if (!may_be_decorated(line))
    return false;
  // "[1701](https://…#step:12:1702)": line numbers of a CI page, copied along.
  if (line.size() > 4 && line[0] == '[' && is_digit(line[1])) {
    std::size_t at = 1;
    while (at < line.size() && is_digit(line[at]))
      ++at;
    if (line.substr(at, 6) == "](http" && line.back() == ')')
      return true;
  }
  for (const std::string_view start :
       {"\u250f\u2501", "\u2517\u2501", "\u2523\u2501", "section_start:",
        "section_end:", "travis_fold:", "travis_time:", "##[endgroup]",
        "::endgroup::"})
    if (line.substr(0, start.size()) == start)
      return true;
  return is_status_bar(line);
}

bool needs_cleaning(char before, char c, char next) {
  switch (c) {
    case '\t':  // without_gh_columns
      return is_digit(next) || next == '[' || next == '\xEF';
    case '>':  // A prefix, or a tail's mark; "->" and "=>" are none.
      return (next == ' ' || next == '\n') && before != '-' && before != '=';
    case '<':  // HTML tags.
      return next == 'p' || next == 'c' || next == '/';
    case '[':  // strip_bare_colours
      return next == '0';
    default:
      return c != '\n' && is_control(c);
  }
}

bool may_be_decorated(std::string_view line) {
  if (line.size() < 2)
    return false;
  const char second = line[1];
  switch (line[0]) {
    case '[': {
      if (!is_digit(second))
        return false;
      const std::size_t end = line.find_first_not_of("0123456789/", 1);
      // "[12/345] " is ninja's.
      return end >= line.size() - 1 || line[end] != ']' || line[end + 1] == '(';
    }
    case '#':
      return second == '#' || is_digit(second);
    case ':':
      return second == ':';
    case '_':  // _bk;t=
      return second == 'b';
    case 's':  // section_start:
      return second == 'e';
    case 't':  // travis_fold:
      return second == 'r';
    default:
      return is_digit(line[0]) || may_be_odd_end(line[0]);
  }
}

bool may_be_odd_end(char c) {
  return static_cast<unsigned char>(c) >= 0x80;
}

std::string unescape_html(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, char>, 8> entities = {
      {{"&lt;", '<'},
       {"&gt;", '>'},
       {"&quot;", '"'},
       {"&#34;", '"'},
       {"&#x27;", '\''},
       {"&#39;", '\''},
       {"&apos;", '\''},
       {"&amp;", '&'}}};
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    bool replaced = false;
    if (text[0] == '&')
      for (const auto& [entity, c] : entities)
        if (text.substr(0, entity.size()) == entity) {
          plain += c;
          text.remove_prefix(entity.size());
          replaced = true;
          break;
        }
    if (!replaced) {
      plain += text[0];
      text.remove_prefix(1);
    }
  }
  return plain;
}

std::string_view quoted(std::string_view text, std::size_t from) {
  static constexpr std::string_view left = "\u2018";
  static constexpr std::string_view right = "\u2019";
  for (std::size_t at = from; at < text.size(); ++at) {
    std::string_view close;
    std::size_t begin = at + 1;
    if (text[at] == '\'' || text[at] == '`')
      close = "'";
    else if (text[at] == '"')
      close = "\"";
    else if (text.substr(at, left.size()) == left) {
      close = right;
      begin = at + left.size();
    } else {
      continue;
    }
    const std::size_t end = text.find(close, begin);
    if (end == std::string_view::npos)
      return {};
    return text.substr(begin, end - begin);
  }
  return {};
}

}  // namespace autopin
