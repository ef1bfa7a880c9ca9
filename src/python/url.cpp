#include "python/url.h"

#include "base/error.h"
#include "base/hash.h"
#include "io/url.h"

namespace autopin::python {

std::optional<std::string> follow_link(const std::string& base,
                                       std::string_view link) {
  if (link.find('\0') != std::string_view::npos)
    return std::nullopt;
  try {
    return Url::parse(resolve_url(base, std::string(link))).without_credentials;
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
  url = url.substr(url.rfind('/') + 1);
  std::string out;
  for (std::size_t i = 0; i < url.size(); ++i) {
    std::optional<std::string> byte;
    if (url[i] == '%' && i + 2 < url.size())
      byte = from_hex(url.substr(i + 1, 2));
    out += byte ? *byte : std::string(1, url[i]);
    if (byte)
      i += 2;
  }
  return out;
}

}  // namespace autopin::python
