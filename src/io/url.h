#pragma once
// The parts of a URL that decide who may see which credentials, taken apart by
// libcurl's own parser so that what is checked is what is used.

#include <string>
#include <utility>

namespace autopin {

struct Credentials {
  std::string user;
  std::string password;
  bool empty() const { return user.empty() && password.empty(); }
};

struct Url {
  std::string without_credentials;
  /// "https://host:443", lower case, the port always there (RFC 6454, 4).
  std::string origin;
  Credentials credentials;  ///< Percent-decoded.

  /// Throws Error unless it is an http or https URL.
  static Url parse(const std::string& text);
};

/// `reference` as it is meant on the page `base` (RFC 3986, 5). Throws Error.
std::string resolve_url(const std::string& base, const std::string& reference);

}  // namespace autopin
