#include "log/captures.h"

#include <catch2/catch.hpp>

using namespace autopin;

TEST_CASE("a sentence has its params filled in") {
  const Params params{{"name", {"frob"}}, {"all", {"a", "b"}}, {"none", {}}};
  CHECK(fill_sentence("It needs {name}: {all}.", params).text ==
        "It needs frob: a, b.");
  CHECK(fill_sentence("{missing}It needs {name}", params).text ==
        "It needs frob");
}

TEST_CASE("a sentence leaves out what it has no value for") {
  const Params params = {{"file", {"a", "b"}}};
  CHECK(fill_sentence("[{file}: ]no [ list ] of it[ ({size})].", params).text ==
        "a, b: no [ list ] of it.");
  CHECK(fill_sentence("It [{file}.", params).text == "It [a, b.");
  const Sentence gap = fill_sentence("{size} of {file}", params);
  CHECK(gap.text == " of a, b");
  CHECK(gap.missing == std::vector<std::string>{"size"});
}

TEST_CASE("a piece in brackets is left out with its param") {
  const std::string text = "Use a name that is there[: {names}].";
  CHECK(fill_sentence(text, {{"names", {"a", "b"}}}).text ==
        "Use a name that is there: a, b.");
  CHECK(fill_sentence(text, {}).text == "Use a name that is there.");
  CHECK(fill_sentence(text, {{"names", {}}}).text ==
        "Use a name that is there.");
  // Brackets without a param are Nix, or what a value brings.
  CHECK(fill_sentence("Set x = [ \"a\" ] for {name}.", {{"name", {"[b{c}]"}}})
            .text == "Set x = [ \"a\" ] for [b{c}].");
  CHECK(fill_sentence("odd [{ and ]", {}).text == "odd [{ and ]");
  CHECK(fill_sentence("Say (old: { {name} = false; }).", {{"name", {"b"}}})
            .text == "Say (old: { b = false; }).");
}
