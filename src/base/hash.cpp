#include "base/hash.h"

#include <openssl/evp.h>

#include <array>
#include <cstdint>

namespace autopin {
namespace {

constexpr std::string_view base32_digits = "0123456789abcdfghijklmnpqrsvwxyz";
constexpr std::string_view base64_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t sha256_size = 32;

unsigned byte_at(std::string_view raw, std::size_t i) {
  return static_cast<unsigned char>(raw[i]);
}

}  // namespace

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(),
             nullptr);
  return {digest.begin(), digest.begin() + size};
}

std::string to_hex(std::string_view raw) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    hex += digits[byte_at(raw, i) >> 4U];
    hex += digits[byte_at(raw, i) & 15U];
  }
  return hex;
}

std::optional<std::string> from_hex(std::string_view hex) {
  if (hex.size() % 2 != 0)
    return std::nullopt;
  std::string raw;
  const auto value = [](char c) -> int {
    if (c >= '0' && c <= '9')
      return c - '0';
    if (c >= 'a' && c <= 'f')
      return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
      return c - 'A' + 10;
    return -1;
  };
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = value(hex[i]);
    const int low = value(hex[i + 1]);
    if (high < 0 || low < 0)
      return std::nullopt;
    raw += static_cast<char>(high * 16 + low);
  }
  return raw;
}

std::string to_nix_base32(std::string_view raw) {
  const std::size_t length = (raw.size() * 8 + 4) / 5;
  std::string text;
  for (std::size_t n = length; n-- > 0;) {
    const std::size_t bit = n * 5;
    const std::size_t i = bit / 8;
    const std::size_t shift = bit % 8;
    unsigned digit = byte_at(raw, i) >> shift;
    if (i + 1 < raw.size())
      digit |= byte_at(raw, i + 1) << (8 - shift);
    text += base32_digits[digit & 31U];
  }
  return text;
}

std::optional<std::string> from_nix_base32(std::string_view text) {
  const std::size_t size = text.size() * 5 / 8;
  std::string raw(size, '\0');
  for (std::size_t n = 0; n < text.size(); ++n) {
    const std::size_t digit = base32_digits.find(text[text.size() - n - 1]);
    if (digit == std::string_view::npos)
      return std::nullopt;
    const std::size_t bit = n * 5;
    const std::size_t i = bit / 8;
    const std::size_t shift = bit % 8;
    const auto put = [&](std::size_t at, std::size_t value) {
      raw[at] = static_cast<char>(byte_at(raw, at) | (value & 255U));
    };
    if (i < size)
      put(i, digit << shift);
    const std::size_t carry = digit >> (8 - shift);
    if (i + 1 < size)
      put(i + 1, carry);
    else if (carry != 0)
      return std::nullopt;
  }
  return raw;
}

std::string to_base64(std::string_view raw) {
  std::string text;
  for (std::size_t i = 0; i < raw.size(); i += 3) {
    std::uint32_t group = byte_at(raw, i) << 16U;
    if (i + 1 < raw.size())
      group |= byte_at(raw, i + 1) << 8U;
    if (i + 2 < raw.size())
      group |= byte_at(raw, i + 2);
    text += base64_digits[(group >> 18U) & 63U];
    text += base64_digits[(group >> 12U) & 63U];
    text += i + 1 < raw.size() ? base64_digits[(group >> 6U) & 63U] : '=';
    text += i + 2 < raw.size() ? base64_digits[group & 63U] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  while (!text.empty() && text.back() == '=')
    text.remove_suffix(1);
  std::string raw;
  std::uint32_t group = 0;
  unsigned bits = 0;
  for (const char c : text) {
    const std::size_t digit = base64_digits.find(c);
    if (digit == std::string_view::npos)
      return std::nullopt;
    group = (group << 6U) | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      raw += static_cast<char>((group >> bits) & 255U);
    }
  }
  return raw;
}

std::string to_sri(std::string_view raw_sha256) {
  return "sha256-" + to_base64(raw_sha256);
}

std::optional<std::string> parse_sha256(std::string_view text) {
  const bool sri = text.starts_with("sha256-");
  if (sri || text.starts_with("sha256:"))
    text.remove_prefix(7);
  std::optional<std::string> raw;
  if (sri || text.size() == 44)
    raw = from_base64(text);
  else if (text.size() == 64)
    raw = from_hex(text);
  else if (text.size() == 52)
    raw = from_nix_base32(text);
  if (raw && raw->size() == sha256_size)
    return raw;
  return std::nullopt;
}

}  // namespace autopin
