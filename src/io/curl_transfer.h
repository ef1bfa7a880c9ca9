#pragma once
// One request to one server and its answer, on a handle of libcurl: no redirect
// followed, nothing tried again. Private to curl.cpp.

#include <curl/curl.h>

#include <array>
#include <memory>
#include <string>

#include "io/curl.h"
#include "io/url.h"

namespace autopin {

class CurlTransfer {
 public:
  /// `request.url` has no credentials. `known`: those of its origin, or null.
  CurlTransfer(const HttpRequest& request, const CurlOptions& options,
               const Credentials* known);
  CurlTransfer(const CurlTransfer&) = delete;
  CurlTransfer& operator=(const CurlTransfer&) = delete;

  CURL* handle() const { return handle_.get(); }

  /// To be called once when libcurl is through with it.
  void finish(CURLcode code);

  CURLcode code() const { return code_; }
  bool too_large() const { return too_large_; }
  /// In words, where `code` is none of success.
  const std::string& why() const { return why_; }
  HttpResponse& response() { return response_; }

 private:
  struct EasyDeleter {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
  };
  struct ListDeleter {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };

  static std::size_t on_body(char* data, std::size_t one, std::size_t size,
                             void* user);
  static std::size_t on_header(char* data, std::size_t one, std::size_t size,
                               void* user);
  template <typename Value>
  void set(CURLoption option, Value value);
  void add_header(const std::string& name, const std::string& value);
  void set_credentials(const CurlOptions& options, const Credentials* known);

  std::unique_ptr<CURL, EasyDeleter> handle_;
  std::unique_ptr<curl_slist, ListDeleter> headers_;
  std::array<char, CURL_ERROR_SIZE> message_{};
  HttpResponse response_;
  std::size_t max_bytes_ = 0;
  std::size_t header_bytes_ = 0;
  bool too_large_ = false;
  CURLcode code_ = CURLE_OK;
  std::string why_;
};

}  // namespace autopin
