#include "nix/version.h"

#include <catch2/catch.hpp>

#include "nix/draft_fixture.h"

using namespace autopin::nix;

TEST_CASE("versions are read as each Nix says them") {
  const auto debian = parse_nix_version("nix-instantiate (Nix) 2.8.0\n");
  REQUIRE(debian);
  CHECK(debian->major == 2);
  CHECK(debian->minor == 8);
  CHECK(debian->text == "2.8.0");
  CHECK(parse_nix_version("nix (Nix) 2.26.3")->minor == 26);
  CHECK(parse_nix_version("nix (Nix) 2.4pre20211006_53e4794")->minor == 4);
  CHECK(parse_nix_version("nix-build (Nix) 2.34.0pre-dirty")->minor == 34);
  CHECK(parse_nix_version("nix (Lix, like Nix) 2.91.1")->minor == 91);
}

TEST_CASE("what is no version is none") {
  for (const char* text : {"", "bash: nix-instantiate: command not found",
                           "nix (Nix) two", "nix (Nix) 2", "nix (Nix) 2.x"})
    CHECK_FALSE(parse_nix_version(text));
}

TEST_CASE("versions compare by major, then minor") {
  const NixVersion version{2, 8, "2.8"};
  CHECK(version.at_least(2, 8));
  CHECK(version.at_least(2, 3));
  CHECK(version.at_least(1, 11));
  CHECK_FALSE(version.at_least(2, 10));
  CHECK_FALSE(version.at_least(3, 0));
}

TEST_CASE("the Nix that is here says its version") {
  DraftFixture fixture;
  CHECK(nix_version(fixture.world).at_least(2, 3));
}
