#include "python/html.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "base/text.h"
#include "python/scan.h"

namespace autopin::python {

namespace {

void append_utf8(std::uint32_t code, std::string& out) {
  const auto put = [&out](std::uint32_t byte) {
    out += static_cast<char>(static_cast<unsigned char>(byte));
  };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0U | code >> 6U);
    put(0x80U | (code & 0x3fU));
  } else if (code < 0x10000) {
    put(0xe0U | code >> 12U);
    put(0x80U | (code >> 6U & 0x3fU));
    put(0x80U | (code & 0x3fU));
  } else {
    put(0xf0U | code >> 18U);
    put(0x80U | (code >> 12U & 0x3fU));
    put(0x80U | (code >> 6U & 0x3fU));
    put(0x80U | (code & 0x3fU));
  }
}

/// `name` between "&" and ";". False where it is no reference that we know.
bool append_reference(std::string_view name, std::string& out) {
  constexpr std::array<std::pair<std::string_view, char>, 5> known{
      {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};
  for (const auto& [word, character] : known) {
    if (name != word)
      continue;
    out += character;
    return true;
  }
  if (name.size() < 2 || name.front() != '#')
    return false;
  name.remove_prefix(1);
  const bool hex = lower(name.front()) == 'x';
  if (hex)
    name.remove_prefix(1);
  std::uint32_t code = 0;
  const auto result = std::from_chars(name.data(), name.data() + name.size(),
                                      code, hex ? 16 : 10);
  if (result.ec != std::errc() || result.ptr != name.data() + name.size() ||
      code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
    return false;
  append_utf8(code, out);
  return true;
}

}  // namespace

std::string unescape_html(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t ampersand = text.find('&');
    out += text.substr(0, ampersand);
    if (ampersand == std::string_view::npos)
      break;
    text.remove_prefix(ampersand);
    const std::size_t end = text.substr(0, 12).find(';');
    if (end != std::string_view::npos &&
        append_reference(text.substr(1, end - 1), out)) {
      text.remove_prefix(end + 1);
    } else {
      out += '&';
      text.remove_prefix(1);
    }
  }
  return out;
}

std::optional<std::string> HtmlTag::attribute(std::string_view wanted) const {
  for (const auto& [key, value] : attributes) {
    if (key == wanted)
      return value;
  }
  return std::nullopt;
}

void HtmlReader::skip_space() {
  while (!rest_.empty() && is_space(rest_.front()))
    rest_.remove_prefix(1);
}

std::optional<HtmlTag> HtmlReader::next() {
  while (true) {
    const std::size_t open = rest_.find('<');
    if (open == std::string_view::npos)
      return std::nullopt;
    rest_.remove_prefix(open + 1);
    if (rest_.substr(0, 3) == "!--") {
      const std::size_t end = rest_.find("-->", 3);
      rest_.remove_prefix(std::min(rest_.size(), end));
    } else if (!rest_.empty() && is_letter(rest_.front())) {
      return read_tag();
    }
  }
}

HtmlTag HtmlReader::read_tag() {
  HtmlTag tag;
  const auto end = std::find_if(rest_.begin(), rest_.end(), [](char c) {
    return is_space(c) || c == '>' || c == '/';
  });
  const auto length = static_cast<std::size_t>(end - rest_.begin());
  tag.name = to_lower(rest_.substr(0, length));
  rest_.remove_prefix(length);
  while (true) {
    skip_space();
    if (rest_.empty())
      return tag;
    if (rest_.front() == '>') {
      rest_.remove_prefix(1);
      return tag;
    }
    read_attribute(tag);
  }
}

void HtmlReader::read_attribute(HtmlTag& tag) {
  const auto stops = [](char c) {
    return is_space(c) || c == '>' || c == '=' || c == '/';
  };
  std::size_t length = 0;
  while (length < rest_.size() && !stops(rest_[length]))
    ++length;
  if (length == 0)
    return rest_.remove_prefix(1);  // "/" or a stray "="
  std::string key = to_lower(rest_.substr(0, length));
  rest_.remove_prefix(length);
  skip_space();
  std::string_view value;
  if (!rest_.empty() && rest_.front() == '=') {
    rest_.remove_prefix(1);
    skip_space();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    if (quote == '"' || quote == '\'') {
      rest_.remove_prefix(1);
      value = rest_.substr(0, rest_.find(quote));
      rest_.remove_prefix(std::min(rest_.size(), value.size() + 1));
    } else {
      value = rest_.substr(
          0, static_cast<std::size_t>(
                 std::find_if(rest_.begin(), rest_.end(),
                              [](char c) { return is_space(c) || c == '>'; }) -
                 rest_.begin()));
      rest_.remove_prefix(value.size());
    }
  }
  tag.attributes.emplace_back(std::move(key), unescape_html(value));
}

}  // namespace autopin::python
