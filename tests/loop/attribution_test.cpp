#include "loop/failures.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "io/fake_world.h"

using namespace autopin;

namespace {

constexpr const char* app =
    "/nix/store/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-app-1.drv";
constexpr const char* app_out =
    "/nix/store/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb-app-1";
constexpr const char* lib =
    "/nix/store/cccccccccccccccccccccccccccccccc-lib-2.drv";
constexpr const char* lib_out =
    "/nix/store/dddddddddddddddddddddddddddddddd-lib-2";

std::string drv_text(const std::string& name, const std::string& out,
                     const std::string& inputs) {
  return "Derive([(\"out\",\"" + out + "\",\"\",\"\")],[" + inputs +
         "],[],\"x86_64-linux\",\"/bin/sh\",[],[(\"name\",\"" + name +
         "\"),(\"out\",\"" + out + "\")])";
}

/// A store of two derivations: app needs lib.
struct TwoDerivations {
  TwoDerivations() {
    world.files.files[app] =
        drv_text("app-1", app_out, std::string("(\"") + lib + "\",[\"out\"])");
    world.files.files[lib] = drv_text("lib-2", lib_out, "");
  }
  FakeWorld world;
  nix::Invocation invocation;
  nix::Store store{world.world, invocation};
  std::vector<std::string> roots{app};
};

const RuleSet& shipped() {
  static const RuleSet rules =
      load_rules({std::string(AUTOPIN_SOURCE_DIR) + "/rules"});
  return rules;
}

std::string event(const nlohmann::json& json) {
  return "@nix " + json.dump() + "\n";
}

/// The log of one failing build in internal-json.
std::string build_log(const std::string& drv, const std::string& lines,
                      int id = 1) {
  std::string log = event({{"action", "start"},
                           {"id", id},
                           {"level", 3},
                           {"type", 105},
                           {"text", "building '" + drv + "'"},
                           {"fields", {drv, "", 1, 1}}});
  std::size_t begin = 0;
  while (begin < lines.size()) {
    const std::size_t end = lines.find('\n', begin);
    log += event({{"action", "result"},
                  {"id", id},
                  {"type", 101},
                  {"fields", {lines.substr(begin, end - begin)}}});
    begin = end == std::string::npos ? lines.size() : end + 1;
  }
  log += event({{"action", "stop"}, {"id", id}});
  log += event(
      {{"action", "msg"},
       {"level", 0},
       {"raw_msg", "builder for '" + drv + "' failed with exit code 1"},
       {"msg", "error: builder for '" + drv + "' failed with exit code 1"}});
  return log;
}

constexpr const char* missing_header =
    "a.c:1:10: fatal error: zlib.h: No such file or directory";

}  // namespace

TEST_CASE("a failure is tied to the .drv that the log names") {
  TwoDerivations two;
  const auto findings = findings_of_build(
      shipped(), build_log(lib, missing_header), two.store, two.roots);
  REQUIRE(findings.failures.size() == 1);
  CHECK(findings.failures[0].drv == lib);
  CHECK(findings.failures[0].diagnosis.kind == "header-missing");
  CHECK(findings.environment.empty());
}

TEST_CASE("a log that names the output means its derivation") {
  TwoDerivations two;
  // Nix up to 2.1 (libstore/build.cc: "builder for '%s' failed").
  const std::string log = std::string(missing_header) + "\nbuilder for '" +
                          lib_out + "' failed with exit code 1\n";
  const auto findings = findings_of_build(shipped(), log, two.store, two.roots);
  REQUIRE(findings.failures.size() == 1);
  CHECK(findings.failures[0].drv == lib);
}

TEST_CASE("a log of -L names derivations by their bare names") {
  TwoDerivations two;
  const std::string log = "lib-2> " + std::string(missing_header) + "\n";
  const auto findings = findings_of_build(shipped(), log, two.store, two.roots);
  REQUIRE(findings.failures.size() == 1);
  CHECK(findings.failures[0].drv == lib);
}

TEST_CASE("a derivation that is not of this build is no failure of it") {
  TwoDerivations two;
  const std::string foreign =
      "/nix/store/eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee-lib-2.drv";
  const auto findings = findings_of_build(
      shipped(), build_log(foreign, missing_header), two.store, two.roots);
  CHECK(findings.failures.empty());
  CHECK(findings.diagnoses.size() == 1);
}

TEST_CASE("a full disk is the environment's, whatever else fails") {
  TwoDerivations two;
  const auto findings = findings_of_build(
      shipped(),
      build_log(lib, "cp: error writing '/dev/full': No space left on device"),
      two.store, two.roots);
  CHECK(findings.failures.empty());
  REQUIRE(findings.environment.size() == 1);
  CHECK(findings.environment[0].kind == "disk-full");
}

TEST_CASE("a suite in which nothing passed is told from one with a bad test") {
  struct Row {
    std::string closing;
    bool nothing;
  };
  const auto row = GENERATE(
      values<Row>({{"===== 2 failed in 0.12s =====", true},
                   {"==== 1 failed, 2 errors in 0.12 seconds ====", true},
                   {"===== 2 failed, 1 warning in 0.12s =====", true},
                   {"===== 1 failed, 3 passed in 0.12s =====", false},
                   {"!!!!! Interrupted: 1 error during collection !!!!!\n"
                    "===== 1 error in 0.12s =====",
                    false}}));
  INFO(row.closing);
  TwoDerivations two;
  const std::string lines =
      "FAILED tests/test_a.py::test_b - assert 1 == 2\n" + row.closing;
  const auto findings =
      findings_of_build(shipped(), build_log(lib, lines), two.store, two.roots);
  for (const auto& failure : findings.failures)
    CHECK(failure.nothing_passed == row.nothing);
  if (row.closing.find("Interrupted") == std::string::npos)
    CHECK_FALSE(findings.failures.empty());
}

TEST_CASE("each builder's log stands by itself, however they are mixed") {
  const std::string a = build_log(lib, "one\ntwo", 1);
  const std::string b = build_log(app, "three", 2);
  // Line by line in turn.
  std::string mixed;
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < a.size() || k < b.size()) {
    if (i < a.size()) {
      const std::size_t end = a.find('\n', i) + 1;
      mixed += a.substr(i, end - i);
      i = end;
    }
    if (k < b.size()) {
      const std::size_t end = b.find('\n', k) + 1;
      mixed += b.substr(k, end - k);
      k = end;
    }
  }
  const auto logs = logs_by_derivation(mixed);
  REQUIRE(logs.size() == 2);
  CHECK(logs[0] == std::pair<std::string, std::string>(lib, "one\ntwo\n"));
  CHECK(logs[1] == std::pair<std::string, std::string>(app, "three\n"));
}

TEST_CASE("what a check complains of is the package whose file stands last") {
  TwoDerivations two;
  const std::string log = std::string("  File \"") + app_out +
                          "/bin/app\", line 1\n  File \"" + lib_out +
                          "/lib/python3.11/site-packages/lib.py\", line 2\n"
                          "ModuleNotFoundError: No module named 'yaml'\n";
  const auto findings = findings_of_check(shipped(), log, two.store, two.roots);
  REQUIRE_FALSE(findings.failures.empty());
  CHECK(findings.failures[0].drv == lib);
}
