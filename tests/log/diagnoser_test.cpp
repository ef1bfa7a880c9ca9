#include "log/diagnoser.h"

#include <catch2/catch.hpp>

#include "log_fixture.h"

using autopin::Diagnosis;
using autopin::Severity;
using autopin::testing::kinds;
using autopin::testing::read;

namespace {

const std::string a_drv =
    "/nix/store/gcqhijilhwfjg1nbmiga5xwk6zpqhwyk-aa-1.drv";
const std::string b_drv =
    "/nix/store/saq4gibm5gskvs1062h7qlw3m1xidzak-bb-2.drv";

std::string failed(const std::string& drv) {
  return "error: builder for '" + drv + "' failed with exit code 1\n";
}

}  // namespace

TEST_CASE("the article's first log: what pip wants, for which derivation") {
  const std::vector<Diagnosis> found = read(
      "Collecting tensorflow-tensorboard<1.6.0,>=1.5.0 (from "
      "tensorflow-gpu==1.5.1)\n"
      "  Could not find a version that satisfies the requirement "
      "tensorflow-tensorboard<1.6.0,>=1.5.0 (from tensorflow-gpu==1.5.1) (from "
      "versions: )\n"
      "No matching distribution found for tensorflow-tensorboard<1.6.0,>=1.5.0 "
      "(from tensorflow-gpu==1.5.1)\n"
      "builder for "
      "'/nix/store/kh39ldzwxszrazj9qphz3pznvigg2nrk-tensorflow-1.5.1.drv' "
      "failed with exit code 1\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == "python-requirement-unsatisfied");
  CHECK(found[0].param("requirement") == "tensorflow-tensorboard");
  CHECK(found[0].param("specifier") == "<1.6.0,>=1.5.0");
  CHECK(found[0].derivation ==
        "/nix/store/kh39ldzwxszrazj9qphz3pznvigg2nrk-tensorflow-1.5.1.drv");
  CHECK(found[0].lines.size() == 2);
  CHECK(found[0].lines[0].number == 2);
}

TEST_CASE("a prefix is tied to the .drv that a later line names") {
  const std::vector<Diagnosis> found =
      read("bb> x.c:1:10: fatal error: zlib.h: No such file or directory\n" +
           failed(b_drv));
  REQUIRE(found.size() == 1);
  CHECK(found[0].derivation == b_drv);
}

TEST_CASE("independent failures are all reported") {
  const std::vector<Diagnosis> found = read(
      "aa> x.c:1:10: fatal error: zlib.h: No such file or directory\n"
      "bb> ModuleNotFoundError: No module named 'yaml'\n" +
      failed(a_drv) + failed(b_drv));
  CHECK(kinds(found) == "header-missing python-module-missing");
  CHECK(found[0].derivation == a_drv);
  CHECK(found[1].derivation == b_drv);
}

TEST_CASE("of a rule's patterns the first that matches a line speaks for it") {
  const std::vector<Diagnosis> found = read(
      "spawn node-gyp ENOENT: exec: \"git\": executable file not found in "
      "$PATH\n" +
      failed(a_drv));
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == "command-missing");
  CHECK(found[0].param("command") == "git");
}

TEST_CASE("a fix is offered only where the param is there that it needs") {
  const auto fixes_for = [](const std::string& library) {
    const std::vector<Diagnosis> found =
        read("ImportError: " + library +
             ": cannot open shared object file: No such file or directory\n" +
             failed(a_drv));
    REQUIRE(found.size() == 1);
    return found[0].fixes;
  };
  CHECK(fixes_for("libz.so.1") ==
        std::vector<std::string>{"add-shared-library"});
  CHECK(fixes_for("libcublas.so.9.0") ==
        std::vector<std::string>{"pin-cuda", "add-shared-library"});
}

TEST_CASE("causes stand before what they explain") {
  const std::vector<Diagnosis> found = read(
      "tests/test_a.py F\n"
      "E   PermissionError: [Errno 13] Permission denied: '/homeless-shelter'\n"
      "FAILED tests/test_a.py::test_x - PermissionError\n");
  REQUIRE(kinds(found) == "home-not-writable test-failed");
  CHECK(found[1].severity == Severity::consequence);
  CHECK(found[0].params.at("tests") ==
        std::vector<std::string>{"tests/test_a.py::test_x"});
}

TEST_CASE("a tail does not double what the log has, nor override it") {
  const std::vector<Diagnosis> found = read(
      "aa> FAILED t/a.py::one\naa> FAILED t/a.py::two\n"
      "error: builder for '" +
      a_drv +
      "' failed with exit code 1;\n       last 1 log lines:\n       > FAILED "
      "t/a.py::two\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].params.at("tests").size() == 2);
}

TEST_CASE("what a later phase of the same build outlived is no cause") {
  CHECK(read("aa> Running phase: configurePhase\n"
             "aa> ModuleNotFoundError: No module named 'yaml'\n"
             "aa> Running phase: buildPhase\naa> ok\n")
            .empty());
  CHECK(
      kinds(read("aa> Running phase: configurePhase\n"
                 "aa> ModuleNotFoundError: No module named 'yaml'\n"
                 "aa> Running phase: buildPhase\n"
                 "aa> x.c:1:2: fatal error: z.h: No such file or directory\n" +
                 failed(a_drv))) == "header-missing");
}

TEST_CASE("what a tool printed before it said that all went well is no cause") {
  const std::string missing = "ModuleNotFoundError: No module named 'yaml'\n";
  for (const std::string well :
       {"==== 3 passed, 1 xfailed in 0.12s ====\n", "5 passed in 0.10s\n",
        "Ran 3 tests in 0.1s\n\nOK (skipped=1)\n",
        "# FAIL:  0\n# XPASS: 0\n# ERROR: 0\n",
        "100% tests passed, 0 tests failed out of 7\n",
        "test result: ok. 3 passed; 0 failed; 0 ignored\n",
        "Successfully installed a-1\n"}) {
    INFO(well);
    CHECK(read(missing + well).empty());
    // It is one again if it comes again, and where nothing else is known.
    CHECK(kinds(read(missing + well + missing)) == "python-module-missing");
    CHECK(kinds(read(missing + well + failed(a_drv))) ==
          "python-module-missing");
  }
  for (const std::string bad :
       {"==== 1 failed, 3 passed in 0.12s ====\n", "OK\n",
        "Ran 3 tests in 0.1s\nFAILED\nOK\n", "# FAIL:  1\n# ERROR: 0\n",
        "# FAIL:  0\n# XPASS: 2\n# ERROR: 0\n"}) {
    INFO(bad);
    CHECK(!read(missing + bad).empty());
  }
}

TEST_CASE("a build that ended well explains nothing") {
  CHECK(
      kinds(read("aa> ModuleNotFoundError: No module named 'yaml'\n"
                 "bb> x.c:1:2: fatal error: z.h: No such file or directory\n" +
                 failed(b_drv))) == "header-missing");
}

TEST_CASE("a failure without its cause is undetermined, with the command") {
  const std::vector<Diagnosis> found = read(failed(a_drv));
  REQUIRE(kinds(found) == "undetermined");
  CHECK(found[0].derivation == a_drv);
  CHECK(found[0].param("command") == "nix-store --read-log " + a_drv);
}

TEST_CASE("the whole disk outranks and explains everything") {
  const std::vector<Diagnosis> found = read(
      "aa> ld: cannot find -lz\naa> cp: error writing 'x': No space left on "
      "device\n" +
      failed(a_drv));
  REQUIRE(kinds(found) == "disk-full library-missing");
  CHECK(found[0].severity == Severity::environment);
  CHECK(found[1].severity == Severity::consequence);
}

TEST_CASE("hostile bytes come out as valid UTF-8") {
  const std::vector<Diagnosis> found =
      read("ImportError: No module named foo\xff\xfe.bar \xc3\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].lines[0].text.find('\xff') == std::string::npos);
}

TEST_CASE("ten thousand matching lines give a bounded answer") {
  std::string log;
  for (int i = 0; i < 10000; ++i)
    log += "x.c:1:2: fatal error: h" + std::to_string(i) +
           ".h: No such file or directory\n";
  CHECK(read(log).size() <= 200);
}
