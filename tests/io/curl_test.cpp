#include "io/curl.h"

#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <set>
#include <thread>

#include "base/error.h"
#include "base/text.h"
#include "io/interrupt.h"
#include "io/process.h"
#include "io/temporary.h"
#include "io/url.h"

namespace autopin {
namespace {

using namespace std::literals;

/// tests/io/server.py, for the time of one test.
class Server {
 public:
  explicit Server(const std::string& certificate = {},
                  const std::string& key = {}) {
    const std::string script = AUTOPIN_SOURCE_DIR "/tests/io/server.py";
    const std::string folder = folder_.path().string();
    pid_ = ::fork();
    if (pid_ == 0) {
      if (certificate.empty())
        ::execlp("python3", "python3", script.c_str(), folder.c_str(), nullptr);
      else
        ::execlp("python3", "python3", script.c_str(), folder.c_str(),
                 certificate.c_str(), key.c_str(), nullptr);
      ::_exit(127);
    }
    DiskFiles files;
    for (int i = 0; i < 1000 && !files.exists(folder_.path() / "port"); ++i)
      std::this_thread::sleep_for(10ms);
    port_ = files.read(folder_.path() / "port").value_or("0");
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  std::string url(const std::string& path, const std::string& user = {},
                  const std::string& host = "127.0.0.1") const {
    return "http://" + user + (user.empty() ? "" : "@") + host + ":" + port_ +
           path;
  }
  const std::string& port() const { return port_; }
  /// Requests so far, each as its words.
  std::vector<std::vector<std::string>> requests() const {
    std::vector<std::vector<std::string>> all;
    const std::string text =
        DiskFiles().read(folder_.path() / "requests").value_or("");
    for (const std::string_view line : lines_of(text))
      all.push_back(split(line, ' '));
    return all;
  }

 private:
  TemporaryFolder folder_;
  pid_t pid_ = -1;
  std::string port_;
};

CurlOptions quick() {
  CurlOptions options;
  options.user_agent = "autopin/test";
  options.back_off = 10ms;
  return options;
}

HttpResponse get(CurlHttpClient& client, const std::string& url) {
  HttpRequest request;
  request.url = url;
  return client.get(request);
}

std::string base64_of_user_word() {
  return "dXNlcjp3b3Jk";
}  // user:word

TEST_CASE("an answer has its status, headers in lower case, and body") {
  const Server server;
  CurlHttpClient client(quick());
  HttpRequest request;
  request.url = server.url("/hello");
  request.accept = "text/x";
  const HttpResponse response = client.get(request);
  CHECK(response.status == 200);
  CHECK(response.body == "hello");
  CHECK(response.headers.at("x-case") == "Kept");
  CHECK(response.url == server.url("/hello"));
  const auto seen = server.requests().at(0);
  CHECK(seen[4] == "autopin/test");
  CHECK(seen[5] == "text/x");
  CHECK(get(client, server.url("/status/404")).status == 404);
  CHECK(server.requests().size() == 2);
  CHECK(server.requests()[0][3] == server.requests()[1][3]);  // one connection
}

std::vector<HttpRequest> numbered(const Server& server, const std::string& path,
                                  int count) {
  std::vector<HttpRequest> out;
  for (int i = 0; i < count; ++i) {
    out.emplace_back();
    out.back().url = server.url(path + "-" + std::to_string(i));
  }
  return out;
}

TEST_CASE("what is expected is on its way at a time, over connections kept") {
  const Server server;
  CurlHttpClient client(quick());
  const auto ports = [&](std::size_t first) {
    std::set<std::string> out;
    const auto all = server.requests();
    for (std::size_t i = first; i < all.size(); ++i)
      out.insert(all[i][3]);
    return out;
  };
  // None of them has an answer before all eight are there.
  const auto soon = numbered(server, "/meet/8", 8);
  client.expect(soon);
  // Asked for in another order than they come.
  for (auto request = soon.rbegin(); request != soon.rend(); ++request) {
    const HttpResponse response = client.get(*request);
    CHECK(response.status == 200);
    CHECK(response.body == request->url.substr(request->url.rfind('/') + 1));
  }
  CHECK(server.requests().size() == 8);
  const auto used = ports(0);
  const auto again = numbered(server, "/slow/0.01", 8);
  client.expect(again);
  for (const HttpRequest& request : again)
    client.get(request);
  for (const std::string& port : ports(8))
    CHECK(used.count(port) == 1);
}

TEST_CASE(
    "no more than so many are on their way, and who is asked goes first") {
  const Server server;
  CurlOptions options = quick();
  options.parallel = 2;
  CurlHttpClient client(options);
  client.expect(numbered(server, "/slow/1", 6));
  CHECK(get(client, server.url("/hello")).body == "hello");
  const auto seen = server.requests();
  const auto asked =
      std::find_if(seen.begin(), seen.end(),
                   [](const auto& words) { return words[0] == "/hello"; });
  REQUIRE(asked != seen.end());
  CHECK(asked - seen.begin() < 6);  // not behind all that is expected
  for (const auto& words : seen)
    CHECK(std::stoi(words.at(6)) <= 2);
}

TEST_CASE("what is expected and never asked for harms nobody") {
  const Server server;
  CurlHttpClient client(quick());
  std::vector<HttpRequest> soon(4);
  soon[0].url = "no URL";
  soon[1].url = server.url("/stall");
  soon[2].url = server.url("/status/404");
  soon[3].url = "http://127.0.0.1:1/";
  client.expect(soon);
  CHECK(get(client, server.url("/hello")).body == "hello");
  CHECK(client.get(soon[2]).status == 404);
  CHECK_THROWS_AS(client.get(soon[0]), Error);
}

TEST_CASE("Retry-After is heeded, as seconds and as a date, within bounds") {
  const Server server;
  CurlHttpClient client(quick());
  for (const std::string when : {"1", "Thu, 01 Jan 1970 00:00:00 GMT", "x"}) {
    const auto start = std::chrono::steady_clock::now();
    CHECK(get(client, server.url("/later/" + replace_all(when, " ", "%20")))
              .body == "now");
    const auto took = std::chrono::steady_clock::now() - start;
    if (when == "1")
      CHECK(took >= 1s);
    CHECK(took < 20s);  // far below what a date taken for seconds would ask
  }
}

TEST_CASE("headers without end are an Error") {
  const Server server;
  CurlHttpClient client(quick());
  CHECK_THROWS_WITH(get(client, server.url("/headers")),
                    Catch::Contains("headers"));
}

TEST_CASE("a passing trouble is tried again, a lasting one is an answer") {
  const Server server;
  CurlHttpClient client(quick());
  CHECK(get(client, server.url("/flaky")).body == "at last");
  CHECK(server.requests().size() == 3);
  CHECK(get(client, server.url("/drop")).body == "held");
  CHECK(get(client, server.url("/status/429")).status == 429);
  CHECK(server.requests().size() == 9);
}

TEST_CASE(
    "compressed bodies are decoded, and the bound counts what comes out") {
  const Server server;
  CurlHttpClient client(quick());
  HttpRequest request;
  request.url = server.url("/gzip");
  const HttpResponse response = client.get(request);
  CHECK(response.body == std::string(100000, 'z'));
  CHECK(response.headers.count("content-encoding") == 0);
  request.max_bytes = 99999;
  CHECK_THROWS_WITH(client.get(request), Catch::Contains("99999 bytes"));
  request.url = server.url("/large/5000");
  request.max_bytes = 5000;
  CHECK(client.get(request).body.size() == 5000);
  request.max_bytes = 4999;
  CHECK_THROWS_AS(client.get(request), Error);
  CHECK(server.requests().size() == 4);  // too large is not tried again
}

TEST_CASE("a range is asked for as RFC 9110 spells it") {
  const Server server;
  CurlHttpClient client(quick());
  HttpRequest request;
  request.url = server.url("/range");
  request.range = {2, 4};
  CHECK(client.get(request).body == "234");
  request.range = {-3, -1};
  CHECK(client.get(request).body == "789");
  CHECK(server.requests()[1][2] == "bytes=-3");
}

TEST_CASE("redirects are followed, ten at most, to http and https only") {
  const Server server;
  CurlHttpClient client(quick());
  const HttpResponse response = get(client, server.url("/to/..%2fhello"));
  CHECK(response.body == "hello");
  CHECK(response.url == server.url("/hello"));
  CHECK_THROWS_WITH(get(client, server.url("/loop")),
                    Catch::Contains("more than 10 redirects"));
  CHECK_THROWS_WITH(get(client, server.url("/to/file:%2f%2f%2fetc%2fpasswd")),
                    Catch::Contains("only http and https"));
  CHECK_THROWS_AS(get(client, "file:///etc/passwd"), Error);
}

TEST_CASE("credentials reach their own host and no other") {
  const Server server;
  CurlHttpClient client(quick());
  const std::string elsewhere = "http:%2f%2flocalhost:" + server.port();
  CHECK(get(client, server.url("/to/" + elsewhere + "%2fhello", "user:word"))
            .status == 200);
  const HttpResponse again = get(client, server.url("/hello"));
  CHECK(again.url == server.url("/hello"));
  const auto seen = server.requests();
  CHECK(seen.at(0)[1] == base64_of_user_word());
  CHECK(seen.at(1)[1] == "-");                    // another host
  CHECK(seen.at(2)[1] == base64_of_user_word());  // remembered
}

TEST_CASE("netrc's credentials reach the host that they are for") {
  const Server server;
  const TemporaryFolder folder;
  CurlOptions options = quick();
  options.netrc = folder.path() / "netrc";
  DiskFiles().write(options.netrc,
                    "machine 127.0.0.1 login user password word\n");
  CurlHttpClient client(options);
  get(client,
      server.url("/to/http:%2f%2flocalhost:" + server.port() + "%2fhello"));
  CHECK(server.requests().at(0)[1] == base64_of_user_word());
  CHECK(server.requests().at(1)[1] == "-");
}

TEST_CASE("a password is in no message") {
  CurlHttpClient client(quick());
  for (const char* url : {"ftp://user:word@host/x", "http://user:word@ho st/x",
                          "http://user:word@127.0.0.1:1/x"}) {
    try {
      get(client, url);
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(std::string(error.what()).find("word") == std::string::npos);
    }
  }
}

TEST_CASE("no answer is an Error that names the URL") {
  CurlHttpClient client(quick());
  CHECK_THROWS_WITH(get(client, "http://127.0.0.1:1/x"),
                    Catch::Contains("http://127.0.0.1:1/x"));
}

TEST_CASE("a transfer that stands still fails, and stops when asked") {
  const Server server;
  CurlOptions options = quick();
  options.stall_timeout = 1s;
  options.retries = 0;
  CurlHttpClient client(options);
  CHECK_THROWS_AS(get(client, server.url("/stall")), Error);
  options.stall_timeout = 60s;
  CurlHttpClient patient(options);
  watch_interrupts();
  std::thread user([] {
    std::this_thread::sleep_for(300ms);
    ::kill(::getpid(), SIGTERM);
  });
  CHECK_THROWS_AS(get(patient, server.url("/stall")), Interrupted);
  user.join();
  forget_interrupts();
}

TEST_CASE("a certificate that nobody vouches for is refused") {
  const TemporaryFolder folder;
  const std::string certificate = (folder.path() / "certificate").string();
  const std::string key = (folder.path() / "key").string();
  Command make;
  make.argv = {
      "openssl",  "req",           "-x509",   "-newkey",
      "rsa:2048", "-nodes",        "-days",   "2",
      "-subj",    "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
      "-out",     certificate,     "-keyout", key};
  REQUIRE(ProcessRunner().run(make).exit_code == 0);
  const Server server(certificate, key);
  const std::string url = "https://127.0.0.1:" + server.port() + "/hello";
  CurlHttpClient stranger(quick());
  CHECK_THROWS_WITH(get(stranger, url), Catch::Contains("certificate"));
  CurlOptions options = quick();
  options.certificates = certificate;
  CurlHttpClient friendly(options);
  CHECK(get(friendly, url).body == "hello");
  CHECK_THROWS_AS(
      get(friendly, "https://localhost:" + server.port() + "/hello"),
      Error);  // the name differs
  CHECK_THROWS_WITH(get(friendly, "https://127.0.0.1:" + server.port() +
                                      "/to/http:%2f%2f127.0.0.1%2fhello"),
                    Catch::Contains("from https to"));
}

TEST_CASE("URLs resolve as RFC 3986 has it") {
  const std::string base = "http://host/simple/name/?x=1";
  CHECK(resolve_url(base, "../../files/a.whl#sha256=0") ==
        "http://host/files/a.whl#sha256=0");
  CHECK(resolve_url(base, "https://other/x") == "https://other/x");
  CHECK(resolve_url(base, "//other/x") == "http://other/x");
  CHECK(resolve_url(base, "/x") == "http://host/x");
  CHECK(Url::parse("HTTPS://Host/x#part").origin == "https://host:443");
  CHECK(Url::parse("http://u%40v:p%3Aw@host:8080/x").credentials.user == "u@v");
}

}  // namespace
}  // namespace autopin
