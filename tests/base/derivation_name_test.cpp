#include "base/derivation_name.h"

#include <catch2/catch.hpp>

using namespace autopin;

TEST_CASE("a derivation is named without folder, hash and suffix") {
  const std::string hash = "37x41kbbfbwgm466w0kprz16b9rgyan4-";
  CHECK(derivation_name("/nix/store/" + hash + "a-1.0.drv") == "a-1.0");
  CHECK(derivation_name("/nix/store/" + hash + "a-1.0") == "a-1.0");
  CHECK(derivation_name(hash + "a.tar.gz") == "a.tar.gz");
  CHECK(derivation_name("/other/store/" + hash + "a.drv") == "a");
  CHECK(derivation_name("a-1.0") == "a-1.0");
  CHECK(derivation_name(".drv") == ".drv");
  CHECK(derivation_name(hash) == hash);
  CHECK(derivation_name("") == "");
  CHECK(derivation_name("not/a-hash-but-thirty-two-characters--x") ==
        "a-hash-but-thirty-two-characters--x");
}

TEST_CASE("words about a failure name its derivation where it has one") {
  CHECK(derivation_prefix(
            "/nix/store/37x41kbbfbwgm466w0kprz16b9rgyan4-a.drv") == "a: ");
  CHECK(derivation_prefix("") == "");
}
