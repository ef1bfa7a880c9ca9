#include "io/url.h"

#include <curl/curl.h>

#include <memory>

#include "base/error.h"
#include "base/text.h"

namespace autopin {
namespace {

using Handle = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

[[noreturn]] void fail(std::string_view text, CURLUcode code) {
  // The text itself may hold a password that could not be told apart.
  throw Error("cannot read URL",
              std::string(text.substr(0, text.find("://"))) + "://…",
              curl_url_strerror(code));
}

Handle read(const std::string& text) {
  Handle handle(curl_url(), &curl_url_cleanup);
  const CURLUcode code =
      curl_url_set(handle.get(), CURLUPART_URL, text.c_str(), 0);
  if (code != CURLUE_OK)
    fail(text, code);
  return handle;
}

std::string part(const Handle& handle, CURLUPart which, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(handle.get(), which, &text, flags) != CURLUE_OK)
    return {};
  std::string copy = text;
  curl_free(text);
  return copy;
}

}  // namespace

Url Url::parse(const std::string& text) {
  const Handle handle = read(text);
  const std::string scheme = to_lower(part(handle, CURLUPART_SCHEME));
  Url url;
  url.credentials.user = part(handle, CURLUPART_USER, CURLU_URLDECODE);
  url.credentials.password = part(handle, CURLUPART_PASSWORD, CURLU_URLDECODE);
  for (const CURLUPart what :
       {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_FRAGMENT})
    curl_url_set(handle.get(), what, nullptr, 0);
  url.without_credentials = part(handle, CURLUPART_URL);
  if (scheme != "http" && scheme != "https")
    throw Error("cannot get", url.without_credentials,
                "only http and https URLs are fetched");
  url.origin = scheme + "://" + to_lower(part(handle, CURLUPART_HOST)) + ":" +
               part(handle, CURLUPART_PORT, CURLU_DEFAULT_PORT);
  return url;
}

std::string resolve_url(const std::string& base, const std::string& reference) {
  const Handle handle = read(base);
  const CURLUcode code =
      curl_url_set(handle.get(), CURLUPART_URL, reference.c_str(), 0);
  if (code != CURLUE_OK)
    fail(reference, code);
  return part(handle, CURLUPART_URL);
}

}  // namespace autopin
