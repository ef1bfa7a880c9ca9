#include "io/disk.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "base/error.h"
#include "io/temporary.h"

namespace autopin {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

TEST_CASE("a file that is not there is no error, an unreadable one is") {
  DiskFiles files;
  const TemporaryFolder folder;
  CHECK_FALSE(files.read(folder.path() / "none").has_value());
  CHECK_FALSE(files.read(folder.path() / "none" / "below").has_value());
  CHECK_THROWS_WITH(files.read(folder.path()),
                    Catch::Contains(folder.path().string()));
}

TEST_CASE("what is written is read, byte for byte") {
  DiskFiles files;
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "file";
  const std::string content = "a\0b\r\n\xff"s + std::string(200000, 'x');
  files.write(path, content);
  CHECK(files.read(path) == content);
  CHECK(files.list(folder.path()) == std::vector<std::string>{"file"});
}

TEST_CASE("replacing a file keeps its mode and a link to it") {
  DiskFiles files;
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "file";
  const fs::path link = folder.path() / "link";
  files.write(path, "old");
  ::chmod(path.c_str(), 0750);
  fs::create_symlink("file", link);
  files.write(link, "new");
  CHECK(fs::is_symlink(link));
  CHECK(files.read(path) == "new");
  struct stat status {};
  ::stat(path.c_str(), &status);
  CHECK((status.st_mode & 07777U) == 0750U);
}

TEST_CASE("a write that fails leaves the old file and nothing beside it") {
  DiskFiles files;
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "taken" / "below");
  CHECK_THROWS_AS(files.write(folder.path() / "taken", "x"), Error);
  CHECK(files.list(folder.path()) == std::vector<std::string>{"taken"});
  CHECK_THROWS_AS(files.write(folder.path() / "no" / "file", "x"), Error);
}

TEST_CASE("appending makes the file and its folders") {
  DiskFiles files;
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a" / "b" / "log";
  files.append(path, "one\n");
  files.append(path, "two\n");
  CHECK(files.read(path) == "one\ntwo\n");
  CHECK(files.exists(path));
  CHECK_FALSE(files.exists(path / "c"));
}

TEST_CASE("a full disk is told as the system tells it") {
  DiskFiles files;
  CHECK_THROWS_WITH(files.append("/dev/full", "x"),
                    Catch::Contains("No space left on device"));
}

TEST_CASE("removing takes all below, and nothing is no error") {
  DiskFiles files;
  const TemporaryFolder folder;
  files.append(folder.path() / "a" / "b" / "c", "x");
  files.remove(folder.path() / "a");
  files.remove(folder.path() / "a");
  CHECK_FALSE(files.exists(folder.path() / "a"));
  files.write(folder.path() / "f", "x");
  files.remove(folder.path() / "f");
  CHECK_FALSE(files.exists(folder.path() / "f"));
}

TEST_CASE("temporary folders are private and distinct") {
  const TemporaryFolder one;
  const TemporaryFolder two;
  CHECK(one.path() != two.path());
  struct stat status {};
  ::stat(one.path().c_str(), &status);
  CHECK((status.st_mode & 07777U) == 0700U);
}

TEST_CASE("names in a folder are sorted, and no folder has none") {
  DiskFiles files;
  const TemporaryFolder folder;
  for (const char* name : {"b", "a", "c"})
    files.write(folder.path() / name, "");
  CHECK(files.list(folder.path()) == std::vector<std::string>{"a", "b", "c"});
  CHECK(files.list(folder.path() / "none").empty());
}

}  // namespace
}  // namespace autopin
