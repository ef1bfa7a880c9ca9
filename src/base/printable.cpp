#include "base/printable.h"

#include <fmt/format.h>

#include <cstdint>

#include "base/text.h"

namespace autopin {
namespace {

/// Length of a colour or erase sequence at the front (ECMA-48: ESC [ numbers m
/// or K), or 0.
std::size_t colour_length(std::string_view text) {
  if (!text.starts_with("\x1b["))
    return 0;
  const std::size_t end = text.find_first_not_of("0123456789;:", 2);
  if (end == std::string_view::npos || (text[end] != 'm' && text[end] != 'K'))
    return 0;
  return end + 1;
}

/// The first character of valid UTF-8.
std::uint32_t code_point(std::string_view text, std::size_t& length) {
  const auto byte = [&](std::size_t i) {
    return std::uint32_t{static_cast<unsigned char>(text[i])};
  };
  const std::uint32_t lead = byte(0);
  length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (length == 1)
    return lead;
  std::uint32_t value = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i)
    value = value << 6U | (byte(i) & 0x3FU);
  return value;
}

/// Characters that show nothing or change the order of others (Unicode's
/// Default_Ignorable_Code_Point and Bidi_Control, as far as they are no part of
/// ordinary words).
bool is_hidden(std::uint32_t c) {
  return (c >= 0x80 && c <= 0x9F) || c == 0xAD || c == 0x61C ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         (c >= 0xFFF0 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE0FFF);
}

std::string picture(std::uint32_t control) {
  // U+2400 … U+2421, "CONTROL PICTURES"
  const std::uint32_t c = control == 0x7F ? 0x2421U : 0x2400U + control;
  return {static_cast<char>(0xE2), static_cast<char>(0x80U | (c >> 6U & 0x3FU)),
          static_cast<char>(0x80U | (c & 0x3FU))};
}

}  // namespace

std::string printable(std::string_view text) {
  const std::string valid = to_utf8(text);
  std::string shown;
  shown.reserve(valid.size());
  std::string_view rest = valid;
  while (!rest.empty()) {
    std::size_t length = colour_length(rest);
    if (length == 0 && rest.starts_with("\r\n"))
      length = 1;
    if (length != 0) {
      rest.remove_prefix(length);
      continue;
    }
    const std::uint32_t c = code_point(rest, length);
    if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F)
      shown += picture(c);
    else if (is_hidden(c))
      shown += fmt::format("<U+{:04X}>", c);
    else
      shown += rest.substr(0, length);
    rest.remove_prefix(length);
  }
  return shown;
}

std::string printable_line(std::string_view text) {
  std::string line = printable(text);
  for (char& c : line)
    if (c == '\n' || c == '\t')
      c = ' ';
  return line;
}

}  // namespace autopin
