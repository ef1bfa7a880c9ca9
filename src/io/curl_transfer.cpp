#include "io/curl_transfer.h"

#include <mutex>

#include "base/error.h"
#include "base/text.h"

namespace autopin {
namespace {

// All of them together; libcurl bounds a single line only.
constexpr std::size_t max_header_bytes = std::size_t{256} << 10U;
// Slower than this over the whole stall timeout counts as standing still.
constexpr long slowest_bytes_per_second = 16;

std::string range_text(const std::pair<std::int64_t, std::int64_t>& range) {
  if (range.first < 0)  // the last -first bytes
    return std::to_string(range.first);
  return std::to_string(range.first) + "-" + std::to_string(range.second);
}

/// The body is decoded: what the headers say of its coding is no more true.
void forget_encoding(HttpResponse& response) {
  if (response.headers.erase("content-encoding") != 0)
    response.headers.erase("content-length");
}

CURL* new_handle() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  CURL* handle = curl_easy_init();
  if (handle == nullptr)
    throw Error("cannot start", "libcurl", "out of memory");
  return handle;
}

}  // namespace

std::size_t CurlTransfer::on_body(char* data, std::size_t /*one*/,
                                  std::size_t size, void* user) {
  auto& transfer = *static_cast<CurlTransfer*>(user);
  std::string& body = transfer.response_.body;
  transfer.too_large_ = body.size() + size > transfer.max_bytes_;
  if (transfer.too_large_)
    return 0;
  body.append(data, size);
  return size;
}

std::size_t CurlTransfer::on_header(char* data, std::size_t /*one*/,
                                    std::size_t size, void* user) {
  auto& transfer = *static_cast<CurlTransfer*>(user);
  auto& headers = transfer.response_.headers;
  transfer.header_bytes_ += size;
  if (transfer.header_bytes_ > max_header_bytes)
    return 0;
  const std::string_view line(data, size);
  if (line.starts_with("HTTP/"))  // a new answer: 100, or after 401
    headers.clear();
  const std::size_t colon = line.find(':');
  if (colon != std::string_view::npos)
    headers[to_lower(trim(line.substr(0, colon)))] =
        to_utf8(trim(line.substr(colon + 1)));
  return size;
}

template <typename Value>
void CurlTransfer::set(CURLoption option, Value value) {
  const CURLcode code = curl_easy_setopt(handle_.get(), option, value);
  // A build without compression or netrc does not know those; nothing is lost.
  if (code != CURLE_OK && code != CURLE_UNKNOWN_OPTION &&
      code != CURLE_NOT_BUILT_IN)
    throw Error("cannot set up", "libcurl", curl_easy_strerror(code));
}

CurlTransfer::CurlTransfer(const HttpRequest& request,
                           const CurlOptions& options, const Credentials* known)
    : handle_(new_handle()),
      max_bytes_(static_cast<std::size_t>(request.max_bytes)) {
  set(CURLOPT_URL, request.url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_USERAGENT, options.user_agent.c_str());
  set(CURLOPT_ERRORBUFFER, message_.data());
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_WRITEFUNCTION, on_body);
  set(CURLOPT_WRITEDATA, this);
  set(CURLOPT_HEADERFUNCTION, on_header);
  set(CURLOPT_HEADERDATA, this);
  // Where the server says it beforehand, nothing needs to be fetched.
  set(CURLOPT_MAXFILESIZE_LARGE, curl_off_t{request.max_bytes});
  set(CURLOPT_CONNECTTIMEOUT_MS,
      static_cast<long>(options.connect_timeout.count()));
  set(CURLOPT_LOW_SPEED_LIMIT, slowest_bytes_per_second);
  set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(options.stall_timeout.count()));
  // Over HTTP/2 all requests to a host share a connection.
  set(CURLOPT_PIPEWAIT, request.url.starts_with("https:") ? 1L : 0L);
  if (!options.certificates.empty())
    set(CURLOPT_CAINFO, options.certificates.c_str());
  set_credentials(options, known);
  add_header("Accept", request.accept);
  add_header("If-None-Match", request.if_none_match);
  add_header("If-Modified-Since", request.if_modified_since);
  set(CURLOPT_HTTPHEADER, headers_.get());
  if (request.range)
    set(CURLOPT_RANGE, range_text(*request.range).c_str());
  else
    set(CURLOPT_ACCEPT_ENCODING, "");  // all that libcurl can decode
}

void CurlTransfer::add_header(const std::string& name,
                              const std::string& value) {
  if (value.empty())
    return;
  curl_slist* first =
      curl_slist_append(headers_.get(), (name + ": " + value).c_str());
  if (!headers_)
    headers_.reset(first);
}

void CurlTransfer::set_credentials(const CurlOptions& options,
                                   const Credentials* known) {
  if (known != nullptr) {
    set(CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
    set(CURLOPT_USERNAME, known->user.c_str());
    set(CURLOPT_PASSWORD, known->password.c_str());
  } else if (!options.netrc.empty()) {
    set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
    set(CURLOPT_NETRC_FILE, options.netrc.c_str());
  }
}

void CurlTransfer::finish(CURLcode code) {
  code_ = code;
  too_large_ = too_large_ || code == CURLE_FILESIZE_EXCEEDED;
  long status = 0;
  curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &status);
  response_.status = static_cast<int>(status);
  if (header_bytes_ > max_header_bytes)
    why_ = "its headers never end";
  else
    why_ = message_[0] != '\0' ? message_.data() : curl_easy_strerror(code);
  forget_encoding(response_);
}

}  // namespace autopin
