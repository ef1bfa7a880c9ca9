#include "nix/spelling.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "nix/edit.h"

namespace autopin::nix {
namespace {

char unescaped(char escaped) {
  switch (escaped) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return escaped;
  }
}

/// A piece of ''…''. Spaces in an escape are never indentation.
struct Piece {
  std::string text;
  bool is_escape = false;
};

std::vector<Piece> pieces_of(std::string_view body) {
  std::vector<Piece> pieces;
  const auto add = [&pieces](std::string_view text, bool is_escape) {
    if (!is_escape && !pieces.empty() && !pieces.back().is_escape)
      pieces.back().text += text;
    else
      pieces.push_back({std::string(text), is_escape});
  };
  std::size_t at = 0;
  while (at < body.size()) {
    const std::string_view rest = body.substr(at);
    if (rest.starts_with("'''")) {
      add("''", true);
      at += 3;
    } else if (rest.starts_with("''$")) {
      add("$", true);
      at += 3;
    } else if (rest.starts_with("''\\") && rest.size() > 3) {
      const char meant = unescaped(rest[3]);
      add({&meant, 1}, true);
      at += 4;
    } else if (rest[0] == '$' && rest.size() > 1 && rest[1] != '\'') {
      add(rest.substr(0, 2), false);  // `$$` is one token, so is `$x`.
      at += 2;
    } else {
      add(rest.substr(0, 1), false);
      at += 1;
    }
  }
  return pieces;
}

std::size_t minimal_indentation(const std::vector<Piece>& pieces) {
  std::size_t minimum = 1'000'000;
  std::size_t current = 0;
  bool at_start = true;
  for (const Piece& piece : pieces) {
    for (const char c : piece.text) {
      if (piece.is_escape || (at_start && c != ' ' && c != '\n')) {
        if (at_start)
          minimum = std::min(minimum, current);
        at_start = false;
      }
      if (piece.is_escape)
        continue;
      if (c == '\n') {
        at_start = true;
        current = 0;
      } else if (at_start) {
        ++current;
      }
    }
  }
  return minimum;
}

}  // namespace

std::string unquote(std::string_view body) {
  std::string value;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] == '\\' && i + 1 < body.size()) {
      value += unescaped(body[++i]);
    } else if (body[i] == '\r') {  // CR and CR LF are one line end.
      value += '\n';
      if (i + 1 < body.size() && body[i + 1] == '\n')
        ++i;
    } else {
      value += body[i];
    }
  }
  return value;
}

std::string unindent(std::string_view body) {
  // The lexer takes a first line of nothing but spaces with the opening quotes.
  const std::size_t first = body.find_first_not_of(' ');
  if (first != std::string_view::npos && body[first] == '\n')
    body.remove_prefix(first + 1);

  const std::vector<Piece> pieces = pieces_of(body);
  const std::size_t strip = minimal_indentation(pieces);
  std::string value;
  std::size_t dropped = 0;
  bool at_start = true;
  for (const Piece& piece : pieces) {
    // Here Nix takes what an escape stands for like any other text.
    for (const char c : piece.text) {
      if (c == '\n') {
        at_start = true;
        dropped = 0;
      } else if (at_start && c == ' ') {
        if (dropped++ < strip)
          continue;
      } else {
        at_start = false;
      }
      value += c;
    }
  }
  // The last line goes where it is all spaces, if the last piece has its start.
  if (!pieces.empty() && !pieces.back().is_escape) {
    const std::size_t end = value.find_last_not_of(' ');
    if (end != std::string::npos && value[end] == '\n' &&
        pieces.back().text.find('\n') != std::string::npos)
      value.resize(end + 1);
  }
  return value;
}

std::string quote(std::string_view value) {
  std::string text = "\"";
  for (std::size_t i = 0; i < value.size(); ++i) {
    switch (value[i]) {
      case '\0':  // Has no place in a Nix string.
        break;
      case '"':
      case '\\':
        text += '\\';
        text += value[i];
        break;
      case '\n':
        text += "\\n";
        break;
      case '\r':
        text += "\\r";
        break;
      case '\t':
        text += "\\t";
        break;
      case '$':
        text += i + 1 < value.size() && value[i + 1] != '{' ? "$" : "\\$";
        break;
      default:
        text += value[i];
    }
  }
  return text + "\"";
}

std::string shell_quote(std::string_view word) {
  constexpr std::string_view plain = "-_./=:,+@%";
  const bool is_plain =
      !word.empty() && std::all_of(word.begin(), word.end(), [&](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               plain.find(c) != std::string_view::npos;
      });
  if (is_plain)
    return std::string(word);
  std::string text = "'";
  for (const char c : word) {
    if (c == '\'')
      text += "'\\''";
    else if (c != '\0')
      text += c;
  }
  return text + "'";
}

std::string escape_indented(std::string_view raw) {
  std::string value(raw);
  value.erase(std::remove(value.begin(), value.end(), '\0'), value.end());
  std::string text;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string_view rest = std::string_view(value).substr(i);
    const char next = rest.size() > 1 ? rest[1] : '\0';
    if (rest.starts_with("''")) {
      text += "'''";
      ++i;
    } else if (rest[0] == '\'' &&
               (next == '\0' || next == '$' || next == '\r')) {
      // Plain, it would join the quotes of the escape or the end after it.
      text += "''\\'";
    } else if (rest.starts_with("${") || rest == "$") {
      text += "''$";
    } else if (rest[0] == '\r') {
      text += "''\\r";
    } else {
      text += rest[0];
    }
  }
  return text;
}

bool is_identifier(std::string_view name) {
  // `or` is one only by courtesy of the parser.
  static constexpr std::array<std::string_view, 10> keywords = {
      "if",  "then", "else",    "assert", "with",
      "let", "in",   "inherit", "rec",    "or"};
  if (name.empty() ||
      std::find(keywords.begin(), keywords.end(), name) != keywords.end())
    return false;
  const auto is_letter = [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  return is_letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [&](char c) {
           return is_letter(c) ||
                  std::isdigit(static_cast<unsigned char>(c)) != 0 ||
                  c == '-' || c == '\'';
         });
}

std::string attr_name(std::string_view name) {
  return is_identifier(name) ? std::string(name) : quote(name);
}

}  // namespace autopin::nix
