#include "io/http_cache.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>
#include <thread>

#include "base/error.h"
#include "base/hash.h"
#include "io/disk.h"
#include "io/fake_world.h"
#include "io/temporary.h"

namespace autopin {
namespace {

namespace fs = std::filesystem;
using namespace std::literals;

const std::string url = "http://index.test/simple/a/";

/// Answers what is set, 304 to who knows the ETag already.
class Server : public HttpClient {
 public:
  HttpResponse get(const HttpRequest& request) override {
    asked.push_back(request);
    HttpResponse out = answer;
    out.url = request.url;
    const auto etag = answer.headers.find("etag");
    const auto modified = answer.headers.find("last-modified");
    if ((etag != answer.headers.end() &&
         request.if_none_match == etag->second) ||
        (modified != answer.headers.end() &&
         request.if_modified_since == modified->second)) {
      out.status = 304;
      out.body.clear();
    }
    return out;
  }
  void expect(const std::vector<HttpRequest>& soon) override {
    expected.insert(expected.end(), soon.begin(), soon.end());
  }
  std::vector<HttpRequest> asked;
  std::vector<HttpRequest> expected;
  HttpResponse answer{200, {}, "page", "", false};
};

struct StillClock : Clock {
  std::chrono::system_clock::time_point now() override { return time; }
  std::chrono::system_clock::time_point time{std::chrono::hours(500000)};
};

struct Cache {
  TemporaryFolder folder;
  Server server;
  StillClock clock;

  static HttpRequest request(const std::string& where = url) {
    HttpRequest out;
    out.url = where;
    return out;
  }
  /// A run of its own: asks, and vouches for the answer.
  HttpResponse get(const HttpRequest& asked, bool offline = false) {
    CachingHttpClient http(server, clock,
                           {folder.path() / "cache", offline, 1U << 30U});
    HttpResponse out = http.get(asked);
    http.keep(asked, out);
    return out;
  }
  std::size_t requests() const { return server.asked.size(); }
  std::vector<fs::path> files(const std::string& below = "") const {
    std::vector<fs::path> out;
    for (const auto& entry :
         fs::recursive_directory_iterator(folder.path() / "cache" / below))
      if (entry.is_regular_file())
        out.push_back(entry.path());
    return out;
  }
};

TEST_CASE(
    "what is fresh is not asked for again, and what is not is asked after") {
  Cache cache;
  cache.server.answer.headers = {{"etag", "\"1\""},
                                 {"cache-control", "public, max-age=600"},
                                 {"content-type", "text/html"}};
  CHECK_FALSE(cache.get(Cache::request()).kept);
  cache.clock.time += 599s;
  const HttpResponse again = cache.get(Cache::request());
  CHECK(again.kept);
  CHECK(again.body == "page");
  CHECK(again.status == 200);
  CHECK(again.url == url);
  CHECK(again.headers.at("content-type") == "text/html");
  CHECK(cache.requests() == 1);
  cache.clock.time += 1s;
  CHECK(cache.get(Cache::request()).body == "page");
  REQUIRE(cache.requests() == 2);
  CHECK(cache.server.asked[1].if_none_match == "\"1\"");
  // Its 304 made it fresh again.
  cache.clock.time += 599s;
  cache.get(Cache::request());
  CHECK(cache.requests() == 2);
  cache.clock.time += 1s;
  cache.server.answer.headers["etag"] = "\"2\"";
  cache.server.answer.body = "new page";
  CHECK(cache.get(Cache::request()).body == "new page");
  CHECK(cache.get(Cache::request()).body == "new page");
  CHECK(cache.requests() == 3);
}

TEST_CASE("Cache-Control and Age are heeded") {
  Cache cache;
  auto& headers = cache.server.answer.headers;
  const auto asked_of_two = [&] {
    const std::size_t before = cache.requests();
    cache.get(Cache::request(url + std::to_string(before)));
    cache.get(Cache::request(url + std::to_string(before)));
    return cache.requests() - before;
  };
  headers["cache-control"] = "max-age=60";
  CHECK(asked_of_two() == 1);
  headers["age"] = "60";
  CHECK(asked_of_two() == 2);
  headers.erase("age");
  headers["cache-control"] = "no-cache, max-age=60";
  CHECK(asked_of_two() == 2);
  headers.erase("cache-control");
  CHECK(asked_of_two() == 2);
  headers["cache-control"] = "no-store, max-age=60";
  CHECK(asked_of_two() == 2);
  CHECK_THROWS_AS(
      cache.get(Cache::request(url + std::to_string(cache.requests() - 2)),
                true),
      Error);
}

TEST_CASE("a date of change counts where it cannot name two versions") {
  Cache cache;
  auto& headers = cache.server.answer.headers;
  headers = {{"last-modified", "Sun, 06 Nov 1994 08:49:37 GMT"},
             {"date", "Sun, 06 Nov 1994 08:50:00 GMT"}};
  cache.get(Cache::request());
  cache.get(Cache::request());
  CHECK(cache.server.asked[1].if_modified_since.empty());
  headers["date"] = "Sun, 06 Nov 1994 08:50:37 GMT";
  cache.get(Cache::request());
  const HttpResponse known = cache.get(Cache::request());
  CHECK(cache.server.asked[3].if_modified_since == headers["last-modified"]);
  CHECK(known.kept);
  CHECK(known.body == "page");
}

TEST_CASE("nothing is kept that nobody vouched for") {
  Cache cache;
  cache.server.answer.headers = {{"cache-control", "max-age=600"}};
  CachingHttpClient http(cache.server, cache.clock,
                         {cache.folder.path() / "cache", false, 1U << 30U});
  http.get(Cache::request());
  http.get(Cache::request());
  CHECK(cache.requests() == 2);
  CHECK_FALSE(fs::exists(cache.folder.path() / "cache"));
  HttpResponse failed{503, {{"cache-control", "max-age=600"}}, "", url, false};
  http.keep(Cache::request(), failed);
  CHECK_FALSE(fs::exists(cache.folder.path() / "cache"));
}

TEST_CASE("bytes of a known hash are asked for once, from wherever") {
  Cache cache;
  HttpRequest file = Cache::request("http://one.test/a.whl");
  file.sha256 = to_hex(sha256("page"));
  cache.get(file);
  file.url = "http://two.test/a.whl";
  CHECK(cache.get(file).kept);
  CHECK(cache.requests() == 1);
  CHECK(cache.get(file, true).body == "page");
  // What is not what it should be lands under its own hash, if at all.
  file.sha256 = std::string(64, '0');
  cache.get(file);
  cache.get(file);
  CHECK(cache.requests() == 3);
}

TEST_CASE("a damaged cache is none") {
  Cache cache;
  cache.server.answer.headers = {{"cache-control", "max-age=600"},
                                 {"etag", "\"1\""}};
  for (const char* kind : {"bytes", "notes"}) {
    for (const std::string damage : {"", "x", "page"}) {
      cache.get(Cache::request());
      for (const fs::path& file : cache.files(kind))
        std::ofstream(file, std::ios::trunc) << damage;
      INFO(kind << " " << damage);
      CHECK(cache.get(Cache::request()).body == "page");
      CHECK(cache.get(Cache::request()).kept);
    }
  }
  // A folder that cannot be: a file is in its place.
  cache.server.asked.clear();
  std::ofstream(cache.folder.path() / "file") << "x";
  CachingHttpClient http(cache.server, cache.clock,
                         {cache.folder.path() / "file", false, 1U << 30U});
  http.keep(Cache::request(), http.get(Cache::request()));
  CHECK(http.get(Cache::request()).body == "page");
}

TEST_CASE("offline nobody is asked, and what is missing is named") {
  Cache cache;
  cache.get(Cache::request());
  cache.server.answer.status = 404;
  cache.get(Cache::request(url + "none/"));
  const std::size_t before = cache.requests();
  CHECK(cache.get(Cache::request(), true).body == "page");
  CHECK(cache.get(Cache::request(url + "none/"), true).status == 404);
  CHECK_THROWS_WITH(
      cache.get(Cache::request(url + "other/"), true),
      Catch::Contains(url + "other/") && Catch::Contains("--offline"));
  CachingHttpClient http(cache.server, cache.clock,
                         {cache.folder.path() / "cache", true, 1U << 30U});
  http.expect({Cache::request(url + "third/")});
  CHECK(cache.requests() == before);
  CHECK(cache.server.expected.empty());
}

TEST_CASE("only what is missing or stale is expected, as it will be asked") {
  Cache cache;
  cache.server.answer.headers = {{"etag", "\"1\""},
                                 {"cache-control", "max-age=600"}};
  cache.get(Cache::request());
  CachingHttpClient http(cache.server, cache.clock,
                         {cache.folder.path() / "cache", false, 1U << 30U});
  http.expect({Cache::request(), Cache::request(url + "new/")});
  REQUIRE(cache.server.expected.size() == 1);
  CHECK(cache.server.expected[0].url == url + "new/");
  cache.clock.time += 600s;
  http.expect({Cache::request()});
  http.get(Cache::request());
  CHECK(cache.server.expected.back() == cache.server.asked.back());
}

TEST_CASE("no password and no signature is in the cache in clear") {
  Cache cache;
  const std::string secret = "http://me:word@index.test/simple/a/";
  HttpRequest request = Cache::request(secret);
  HttpResponse page{
      200, {}, "page", "http://files.test/x?sig=topsecret", false};
  CachingHttpClient http(cache.server, cache.clock,
                         {cache.folder.path() / "cache", false, 1U << 30U});
  http.keep(request, page);
  REQUIRE(cache.files().size() >= 2);
  for (const fs::path& file : cache.files()) {
    const std::string text =
        file.string() + DiskFiles().read(file).value_or("");
    CHECK(text.find("word") == std::string::npos);
    CHECK(text.find("me:") == std::string::npos);
    CHECK(text.find("topsecret") == std::string::npos);
  }
  CHECK((fs::status(cache.folder.path() / "cache").permissions() &
         (fs::perms::group_all | fs::perms::others_all)) == fs::perms::none);
  // What one user may see is not another's answer.
  CHECK(cache.get(request, true).body == "page");
  CHECK_THROWS_AS(cache.get(Cache::request(), true), Error);
}

TEST_CASE("writers that share the folder and are killed leave it whole") {
  Cache cache;
  const fs::path folder = cache.folder.path() / "cache";
  const auto body = [](std::size_t i) { return std::string(200000 + i, 'x'); };
  std::vector<pid_t> writers;
  for (int k = 0; k < 2; ++k) {
    writers.push_back(::fork());
    if (writers.back() == 0) {
      CacheFolder mine(folder, 1U << 30U);
      for (std::size_t i = 0;; i = (i + 1) % 50)
        mine.keep_note("key", mine.keep_bytes(body(i)));
    }
  }
  CacheFolder reader(folder, 1U << 30U);
  int seen = 0;
  const auto end = std::chrono::steady_clock::now() + 10s;
  while (seen < 200 && std::chrono::steady_clock::now() < end) {
    const auto hash = reader.note("key");
    if (!hash)
      continue;
    const auto bytes = reader.bytes(*hash);
    REQUIRE(bytes);
    CHECK(*bytes == body(bytes->size() - 200000));
    ++seen;
  }
  for (const pid_t writer : writers) {
    ::kill(writer, SIGKILL);
    ::waitpid(writer, nullptr, 0);
  }
  CHECK(seen == 200);
  const auto hash = reader.note("key");
  REQUIRE(hash);
  CHECK(reader.bytes(*hash));
}

TEST_CASE("above its bound the cache loses what was not used for longest") {
  TemporaryFolder folder;
  std::vector<std::string> hashes;
  const fs::path place = folder.path() / "cache";
  {
    CacheFolder cache(place, 2500);
    for (int i = 0; i < 5; ++i) {
      hashes.push_back(cache.keep_bytes(std::string(1000, char('a' + i))));
      fs::last_write_time(
          place / "bytes" / hashes.back().substr(0, 2) / hashes.back(),
          fs::file_time_type::clock::now() - std::chrono::hours(100 - i));
    }
    std::ofstream(place / "bytes" / "left.aside") << "x";
    fs::last_write_time(place / "bytes" / "left.aside",
                        fs::file_time_type::clock::now() - 48h);
    CHECK(cache.bytes(hashes[0]));  // used: now the newest
  }
  CHECK_FALSE(fs::exists(place / "bytes" / "left.aside"));
  CacheFolder cache(place, 2500);
  CHECK(cache.has_bytes(hashes[0]));
  CHECK_FALSE(cache.has_bytes(hashes[1]));
  CHECK_FALSE(cache.has_bytes(hashes[2]));
  CHECK_FALSE(cache.has_bytes(hashes[3]));
  CHECK(cache.has_bytes(hashes[4]));
}

}  // namespace
}  // namespace autopin
