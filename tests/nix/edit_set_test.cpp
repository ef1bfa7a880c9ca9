#include <catch2/catch.hpp>

#include "nix/edit.h"

using namespace autopin::nix;

TEST_CASE("Edits that overlap are refused, and those that touch are not") {
  EditSet set;
  CHECK(set.add({{2, 5}, "X"}));
  CHECK_FALSE(set.add({{4, 6}, "Y"}));
  CHECK_FALSE(set.add({{2, 5}, "X"}));
  CHECK_FALSE(set.add({{3, 3}, "in"}));
  CHECK(set.add({{5, 7}, "Z"}));
  CHECK(set.add({{2, 2}, "<"}));
  CHECK(set.add({{7, 7}, ">"}));
  CHECK(set.apply("0123456789") == "01<XZ>789");
}

TEST_CASE("Insertions at one place keep their order") {
  EditSet set;
  CHECK(set.add({{1, 1}, "a"}));
  CHECK(set.add({{1, 1}, "b"}));
  CHECK(set.add({{0, 0}, "-"}));
  CHECK(set.apply("xy") == "-xaby");
}

TEST_CASE("Several edits are added together or not at all") {
  EditSet set;
  CHECK(set.add({{2, 5}, "X"}));
  CHECK_FALSE(set.add_all({{{0, 1}, "A"}, {{3, 4}, "B"}}));
  CHECK(set.edits().size() == 1);
  CHECK(set.add_all({{{0, 1}, "A"}, {{6, 6}, "B"}}));
  CHECK(set.apply("0123456") == "A1X5B6");
}

TEST_CASE("Wraps that begin or end together nest") {
  const Source source = Source::parse("f x");
  const auto outer = wrap_expr(source, 0, "A(", ")A");
  const auto inner = wrap_expr(source, 1, "B(", ")B");
  const auto last = wrap_expr(source, 2, "C(", ")C");
  EditSet set;
  for (const auto& wrap : {outer, inner, last})
    CHECK(set.add(wrap[0]));
  for (const auto& wrap : {last, inner, outer})
    CHECK(set.add(wrap[1]));
  CHECK(set.apply(source.text()) == "A(B(f)B C(x)C)A");
}
