#include "io/curl.h"

#include <curl/curl.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>

#include "base/error.h"
#include "base/text.h"
#include "io/interrupt.h"
#include "io/url.h"

namespace autopin {
namespace {

constexpr int max_redirects = 10;
constexpr std::chrono::milliseconds longest_wait{30'000};

struct Headers {
  curl_slist* list = nullptr;
  Headers() = default;
  Headers(const Headers&) = delete;
  Headers& operator=(const Headers&) = delete;
  ~Headers() { curl_slist_free_all(list); }
  void add(const std::string& line) {
    list = curl_slist_append(list, line.c_str());
  }
};

/// What one transfer fills in.
struct Transfer {
  HttpResponse response;
  std::int64_t max_bytes = 0;
  bool too_large = false;
};

std::size_t on_body(char* data, std::size_t /*one*/, std::size_t size,
                    void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const auto total = transfer.response.body.size() + size;
  transfer.too_large = total > static_cast<std::size_t>(transfer.max_bytes);
  if (transfer.too_large)
    return 0;
  transfer.response.body.append(data, size);
  return size;
}

std::size_t on_header(char* data, std::size_t /*one*/, std::size_t size,
                      void* user) {
  auto& response = static_cast<Transfer*>(user)->response;
  const std::string_view line(data, size);
  if (line.starts_with("HTTP/"))  // a new answer: 100, or after 401
    response.headers.clear();
  const std::size_t colon = line.find(':');
  if (colon != std::string_view::npos)
    response.headers[to_lower(trim(line.substr(0, colon)))] =
        to_utf8(trim(line.substr(colon + 1)));
  return size;
}

int on_progress(void* /*user*/, curl_off_t, curl_off_t, curl_off_t,
                curl_off_t) {
  return interrupted() ? 1 : 0;
}

bool worth_retrying(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_SSL_CONNECT_ERROR:
      return true;
    default:
      return false;
  }
}

bool worth_retrying(int status) {
  return status == 429 || status == 500 || (status >= 502 && status <= 504);
}

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 ||
         status == 308;
}

/// Sleeps, unless the user asks to stop.
void wait(std::chrono::milliseconds time) {
  pollfd request{interrupt_descriptor(), POLLIN, 0};
  ::poll(&request, 1, static_cast<int>(time.count()));
  stop_if_interrupted();
}

std::chrono::milliseconds wait_asked_by(const HttpResponse& response) {
  // In seconds (RFC 9110, 10.2.3); the form that is a date is left aside.
  const auto found = response.headers.find("retry-after");
  if (found == response.headers.end())
    return std::chrono::milliseconds(0);
  const long seconds = std::strtol(found->second.c_str(), nullptr, 10);
  return std::min(
      std::chrono::milliseconds(1000 * std::clamp(seconds, 0L, 60L)),
      longest_wait);
}

}  // namespace

class CurlHttpClient::Connection {
 public:
  explicit Connection(CurlOptions options) : options_(std::move(options)) {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    curl_ = curl_easy_init();
    if (curl_ == nullptr)
      throw Error("cannot start", "libcurl", "out of memory");
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { curl_easy_cleanup(curl_); }

  HttpResponse get(const HttpRequest& request) {
    HttpRequest hop = request;
    for (int redirects = 0;; ++redirects) {
      const Url url = Url::parse(hop.url);
      if (!url.credentials.empty())
        credentials_[url.origin] = url.credentials;
      hop.url = url.without_credentials;
      HttpResponse response = get_patiently(hop, url.origin);
      response.url = hop.url;
      const auto location = response.headers.find("location");
      if (!is_redirect(response.status) || location == response.headers.end())
        return response;
      if (redirects == max_redirects)
        throw Error("cannot get", request_name(request),
                    "more than 10 redirects");
      hop.url = redirected(url, location->second);
    }
  }

 private:
  static std::string request_name(const HttpRequest& request) {
    return Url::parse(request.url).without_credentials;
  }

  static std::string redirected(const Url& from, const std::string& location) {
    const Url to = Url::parse(resolve_url(from.without_credentials, location));
    if (from.origin.starts_with("https:") && !to.origin.starts_with("https:"))
      throw Error("cannot get", from.without_credentials,
                  "it redirects from https to " + to.without_credentials);
    // What a server writes there is not the user's word: not remembered.
    return to.without_credentials;
  }

  HttpResponse get_patiently(const HttpRequest& request,
                             const std::string& origin) {
    std::chrono::milliseconds pause = options_.back_off;
    for (int tries = 0;; ++tries, pause *= 2) {
      Transfer transfer;
      transfer.max_bytes = request.max_bytes;
      std::string why;
      const CURLcode code = perform(request, origin, transfer, why);
      stop_if_interrupted();
      const bool last = tries >= options_.retries;
      if (code == CURLE_OK) {
        if (last || !worth_retrying(transfer.response.status))
          return std::move(transfer.response);
        wait(std::max(pause, wait_asked_by(transfer.response)));
        continue;
      }
      if (transfer.too_large)
        throw Error(
            "cannot get", request.url,
            "it has more than " + std::to_string(request.max_bytes) + " bytes");
      if (last || !worth_retrying(code))
        throw Error("cannot get", request.url, why);
      wait(pause);
    }
  }

  CURLcode perform(const HttpRequest& request, const std::string& origin,
                   Transfer& transfer, std::string& why) {
    curl_easy_reset(curl_);  // keeps open connections
    Headers headers;
    std::string range;
    std::array<char, CURL_ERROR_SIZE> message{};
    set(CURLOPT_URL, request.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_USERAGENT, options_.user_agent.c_str());
    set(CURLOPT_ERRORBUFFER, message.data());
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, on_progress);
    set(CURLOPT_WRITEFUNCTION, on_body);
    set(CURLOPT_WRITEDATA, &transfer);
    set(CURLOPT_HEADERFUNCTION, on_header);
    set(CURLOPT_HEADERDATA, &transfer);
    set(CURLOPT_CONNECTTIMEOUT_MS,
        static_cast<long>(options_.connect_timeout.count()));
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME,
        static_cast<long>(options_.stall_timeout.count()));
    if (!options_.certificates.empty())
      set(CURLOPT_CAINFO, options_.certificates.c_str());
    add_credentials(origin);
    if (!request.accept.empty())
      headers.add("Accept: " + request.accept);
    if (request.range) {
      range = range_text(*request.range);
      set(CURLOPT_RANGE, range.c_str());
    } else {
      set(CURLOPT_ACCEPT_ENCODING, "");  // all that libcurl can decode
    }
    set(CURLOPT_HTTPHEADER, headers.list);
    const CURLcode code = curl_easy_perform(curl_);
    long status = 0;
    curl_easy_getinfo(curl_, CURLINFO_RESPONSE_CODE, &status);
    transfer.response.status = static_cast<int>(status);
    why = message[0] != '\0' ? message.data() : curl_easy_strerror(code);
    forget_encoding(transfer.response);
    return code;
  }

  template <typename Value>
  void set(CURLoption option, Value value) {
    const CURLcode code = curl_easy_setopt(curl_, option, value);
    // A build without compression or netrc does not know those; nothing is
    // lost.
    if (code != CURLE_OK && code != CURLE_UNKNOWN_OPTION &&
        code != CURLE_NOT_BUILT_IN)
      throw Error("cannot set up", "libcurl", curl_easy_strerror(code));
  }

  void add_credentials(const std::string& origin) {
    const auto found = credentials_.find(origin);
    if (found != credentials_.end()) {
      set(CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
      set(CURLOPT_USERNAME, found->second.user.c_str());
      set(CURLOPT_PASSWORD, found->second.password.c_str());
    } else if (!options_.netrc.empty()) {
      set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
      set(CURLOPT_NETRC_FILE, options_.netrc.c_str());
    }
  }

  static std::string range_text(
      const std::pair<std::int64_t, std::int64_t>& range) {
    if (range.first < 0)  // the last -first bytes
      return std::to_string(range.first);
    return std::to_string(range.first) + "-" + std::to_string(range.second);
  }

  /// The body is decoded: what the headers say of its coding is no more true.
  static void forget_encoding(HttpResponse& response) {
    if (response.headers.erase("content-encoding") != 0)
      response.headers.erase("content-length");
  }

  CurlOptions options_;
  CURL* curl_ = nullptr;
  std::map<std::string, Credentials> credentials_;
};

CurlHttpClient::CurlHttpClient(CurlOptions options)
    : connection_(std::make_unique<Connection>(std::move(options))) {}

CurlHttpClient::~CurlHttpClient() = default;

HttpResponse CurlHttpClient::get(const HttpRequest& request) {
  return connection_->get(request);
}

}  // namespace autopin
