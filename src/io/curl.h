#pragma once
// HTTP by libcurl; see http.h for what is promised. One pool of connections is
// kept for the client's life. Redirects are followed here, not by libcurl, so
// that each hop gets the credentials of its own host and no other (libcurl 7.88
// can hand on those of netrc: CVE-2024-11053).

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "io/http.h"

namespace autopin {

struct CurlOptions {
  std::string user_agent = "autopin";
  /// Credentials by host; empty: none are looked up.
  std::filesystem::path netrc;
  /// A bundle of trusted certificates; empty: the system's.
  std::filesystem::path certificates;
  std::chrono::milliseconds connect_timeout{15'000};
  /// A transfer that stands still for this long has failed.
  std::chrono::seconds stall_timeout{30};
  /// Further tries after 429 and 5xx, and where no connection was to be had or
  /// it broke before an answer came. Not after a stall: the user waited enough.
  int retries = 3;
  /// Before the first further try; doubled for each, `Retry-After` counts where
  /// it is longer (and at most 30 s).
  std::chrono::milliseconds back_off{500};
  /// Transfers under way at a time, over all hosts.
  std::size_t parallel = 32;
};

/// For one thread.
class CurlHttpClient : public HttpClient {
 public:
  explicit CurlHttpClient(CurlOptions options);
  ~CurlHttpClient() override;

  /// `http` and `https` only. Credentials in the URL (`user:word@`) go to that
  /// origin alone, and to later requests to it; they are not in the answer's
  /// `url`. `body` is decoded, and `max_bytes` counts decoded bytes.
  HttpResponse get(const HttpRequest& request) override;
  void expect(const std::vector<HttpRequest>& soon) override;

 private:
  class Pool;
  std::unique_ptr<Pool> pool_;
};

}  // namespace autopin
