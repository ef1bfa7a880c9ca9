// The index client over real HTTP against an index that misbehaves: each fault
// is an Error that names it, soon, in bounded memory, and leaves nothing
// behind.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "base/error.h"
#include "base/text.h"
#include "io/curl.h"
#include "io/http_cache.h"
#include "io/temporary.h"
#include "python/index.h"
#include "python/test_server.h"

namespace autopin::python {
namespace {

namespace fs = std::filesystem;

/// faulty_index.py, which ends when its standard input does.
class FaultyIndex {
 public:
  FaultyIndex()
      : port_file_(fs::temp_directory_path() /
                   ("autopin-faulty-index-" + std::to_string(::getpid()))) {
    fs::remove(port_file_);
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
    fs::remove(port_file_);
  }
  std::string url() const { return "http://127.0.0.1:" + port_ + "/simple/"; }

 private:
  fs::path port_file_;
  std::FILE* server_ = nullptr;
  std::string port_;
};

const FaultyIndex& faulty_index() {
  static const FaultyIndex one;
  return one;
}

/// The client as autopin has it, with less patience and a cache of its own.
struct Client {
  FakeWorld fake;
  CurlHttpClient curl;
  CachingHttpClient http;
  World world{fake.commands, http, fake.files, fake.clock, fake.environment};
  std::unique_ptr<Index> index;

  Client(const FaultyIndex& faulty, const fs::path& cache)
      : curl(impatient()),
        http(curl, fake.clock, {cache, false, 1U << 30U}),
        index(make_index(world, {{faulty.url()}, {}})) {}

  static CurlOptions impatient() {
    CurlOptions options;
    options.stall_timeout = std::chrono::seconds(2);
    options.back_off = std::chrono::milliseconds(10);
    return options;
  }

  FileFacts facts(const std::string& project) {
    const auto page = index->project(project);
    REQUIRE(page);
    return index->facts(page->files.at(0));
  }
};

struct Cost {
  std::string said;
  double seconds = 0;    ///< On the clock; the machine may be busy.
  double processor = 0;  ///< Seconds of work.
  double mebibytes = 0;  ///< Peak of resident memory.
};

/// What it throws and costs, in a process of its own.
Cost cost_of(const std::function<void()>& act) {
  int pipe[2];
  REQUIRE(::pipe(pipe) == 0);
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = ::fork();
  if (child == 0) {
    std::string said;
    try {
      act();
    } catch (const std::exception& error) {
      said = error.what();
    }
    [[maybe_unused]] const auto size =
        ::write(pipe[1], said.data(), said.size());
    ::_exit(0);
  }
  ::close(pipe[1]);
  Cost cost;
  char buffer[4096];
  for (ssize_t size = 0; (size = ::read(pipe[0], buffer, sizeof buffer)) > 0;)
    cost.said.append(buffer, static_cast<std::size_t>(size));
  ::close(pipe[0]);
  rusage usage{};
  int status = 0;
  ::wait4(child, &status, 0, &usage);
  CHECK(status == 0);
  cost.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  const auto worked = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) +
           static_cast<double>(time.tv_usec) / 1e6;
  };
  cost.processor = worked(usage.ru_utime) + worked(usage.ru_stime);
  cost.mebibytes = static_cast<double>(usage.ru_maxrss) / 1024;
  return cost;
}

std::size_t notes_in(const fs::path& cache) {
  std::size_t out = 0;
  if (fs::exists(cache / "notes"))
    for (const auto& entry : fs::recursive_directory_iterator(cache / "notes"))
      out += entry.is_regular_file() ? 1U : 0U;
  return out;
}

struct Fault {
  std::string project;
  std::string said;
  /// Of what was right on the way: the page, where only its file is at fault.
  std::size_t kept = 0;
};

#if defined(__SANITIZE_ADDRESS__)
constexpr double most_mebibytes = 4000;
constexpr double most_seconds = 60;
#else
constexpr double most_mebibytes = 400;
constexpr double most_seconds = 15;
#endif

TEST_CASE("each fault of an index is told, soon, and nothing of it is kept") {
  const FaultyIndex& faulty = faulty_index();
  const auto fault = GENERATE(values<Fault>({
      {"ring", "more than 10 redirects", 0},
      {"stall", "", 0},
      {"truncated", "", 0},
      {"endless", "more than 67108864 bytes", 0},
      {"huge", "more than 67108864 bytes", 0},
      {"busy", "status 503", 0},
      {"broken-json", "no valid JSON", 0},
      {"not-json", "no valid JSON", 0},
      {"deep-json", "no valid JSON", 0},
      {"zip-bomb", "too large: zip_bomb", 1},
      {"lying-zip",
       "lying_zip-1.0-py3-none-any.whl: a member is damaged or larger than it "
       "says",
       1},
      {"tar-bomb", "unpacks to too much", 1},
      {"outside", "leaves the archive", 1},
      {"outside-sdist", "leaves the archive", 1},
      {"wrong-size", "the index says 1048576", 1},
      {"wrong-hash", "the index says", 1},
      {"swelling", "more than 5000 bytes", 1},
      {"cut", "", 1},
  }));
  const TemporaryFolder folder;
  const fs::path cache = folder.path() / "cache";
  const Cost cost =
      cost_of([&] { Client(faulty, cache).facts(fault.project); });
  INFO(fault.project << ": " << cost.said << " (" << cost.seconds << " s, "
                     << cost.mebibytes << " MiB)");
  CHECK_FALSE(cost.said.empty());
  CHECK(cost.said.find(fault.said) != std::string::npos);
  // It names the project, or a file of that name.
  CHECK(replace_all(cost.said, "_", "-").find(fault.project) !=
        std::string::npos);
  CHECK(cost.seconds < 60);
  CHECK(cost.processor < most_seconds);
  CHECK(cost.mebibytes < most_mebibytes);
  CHECK(notes_in(cache) == fault.kept);
}

TEST_CASE("what is odd and not wrong is read, in bounded memory") {
  const FaultyIndex& faulty = faulty_index();
  const TemporaryFolder folder;
  const Cost links = cost_of([&] {
    Client client(faulty, folder.path() / "cache");
    const auto many = client.index->project("many-links");
    if (!many || many->files.size() != 100000)
      throw Error("read", "the links", "not all are there");
  });
  INFO(links.seconds << " s, " << links.mebibytes << " MiB");
  CHECK(links.said.empty());
  CHECK(links.processor < most_seconds);
  CHECK(links.mebibytes < most_mebibytes);
  const Cost wide = cost_of([&] {
    Client client(faulty, folder.path() / "cache");
    const auto none = client.index->project("wide-json");
    if (!none || !none->files.empty())
      throw Error("read", "the entries", "they hold no file");
  });
  INFO(wide.seconds << " s, " << wide.mebibytes << " MiB");
  CHECK(wide.said.empty());
  CHECK(wide.processor < most_seconds);
  // A tree of all that would take twice as much.
  CHECK(wide.mebibytes < most_mebibytes / 4);
}

TEST_CASE("a good index, and a server that misunderstands ranges") {
  const FaultyIndex& faulty = faulty_index();
  const TemporaryFolder folder;
  const fs::path cache = folder.path() / "cache";
  {
    Client client(faulty, cache);
    CHECK(client.facts("good").metadata.version == "1.0");
    CHECK_FALSE(client.index->project("unknown"));
    CHECK(client.facts("odd-range").how == "whole file");
    const auto liar = client.index->project("liar");
    REQUIRE(liar);
    // The first link is another project's file; the second one is not there.
    REQUIRE(liar->files.size() == 1);
    CHECK_THROWS_WITH(client.index->facts(liar->files[0]),
                      Catch::Contains("404"));
  }
  // The same again without the server.
  FakeWorld fake;
  CachingHttpClient offline(fake.http, fake.clock, {cache, true, 1U << 30U});
  World world{fake.commands, offline, fake.files, fake.clock, fake.environment};
  const auto index = make_index(world, {{faulty.url()}, {}});
  CHECK(index->facts(index->project("good")->files.at(0)).metadata.version ==
        "1.0");
  CHECK_FALSE(index->project("unknown"));
  CHECK_THROWS_WITH(index->project("ring"), Catch::Contains("simple/ring/"));
  CHECK(fake.http.asked.empty());
}

}  // namespace
}  // namespace autopin::python
