// What is given to pytest and is not there: plugins, options, paths.

#include <catch2/catch.hpp>

#include "base/text.h"
#include "fix/fix_fixture.h"

using namespace autopin;
using namespace autopin::fix;
using Catch::Matchers::Contains;

namespace {

std::string package(const std::string& more) {
  return "with import <nixpkgs> { };\n\npython3Packages.buildPythonPackage {\n"
         "  pname = \"app\";\n  version = \"1\";\n  format = \"setuptools\";\n"
         "  src = ./.;\n" +
         more + "}\n";
}

/// The package's name in an age.
std::string name_in(const Age& age) {
  return age.takes_env ? "python3.13-app-1" : "python3.7-app-1";
}

/// pytest as each age runs it.
std::string runner_in(const Age& age) {
  return age.takes_env
             ? "  nativeCheckInputs = [ python3Packages.pytestCheckHook ];\n"
             : "  checkInputs = [ python3Packages.pytest ];\n"
               "  checkPhase = \"pytest\";\n";
}

Offer offer_of(Bench& bench, const std::string& name, const std::string& kind,
               Params params, std::vector<std::string> fixes) {
  Failure failure =
      failure_of(kind, std::move(params), bench.drv(name), std::move(fixes));
  failure.diagnosis.phase = "installCheckPhase";
  return offer_for(failure, bench.situation(), {});
}

}  // namespace

TEST_CASE("the plugin that knows the options joins the check inputs") {
  for (const auto& age : ages) {
    INFO(age.set);
    const std::string plugin = age.takes_env
                                   ? "pyproject = true; build-system = [ "
                                     "super.setuptools ]; "
                                   : "";
    Bench bench(
        "with import <nixpkgs> { };\n\nlet ps = (python3.override { "
        "packageOverrides = self: super: { pytest-cov = "
        "super.buildPythonPackage { pname = \"pytest-cov\"; version = \"2\"; "
        "src = ./.; " +
            plugin +
            "}; }; }).pkgs;\nin\nps.buildPythonPackage {\n  pname = \"app\";\n"
            "  version = \"1\";\n  format = \"setuptools\";\n  src = ./.;\n" +
            replace_all(runner_in(age), "python3Packages", "ps") + "}\n",
        {}, {}, age.set);
    const auto offer =
        offer_of(bench, name_in(age), "test-option-unknown",
                 {{"options", {"--cov=app"}}, {"distribution", {"pytest-cov"}}},
                 {"add-test-plugin", "drop-test-options"});
    REQUIRE_FALSE(offer.proposals.empty());
    CHECK(offer.proposals.front().fix == "add-test-plugin");
    CHECK(offer.proposals.front().risk == Risk::exact);
    CHECK(offer.proposals.back().fix == "drop-test-options");
    const auto& after = bench.after(offer.proposals.front().edits);
    CHECK_FALSE(offer.proposals.front().check(after));
    CHECK_THAT(bench.text(after),
               Contains(std::string(age.takes_env ? "nativeCheckInputs = [ "
                                                    "ps.pytestCheckHook"
                                                  : "checkInputs = [ "
                                                    "ps.pytest") +
                        " /* a reason (autopin step 1) */ ps.pytest-cov ]"));
  }
}

TEST_CASE("options of the project's own are left out in every age") {
  for (const auto& age : ages)
    for (const std::string kind : {"test-option-unknown", "coverage-too-low"}) {
      INFO(age.set << " " << kind);
      Bench bench(package(runner_in(age)), {}, {}, age.set);
      const bool coverage = kind == "coverage-too-low";
      const auto offer = offer_of(
          bench, name_in(age), kind,
          coverage ? Params{{"required", {"80"}}}
                   : Params{{"options", {"--cov=app", "--cov-report"}}},
          {"drop-test-options"});
      REQUIRE_FALSE(offer.proposals.empty());
      CHECK(offer.proposals.front().risk == Risk::weakens_checks);
      CHECK_FALSE(offer.proposals.front().weakens.empty());
      const auto& after = bench.after(offer.proposals.front().edits);
      CHECK_FALSE(offer.proposals.front().check(after));
      CHECK(bench.sees(after, name_in(age),
                       age.takes_env ? "preCheck" : "preInstall") ==
            "export PYTEST_ADDOPTS=\"$PYTEST_ADDOPTS " +
                std::string(coverage ? "--cov-fail-under=0"
                                     : "--override-ini=addopts=") +
                "\"\n");
    }
}

TEST_CASE("options in a check phase of the draft's own are taken out of it") {
  for (const auto& age : ages) {
    INFO(age.set);
    Bench bench(package("  checkPhase = ''\n    echo --cov=app\n    pytest "
                        "--cov=app -v --strict-x\n  '';\n"),
                {}, {}, age.set);
    const Params params{{"options", {"--cov=app", "--strict-x"}}};
    const auto offer = offer_of(bench, name_in(age), "test-option-unknown",
                                params, {"drop-test-options"});
    REQUIRE(offer.proposals.size() == 1);
    const auto& after = bench.after(offer.proposals.front().edits);
    CHECK_FALSE(offer.proposals.front().check(after));
    CHECK_THAT(bench.text(after), Contains("echo --cov=app\n    pytest -v\n"));
  }
}

TEST_CASE("options are no business of what does not run pytest") {
  Bench bench(package("  checkPhase = \"python -m unittest\";\n"), {}, {},
              "fixtures/nixpkgs");
  CHECK(offer_of(bench, "python3.7-app-1", "test-option-unknown",
                 {{"options", {"--cov"}}}, {"drop-test-options"})
            .proposals.empty());
}

TEST_CASE("a path that is not there is taken out of its list") {
  struct Row {
    std::string written, after;
    Risk risk;
  };
  for (const auto& age : ages)
    for (const auto& row : std::vector<Row>{
             {"disabledTestPaths = [ \"tests/old\" ];",
              "disabledTestPaths = [ ];", Risk::exact},
             {"disabledTestPaths = [ \"tests/old\" \"tests/x\" ];",
              "disabledTestPaths = [ \"tests/x\" ];", Risk::exact},
             {"enabledTestPaths = [ \"tests/x\" \"tests/old\" ];",
              "enabledTestPaths = [ \"tests/x\" ];", Risk::weakens_checks},
             {"pytestFlagsArray = [\n    \"tests/old\"\n    \"-v\"\n  ];",
              "pytestFlagsArray = [\n    \"-v\"\n  ];", Risk::weakens_checks},
             {"disabledTestPaths = lib.optional true \"tests/old\";",
              "disabledTestPaths = builtins.filter (path: path != "
              "\"tests/old\") (lib.optional true \"tests/old\");",
              Risk::exact}}) {
      INFO(age.set << " " << row.written);
      Bench bench(package("  " + row.written + "\n"), {}, {}, age.set);
      const auto offer =
          offer_of(bench, name_in(age), "test-path-missing",
                   {{"path", {"tests/old"}}}, {"drop-test-path"});
      REQUIRE(offer.proposals.size() >= 1);
      CHECK(offer.proposals.front().risk == row.risk);
      const auto& after = bench.after(offer.proposals.front().edits);
      CHECK_FALSE(offer.proposals.front().check(after));
      CHECK_THAT(bench.text(after), Contains("  " + row.after + "\n"));
    }
}

TEST_CASE("a path of odd characters is dropped by its own words") {
  Bench bench(package("  disabledTestPaths = lib.optional true "
                      "\"a\\${INJECTED}\";\n"),
              {}, {}, "fixtures/nixpkgs-today");
  const auto offer = offer_of(bench, "python3.13-app-1", "test-path-missing",
                              {{"path", {"a${INJECTED}"}}}, {"drop-test-path"});
  REQUIRE_FALSE(offer.proposals.empty());
  const auto& after = bench.after(offer.proposals.front().edits);
  CHECK_FALSE(offer.proposals.front().check(after));
  CHECK(bench.sees(after, "python3.13-app-1", "disabledTestPaths") == "");
}

TEST_CASE("a path that is not there is taken out of a check phase") {
  for (const auto& age : ages) {
    INFO(age.set);
    Bench bench(package("  checkPhase = ''\n    pytest tests/unit2 tests/unit "
                        "-v\n  '';\n"),
                {}, {}, age.set);
    const auto offer = offer_of(bench, name_in(age), "test-path-missing",
                                {{"path", {"tests/unit"}}}, {"drop-test-path"});
    REQUIRE(offer.proposals.size() == 1);
    const auto& after = bench.after(offer.proposals.front().edits);
    CHECK_FALSE(offer.proposals.front().check(after));
    CHECK_THAT(bench.text(after), Contains("    pytest tests/unit2 -v\n"));
  }
}

TEST_CASE("what the draft does not name is not taken out of it") {
  Bench bench(
      package("  checkPhase = \"pytest -v; rm tests/x\";\n"
              "  disabledTestPaths = [ \"tests/old\" ];\n"));
  for (const std::string path : {"", "tests", "old", "pytest -v", "\"",
                                 "${INJECTED}", "a\"; INJECTED"}) {
    INFO(path);
    CHECK(offer_of(bench, "python3.9-app-1", "test-path-missing",
                   {{"path", {path}}}, {"drop-test-path"})
              .proposals.empty());
  }
}
