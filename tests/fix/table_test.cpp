#include <catch2/catch.hpp>
#include <set>

#include "fix/fix.h"
#include "fix/tables.h"
#include "log/rule_set.h"

using namespace autopin;
using namespace autopin::fix;

namespace {

const RuleSet& shipped() {
  static const RuleSet rules =
      load_rules({std::string(AUTOPIN_SOURCE_DIR) + "/rules"});
  return rules;
}

}  // namespace

TEST_CASE("every fix that a rule offers is there") {
  std::size_t offered = 0;
  for (const Rule& rule : shipped().rules())
    for (const auto& name : rule.fixes) {
      ++offered;
      INFO("rule " << rule.id << " offers " << name);
      CHECK(find_fix(name) != nullptr);
    }
  REQUIRE(offered > 100);
}

TEST_CASE("every fix is offered by a rule") {
  std::set<std::string> offered;
  for (const Rule& rule : shipped().rules())
    offered.insert(rule.fixes.begin(), rule.fixes.end());
  for (const Fix& fix : all_fixes()) {
    INFO(fix.name);
    CHECK(offered.count(std::string(fix.name)) == 1);
  }
}

TEST_CASE("each fix has one row and is found by its name") {
  std::set<std::string_view> names;
  for (const Fix& fix : all_fixes()) {
    INFO(fix.name);
    CHECK(names.insert(fix.name).second);
    CHECK(find_fix(fix.name) == &fix);
  }
  CHECK(find_fix("disable-suit") == nullptr);
  CHECK(find_fix("") == nullptr);
}

TEST_CASE("values of a row stand apart by blanks, best first") {
  const Tables tables({{"headers", {"a test", {{"zlib.h", "zlib  zlib-ng"}}}},
                       {"names", {"a test", {{"yaml", "PyYAML"}}}}});
  using Values = std::vector<std::string>;
  CHECK(tables.find("headers", "zlib.h") == Values{"zlib", "zlib-ng"});
  CHECK(tables.find("headers", "png.h").empty());
  CHECK(tables.find("nothing", "zlib.h").empty());
  CHECK(tables.rows_with("headers", "zlib-ng") ==
        std::vector<Values>{{"zlib.h", "zlib", "zlib-ng"}});
  CHECK(tables.rows_with("names", "yaml") ==
        std::vector<Values>{{"yaml", "PyYAML"}});
  CHECK(tables.rows_with("names", "PyYAM").empty());
}
