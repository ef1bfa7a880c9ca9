#include "python/url.h"

#include <algorithm>

#include "base/error.h"
#include "base/hash.h"
#include "io/url.h"

namespace autopin::python {

namespace {

constexpr std::string_view local_scheme = "file://";

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::optional<std::string> byte;
    if (text[i] == '%' && i + 2 < text.size())
      byte = from_hex(text.substr(i + 1, 2));
    out += byte ? *byte : std::string(1, text[i]);
    if (byte)
      i += 2;
  }
  return out;
}

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') ||
         std::string_view("-._~/%+=!,").find(c) != std::string_view::npos;
}

bool is_host(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '-';
}

/// The length of "https://host:1" where that is all there is to it.
std::size_t plain_origin(std::string_view url) {
  const std::size_t scheme = url.starts_with("https://")  ? 8
                             : url.starts_with("http://") ? 7
                                                          : 0;
  const std::size_t end = std::min(url.find('/', scheme), url.size());
  const std::string_view host = url.substr(scheme, end - scheme);
  const std::string_view name = host.substr(0, host.find(':'));
  const std::string_view port =
      host.substr(std::min(host.size(), name.size() + 1));
  const bool plain = scheme != 0 && !name.empty() &&
                     std::all_of(name.begin(), name.end(), is_host) &&
                     (name.size() == host.size() || !port.empty()) &&
                     port.find_first_not_of("0123456789") == port.npos;
  return plain && end < url.size() ? end : 0;
}

/// What nearly all links of nearly all pages are, so that a page with a hundred
/// thousand of them takes no seconds; nothing where there is any doubt.
std::optional<std::string> follow_plain_link(std::string_view base,
                                             std::string_view link) {
  link = link.substr(0, link.find('#'));
  const std::size_t origin = plain_origin(link);
  std::string_view path = link.substr(origin);
  const std::size_t base_origin = origin == 0 ? plain_origin(base) : 0;
  if (path.empty() || !std::all_of(path.begin(), path.end(), is_plain) ||
      path.starts_with("//") || (origin == 0 && base_origin == 0))
    return std::nullopt;
  base = base.substr(0, std::min(base.find_first_of("?#"), base.size()));
  std::size_t kept = path.front() == '/' ? base_origin : base.rfind('/') + 1;
  while (origin == 0 && path.starts_with("../") && kept > base_origin + 1) {
    kept = base.rfind('/', kept - 2) + 1;
    path.remove_prefix(3);
  }
  if (path.starts_with('.') || path.find("/.") != path.npos)
    return std::nullopt;
  return std::string(origin == 0 ? base.substr(0, kept)
                                 : link.substr(0, origin)) +
         std::string(path);
}

}  // namespace

std::optional<std::string> follow_link(const std::string& base,
                                       std::string_view link) {
  if (auto plain = follow_plain_link(base, link))
    return plain;
  if (link.find('\0') != std::string_view::npos)
    return std::nullopt;
  try {
    const std::string url = resolve_url(base, std::string(link));
    if (local_path(base) && local_path(url))
      return url.substr(0, url.find_first_of("?#"));
    return Url::parse(url).without_credentials;
  } catch (const Error&) {
    // One bad link of a page is no reason to refuse the others.
    return std::nullopt;
  }
}

std::string printable_url(const std::string& url) {
  const std::size_t start = url.find("://");
  if (start == std::string::npos)
    return url;
  const std::size_t end =
      std::min(url.find_first_of("/?#", start + 3), url.size());
  const std::size_t at = url.substr(0, end).rfind('@');
  return at == std::string::npos || at < start
             ? url
             : url.substr(0, start + 3) + url.substr(at + 1);
}

std::string url_fragment(std::string_view url) {
  const std::size_t hash = url.find('#');
  return hash == std::string_view::npos ? ""
                                        : std::string(url.substr(hash + 1));
}

std::string url_file_name(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  return percent_decoded(url.substr(url.rfind('/') + 1));
}

std::string local_url(std::string_view path) {
  std::string out(local_scheme);
  for (const char c : path) {
    const bool reserved = c == '%' || c == '?' || c == '#' || c == ' ';
    out += reserved ? '%' + to_hex(std::string(1, c)) : std::string(1, c);
  }
  return out;
}

std::optional<std::string> local_path(std::string_view url) {
  if (!url.starts_with(local_scheme))
    return std::nullopt;
  url.remove_prefix(local_scheme.size());
  if (url.starts_with("localhost/"))
    url.remove_prefix(url.find('/'));
  return percent_decoded(url);
}

}  // namespace autopin::python
