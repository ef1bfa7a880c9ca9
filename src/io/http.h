#pragma once
// HTTP GET behind an interface; the real one is libcurl's, see http_cache.h for
// the one that remembers, and tape.h for the recording and replaying ones.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace autopin {

struct HttpRequest {
  std::string url;
  /// "application/vnd.pypi.simple.v1+json, …"; empty: anything.
  std::string accept;
  /// First and last byte (RFC 9110, 14.2), or a suffix length as {-n, -1}.
  std::optional<std::pair<std::int64_t, std::int64_t>> range;
  /// More bytes than this end the transfer with an Error.
  std::int64_t max_bytes = std::int64_t{1} << 30;
  /// Of the body, in lower-case hex, where it is known beforehand: a cache may
  /// answer with those bytes from anywhere. Not checked by the client.
  std::string sha256 = {};
  /// Only if it is no more this one (RFC 9110, 13.1); otherwise status 304.
  std::string if_none_match = {};
  std::string if_modified_since = {};

  bool operator==(const HttpRequest&) const = default;
};

struct HttpResponse {
  int status = 0;
  /// Names in lower case.
  std::map<std::string, std::string> headers;
  std::string body;
  /// Where redirects ended; relative links resolve against it.
  std::string url;
  /// It comes out of a cache.
  bool kept = false;
};

class HttpClient {
 public:
  HttpClient() = default;
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  virtual ~HttpClient() = default;

  /// An answer of any status is a value. Throws Error where none came (no
  /// route, TLS refused, time out, too many redirects, body over the bound).
  virtual HttpResponse get(const HttpRequest& request) = 0;

  /// A hint: `soon` will be asked for by `get`. The real client has the answers
  /// on their way at once, all at a time, and does not wait for them. No tape
  /// has hints, so the order in which answers arrive decides nothing.
  virtual void expect(const std::vector<HttpRequest>& /*soon*/) {}

  /// The answer has proved right, in what it says and not only in its bytes: a
  /// cache may keep it. Nothing is kept that nobody vouched for.
  virtual void keep(const HttpRequest& /*request*/,
                    const HttpResponse& /*response*/) {}
};

}  // namespace autopin
