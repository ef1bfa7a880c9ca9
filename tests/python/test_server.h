#pragma once
// An HTTP server in memory: pages by URL, ranges as RFC 9110 has them, and all
// that was asked for. Faults are pages like others.

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "io/fake_world.h"

namespace autopin::python {

class TestServer final : public HttpClient {
 public:
  struct Page {
    std::string body;
    std::string type = "text/html";
    int status = 200;
  };

  HttpResponse get(const HttpRequest& request) override {
    asked.push_back(request);
    HttpResponse out;
    out.url = request.url;
    const auto found = pages.find(request.url);
    if (found == pages.end()) {
      out.status = 404;
      return out;
    }
    const Page& page = found->second;
    out.status = page.status;
    out.headers["content-type"] = page.type;
    out.body = page.body;
    if (request.range && ranges)
      cut(*request.range, out);
    if (static_cast<std::int64_t>(out.body.size()) > request.max_bytes)
      throw Error("cannot get", request.url, "too large");
    return out;
  }

  void expect(const std::vector<HttpRequest>& soon) override {
    for (const HttpRequest& request : soon)
      expected.push_back(request.url);
  }
  void keep(const HttpRequest& request, const HttpResponse&) override {
    kept.push_back(request.url);
  }

  std::map<std::string, Page> pages;
  std::vector<HttpRequest> asked;
  /// By `expect` and `keep`.
  std::vector<std::string> expected;
  std::vector<std::string> kept;
  bool ranges = true;

 private:
  static void cut(std::pair<std::int64_t, std::int64_t> range,
                  HttpResponse& out) {
    const auto size = static_cast<std::int64_t>(out.body.size());
    const std::int64_t first =
        range.first < 0 ? std::max<std::int64_t>(0, size + range.first)
                        : range.first;
    const std::int64_t last =
        range.first < 0 ? size - 1 : std::min(range.second, size - 1);
    out.status = 206;
    out.headers["content-range"] = "bytes " + std::to_string(first) + '-' +
                                   std::to_string(last) + '/' +
                                   std::to_string(size);
    out.body = out.body.substr(static_cast<std::size_t>(first),
                               static_cast<std::size_t>(last - first + 1));
  }
};

/// A world with that server and nothing else.
struct ServedWorld {
  FakeWorld fake;
  TestServer server;
  World world{fake.commands, server, fake.files, fake.clock, fake.environment};
};

}  // namespace autopin::python
