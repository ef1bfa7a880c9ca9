// redact() of scrub.h. By hand, as it reads every byte of every build log.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "io/scrub.h"

namespace autopin {
namespace {

constexpr std::size_t none = std::string_view::npos;
constexpr std::string_view secret = "secret";

bool is_token(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '-';
}

void replace(std::string& text, std::size_t begin, std::size_t end) {
  text.replace(begin, end - begin, secret);
}

/// scheme://USER:PASSWORD@host. "git@" is the name that all use with ssh.
void redact_user_info(std::string& text) {
  for (std::size_t at = 0; (at = text.find("://", at)) != none;) {
    at += 3;
    const std::size_t end = text.find_first_of("/?# \t\r\n\"'<>`\\", at);
    const std::size_t sign =
        std::string_view(text).substr(0, std::min(end, text.size())).rfind('@');
    if (sign == none || sign <= at || text.compare(at, sign - at, "git") == 0)
      continue;
    // A placeholder is no user: "http://@INDEX@".
    if (text[at] == '@')
      continue;
    replace(text, at, sign);
  }
}

/// ?token=…&X-Amz-Signature=…
void redact_queries(std::string& text) {
  constexpr std::array<std::string_view, 14> names{"token",
                                                   "access_token",
                                                   "auth_token",
                                                   "api_key",
                                                   "apikey",
                                                   "key",
                                                   "sig",
                                                   "signature",
                                                   "password",
                                                   "x-amz-signature",
                                                   "x-amz-credential",
                                                   "x-goog-signature",
                                                   "x-amz-security-token",
                                                   "private_token"};
  for (std::size_t at = 0; at < text.size();) {
    if (const char c = text[at++]; c != '?' && c != '&')
      continue;
    if (text.compare(at, 4, "amp;") == 0)  // in HTML
      at += 4;
    std::size_t end = at;
    while (end < text.size() && is_token(text[end]))
      ++end;
    if (end == text.size() || text[end] != '=' ||
        std::find(names.begin(), names.end(),
                  to_lower(text.substr(at, end - at))) == names.end())
      continue;
    const std::size_t last =
        std::min(text.find_first_of("&# \t\r\n\"'<>`\\", end), text.size());
    if (last > end + 1)
      replace(text, end + 1, last);
  }
}

/// "Authorization: Basic …", "access-tokens = github.com=…", to the line's end.
void redact_lines(std::string& text) {
  constexpr std::array<std::string_view, 2> names{"uthorization",
                                                  "ccess-tokens"};
  for (const std::string_view name : names) {
    for (std::size_t at = 0; (at = text.find(name, at)) != none;) {
      at += name.size();
      std::size_t value = at;
      while (value < text.size() &&
             (text[value] == ' ' || text[value] == '"' || text[value] == '\''))
        ++value;
      if (value == text.size() || (text[value] != ':' && text[value] != '='))
        continue;
      value = text.find_first_not_of(" \t:=", value);
      const std::size_t end =
          std::min(text.find_first_of("\r\n", at), text.size());
      if (value < end)
        replace(text, value, end);
    }
  }
}

/// Tokens that show what they are by their first letters.
void redact_tokens(std::string& text) {
  constexpr std::array<std::string_view, 9> prefixes{
      "ghp_",   "gho_",        "ghu_",      "ghs_", "ghr_",
      "glpat-", "github_pat_", "pypi-AgEI", "hf_"};
  for (const std::string_view prefix : prefixes) {
    for (std::size_t at = 0; (at = text.find(prefix, at)) != none;) {
      std::size_t end = at + prefix.size();
      while (end < text.size() && is_token(text[end]))
        ++end;
      const bool whole = at == 0 || !is_token(text[at - 1]);
      if (whole && end - at >= prefix.size() + 16) {
        replace(text, at, end);
        at += secret.size();
      } else {
        at += prefix.size();
      }
    }
  }
}

}  // namespace

std::string redact(std::string_view text) {
  std::string safe(text);
  redact_user_info(safe);
  redact_queries(safe);
  redact_lines(safe);
  redact_tokens(safe);
  return safe;
}

}  // namespace autopin
