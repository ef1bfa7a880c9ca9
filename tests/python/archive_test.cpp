#include "python/archive.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "python/archives.h"

namespace autopin::python {
namespace {

std::string member_of(const std::string& zip,
                      const ArchiveLimits& limits = {}) {
  const ReadAt read = read_from(zip);
  const auto members = list_zip(read, zip.size(), "zip", limits);
  return read_zip_member(read, zip.size(), members.at(0), "zip", limits);
}

std::vector<TarFile> tar_of(const std::string& tar,
                            const ArchiveLimits& limits = {}) {
  return read_tar(
      tar, [](const std::string& name) { return name.back() == 't'; }, "tar",
      limits);
}

TEST_CASE("members come out as they went in") {
  const std::string text(100000, 'x');
  CHECK(member_of(make_zip({{"a/t", text}})) == text);
  CHECK(member_of(make_zip({{"a/t", text}}, false)) == text);
  CHECK(member_of(make_zip({{"a", ""}})).empty());
  const Members members{{"a/t", text}, {"b/u", "no"}, {"c/t", "2"}};
  for (const std::string& tar : {make_tar(members), make_tar_gz(members),
                                 make_tar_bz2(members), make_tar_xz(members)}) {
    const auto files = tar_of(tar);
    REQUIRE(files.size() == 2);
    CHECK(files[0].content == text);
    CHECK(files[1].name == "c/t");
  }
}

TEST_CASE("paths that leave the archive are refused") {
  for (const char* path : {"../t", "/etc/t", "a/../../t", "a\\t"}) {
    CHECK_THROWS_WITH(member_of(make_zip({{path, "x"}})),
                      Catch::Contains("leaves the archive"));
  }
  for (const char* path : {"../t", "/etc/t", "a/../../t"}) {
    CHECK_THROWS_WITH(tar_of(make_tar_gz({{path, "x"}})),
                      Catch::Contains("leaves the archive"));
  }
}

TEST_CASE("bombs go off within their bounds") {
  ArchiveLimits limits;
  limits.member_bytes = 1000000;
  limits.unpacked_bytes = 2000000;
  const std::string zeros(50000000, '\0');
  CHECK_THROWS_WITH(member_of(make_zip({{"t", zeros}}), limits),
                    Catch::Contains("too large"));
  // It says 10 bytes and has 50 MB.
  CHECK_THROWS_WITH(member_of(make_zip({{"t", zeros}}, true, 10), limits),
                    Catch::Contains("larger than it says"));
  CHECK_THROWS_WITH(tar_of(make_tar_gz({{"t", zeros}}), limits),
                    Catch::Contains("too large"));
  CHECK_THROWS_AS(tar_of(make_tar_gz({{"u", zeros}, {"t", "x"}}), limits),
                  Error);
  for (const auto& make : {make_tar_bz2, make_tar_xz})
    CHECK_THROWS_WITH(tar_of(make({{"u", zeros}, {"t", "x"}}), limits),
                      Catch::Contains("unpacks to too much"));
  limits.members = 2;
  CHECK_THROWS_WITH(
      tar_of(make_tar_gz({{"u", ""}, {"v", ""}, {"t", ""}}), limits),
      Catch::Contains("too many"));
}

TEST_CASE("every truncation and every changed byte is an Error or harmless") {
  const std::string zip = make_zip({{"a", "hello hello hello"}});
  for (std::size_t size = 0; size < zip.size(); ++size)
    CHECK_THROWS_AS(member_of(zip.substr(0, size)), Error);
  const Members members{{"a/t", "hello"}};
  const std::vector<std::string> tars{
      make_tar_gz(members), make_tar_bz2(members), make_tar_xz(members)};
  for (const std::string& tar : tars)
    for (std::size_t size = 0; size < tar.size() / 2; ++size)
      CHECK_THROWS_AS(tar_of(tar.substr(0, size)), Error);
  int refused = 0;
  const auto break_each = [&](const std::string& whole, const auto& read) {
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string broken = whole;
      broken[at] = static_cast<char>(broken[at] ^ 0x55);
      try {
        read(broken);
      } catch (const Error&) {
        ++refused;
      } catch (const std::out_of_range&) {
        ++refused;  // no member left
      }
    }
  };
  break_each(zip, [](const std::string& bytes) { member_of(bytes); });
  for (const std::string& tar : tars)
    break_each(tar, [](const std::string& bytes) { tar_of(bytes); });
  CHECK(refused > 150);
}

}  // namespace
}  // namespace autopin::python
