#include "python/specifier.h"

#include <catch2/catch.hpp>

namespace autopin::python {

// Found by the fuzz target: the two were printed as one.
TEST_CASE("arbitrary equality tells spellings of one version apart") {
  const auto set = SpecifierSet::parse("===0,===00");
  REQUIRE(set);
  CHECK(set->text() == "===0,===00");
  CHECK(SpecifierSet::parse("==0,==0.0")->text() == "==0");
}

}  // namespace autopin::python
