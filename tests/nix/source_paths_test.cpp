#include <catch2/catch.hpp>

#include "nix/draft_paths.h"

using namespace autopin::nix;

namespace {

std::string absolute(const std::string& text, const std::string& folder) {
  const std::string result = with_absolute_paths(Source::parse(text), folder);
  CHECK_FALSE(Source::parse(result).has_errors());
  return result;
}

}  // namespace

TEST_CASE("Relative path literals are found, and no others") {
  const Source source = Source::parse(
      "[ ./a ../b c/d ./${e}/f /g ~/h <i> \"./j\" http://k.l/./m ''./n'' ]");
  const std::vector<PathLiteral> paths = relative_paths(source);
  REQUIRE(paths.size() == 4);
  CHECK(paths[0].text == "./a");
  CHECK(paths[1].text == "../b");
  CHECK(paths[2].text == "c/d");
  CHECK(paths[3].text == "./${e}/f");
  CHECK(paths[3].interpolated);
  CHECK_FALSE(paths[0].interpolated);
  CHECK(source.text_of(paths[1].range) == "../b");
}

TEST_CASE("Paths mean from elsewhere what they meant in their folder") {
  CHECK(absolute("import ./c.nix", "/a/b") == "import /a/b/c.nix");
  CHECK(absolute("./.", "/a/b") == "/a/b");
  CHECK(absolute("../.", "/a/b") == "/a");
  CHECK(absolute("../../..", "/a/b") == "/.");
  CHECK(absolute("[ ../../../x c/../d ]", "/a/b") == "[ /x /a/b/d ]");
  CHECK(absolute("./x", "/") == "/x");
  CHECK(absolute("{ src = ./.; } # ./.", "/a/b/") == "{ src = /a/b; } # ./.");
}

TEST_CASE("A folder that no path literal can spell is put together") {
  CHECK(absolute("f ./c", "/a b") == "f (/. + \"/a b/c\")");
  CHECK(absolute("f ./c", "/a${b}\"") == "f (/. + \"/a\\${b}\\\"/c\")");
}

TEST_CASE("Computed paths keep what is computed in them") {
  CHECK(absolute("./${x}/y", "/a/b") == "/a/b/${x}/y");
  CHECK(absolute("../${x}", "/a/b") == "/a/b/../${x}");
  CHECK(absolute("./p/${f ./q}/${./r}", "/a/b") ==
        "/a/b/p/${f /a/b/q}/${/a/b/r}");
  CHECK(absolute("./p-${f ./q}.nix", "/a b") ==
        "(/. + \"/a b/p-${f (/. + \"/a b/q\")}.nix\")");
}
