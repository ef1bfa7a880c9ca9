#include "log/captures.h"

#include <catch2/catch.hpp>

using namespace autopin;

TEST_CASE("a sentence has its params filled in") {
  const Params params{{"name", {"frob"}}, {"all", {"a", "b"}}, {"none", {}}};
  CHECK(fill_sentence("It needs {name}: {all}.", params) ==
        "It needs frob: a, b.");
  CHECK(fill_sentence("{missing}It needs {name}", params) == "It needs frob");
}

TEST_CASE("a sentence without a param has no blank before what follows") {
  const Params params{{"name", {"frob"}}};
  CHECK(fill_sentence("It needs {name} {version}, and more.", params) ==
        "It needs frob, and more.");
}

TEST_CASE("a piece in brackets is left out with its param") {
  const std::string text = "Use a name that is there[: {names}].";
  CHECK(fill_sentence(text, {{"names", {"a", "b"}}}) ==
        "Use a name that is there: a, b.");
  CHECK(fill_sentence(text, {}) == "Use a name that is there.");
  CHECK(fill_sentence(text, {{"names", {}}}) == "Use a name that is there.");
  // Brackets without a param are Nix, or what a value brings.
  CHECK(
      fill_sentence("Set x = [ \"a\" ] for {name}.", {{"name", {"[b{c}]"}}}) ==
      "Set x = [ \"a\" ] for [b{c}].");
  CHECK(fill_sentence("odd [{ and ]", {}) == "odd [{ and ]");
}
