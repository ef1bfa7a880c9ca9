// The index client over real HTTP against an index that misbehaves: each fault
// is an Error that names it, soon and in bounded memory.

#include <unistd.h>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/error.h"
#include "io/curl.h"
#include "python/index.h"
#include "python/test_server.h"

namespace autopin::python {
namespace {

/// faulty_index.py, which ends when its standard input does.
class FaultyIndex {
 public:
  FaultyIndex()
      : port_file_(std::filesystem::temp_directory_path() /
                   ("autopin-faulty-index-" + std::to_string(::getpid()))) {
    std::filesystem::remove(port_file_);
    const std::string command = std::string("python3 " AUTOPIN_SOURCE_DIR
                                            "/tests/python/faulty_index.py ") +
                                port_file_.string();
    server_ = ::popen(command.c_str(), "w");
    for (int tries = 0; tries < 300 && port_.empty(); ++tries) {
      std::ifstream(port_file_) >> port_;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  FaultyIndex(const FaultyIndex&) = delete;
  FaultyIndex& operator=(const FaultyIndex&) = delete;
  ~FaultyIndex() {
    ::pclose(server_);
    std::filesystem::remove(port_file_);
  }
  std::string url() const { return "http://127.0.0.1:" + port_ + "/simple/"; }

 private:
  std::filesystem::path port_file_;
  std::FILE* server_ = nullptr;
  std::string port_;
};

CurlOptions impatient() {
  CurlOptions options;
  options.stall_timeout = std::chrono::seconds(2);
  options.retries = 0;
  return options;
}

TEST_CASE("an index that misbehaves over HTTP") {
  const FaultyIndex faulty;
  FakeWorld fake;
  CurlHttpClient http(impatient());
  World world{fake.commands, http, fake.files, fake.clock, fake.environment};
  IndexOptions options;
  options.index_urls = {faulty.url()};
  options.max_page_bytes = 20 << 20;
  const auto index = make_index(world, options);

  const auto good = index->project("good");
  REQUIRE(good);
  CHECK(index->facts(good->files.at(0)).metadata.version == "1.0");
  CHECK_FALSE(index->project("unknown"));

  CHECK_THROWS_WITH(index->project("ring"), Catch::Contains("redirect"));
  CHECK_THROWS_AS(index->project("stall"), Error);
  CHECK_THROWS_AS(index->project("truncated"), Error);
  CHECK_THROWS_WITH(index->project("endless"), Catch::Contains("more than"));
  CHECK_THROWS_WITH(index->project("broken-json"), Catch::Contains("JSON"));
  CHECK_THROWS_WITH(index->project("deep-json"), Catch::Contains("JSON"));
  const auto many = index->project("many-links");
  REQUIRE(many);
  CHECK(many->files.size() == 100000);
  const auto liar = index->project("liar");
  REQUIRE(liar);
  // The first link is another project's file; the second one is not there.
  REQUIRE(liar->files.size() == 1);
  CHECK_THROWS_WITH(index->facts(liar->files[0]), Catch::Contains("404"));
  IndexFile lying = good->files[0];
  lying.url += "?again";
  lying.sha256 = std::string(64, '0');
  CHECK_THROWS_AS(index->download(lying), Error);
}

}  // namespace
}  // namespace autopin::python
