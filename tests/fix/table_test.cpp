#include <catch2/catch.hpp>
#include <set>

#include "fix/fix.h"
#include "fix/tables.h"
#include "log/rule_set.h"

using namespace autopin;
using namespace autopin::fix;

namespace {

/// Fixes that rules name and nobody has written yet. Each that is added to the
/// table is to be taken out of here.
const std::set<std::string> known_missing{
    "add-unpacker",      "allow-warning",
    "drop-argument",     "drop-colliding-file",
    "drop-patch",        "drop-test-options",
    "drop-test-path",    "fix-url",
    "pin-in-scope",      "pin-module",
    "provide-model",     "raise-priority",
    "relax-requirement", "set-cmake-policy",
    "set-home",          "set-prefix",
    "set-scm-version",   "use-cuda-stdenv",
    "use-fake-hash",     "ignore-missing-library"};

const RuleSet& shipped() {
  static const RuleSet rules =
      load_rules({std::string(AUTOPIN_SOURCE_DIR) + "/rules"});
  return rules;
}

}  // namespace

TEST_CASE("every fix that a rule offers is there, or known to be missing") {
  std::set<std::string> missing;
  std::size_t offered = 0;
  for (const Rule& rule : shipped().rules())
    for (const auto& name : rule.fixes) {
      ++offered;
      INFO("rule " << rule.id << " offers " << name);
      const bool there = find_fix(name) != nullptr;
      CHECK((there || known_missing.count(name) != 0));
      if (!there)
        missing.insert(name);
    }
  REQUIRE(offered > 100);
  std::string names;
  for (const auto& name : missing)
    names += " " + name;
  WARN(missing.size() << " fixes are offered and not written yet:" << names);
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
