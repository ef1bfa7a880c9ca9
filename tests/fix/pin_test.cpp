// Pins: what metadata foresees, each at the package that it is for.

#include <catch2/catch.hpp>

#include "base/hash.h"
#include "fix/fix_fixture.h"
#include "fix/pin_demands.h"

using namespace autopin;
using namespace autopin::fix;
using Catch::Matchers::Contains;

namespace {

struct Release {
  std::string name, version;
  std::vector<std::string> needs, tests;
};

/// Source distributions with no bytes but facts.
class TableIndex : public NoIndex {
 public:
  explicit TableIndex(const std::vector<Release>& releases) {
    for (const auto& release : releases)
      add(release);
  }

  std::shared_ptr<const python::Project> project(
      std::string_view name) override {
    const auto known = projects_.find(std::string(name));
    return known == projects_.end()
               ? nullptr
               : std::make_shared<const python::Project>(known->second);
  }
  const python::FileFacts& facts(const python::IndexFile& file) override {
    return facts_.at(file.filename);
  }
  const python::Download& download(const python::IndexFile& file) override {
    return downloads_.at(file.filename);
  }

 private:
  void add(const Release& release) {
    python::IndexFile file;
    file.filename = release.name + "-" + release.version + ".tar.gz";
    file.version = *python::Version::parse(release.version);
    file.url = "https://index.example/" + file.filename;
    file.sha256 = to_hex(sha256(file.filename));
    file.size = 1000;
    projects_[release.name].files.push_back(file);
    python::FileFacts facts;
    for (const auto& need : release.needs)
      facts.metadata.requires_dist.push_back(*python::Requirement::parse(need));
    facts.declared.tests_require = release.tests;
    facts_[file.filename] = facts;
    downloads_[file.filename] = {file, file.filename, file.sha256};
  }

  std::map<std::string, python::Project> projects_;
  std::map<std::string, python::FileFacts> facts_;
  std::map<std::string, python::Download> downloads_;
};

std::string app_with(const std::string& inputs) {
  return "with import <nixpkgs> { };\n\npython36Packages.buildPythonPackage {\n"
         "  pname = \"app\";\n  version = \"1\";\n  propagatedBuildInputs = "
         "with python36Packages; [ " +
         inputs + " ];\n}\n";
}

Offer pins_for(Bench& bench, const std::string& name,
               const std::string& specifier) {
  return offer_for(
      failure_of("python-requirement-unsatisfied",
                 {{"requirement", {name}},
                  {"specifier", {specifier}},
                  {"requirers", {"app"}}},
                 bench.drv("python3.6-app-1"), {"pin-requirement"}),
      bench.situation(), {});
}

/// The state after the first proposal that holds.
const Situation& after_first(Bench& bench, const Offer& offer) {
  for (const auto& proposal : offer.proposals) {
    const auto& after = bench.after(proposal.edits);
    if (!proposal.check(after))
      return after;
  }
  throw Error("a test", "offer", "no proposal holds");
}

}  // namespace

TEST_CASE("two suites get the versions of one tool that each asks for") {
  TableIndex index({{"bleach", "1.5", {"html5lib<1"}, {"pytest==3.0"}},
                    {"html5lib", "0.9", {}, {"pytest==2.0"}},
                    {"pytest", "2.0", {}, {}},
                    {"pytest", "3.0", {}, {}}});
  Bench bench(app_with("bleach"), {}, {}, "tests/fix/package_set", &index);
  const auto& after = after_first(bench, pins_for(bench, "bleach", "==1.5"));
  INFO(bench.text(after));
  CHECK(
      bench.has_input(after, "python3.6-html5lib-0.9", "python3.6-pytest-2.0"));
  CHECK_FALSE(
      bench.has_input(after, "python3.6-html5lib-0.9", "python3.6-pytest-3.0"));
  CHECK(bench.has_input(after, "python3.6-bleach-1.5", "python3.6-pytest-3.0"));
  CHECK_THAT(bench.text(after),
             Contains("# asked for by bleach 1.5 (setup.py): pytest==3.0"));
}

TEST_CASE("a suite that does not run asks for nothing") {
  TableIndex index(
      {{"six", "1.0", {}, {"pytest==2.0"}}, {"pytest", "2.0", {}, {}}});
  Bench bench(
      "with import <nixpkgs> { };\n\nlet python36Packages = (python36.override "
      "{ packageOverrides = self: super: { six = "
      "super.six.overridePythonAttrs (old: { doCheck = false; }); }; "
      "}).pkgs;\nin python36Packages.buildPythonPackage {\n  pname = \"app\";\n"
      "  version = \"1\";\n  propagatedBuildInputs = [ python36Packages.six "
      "];\n}\n",
      {}, {}, "tests/fix/package_set", &index);
  const auto offer = pins_for(bench, "six", "==1.0");
  REQUIRE_FALSE(offer.proposals.empty());
  CHECK(offer.proposals.front().summary == "pin six 1.0");
}

TEST_CASE("all that the package's own source asks for is pinned at once") {
  TableIndex index({{"six", "1.0", {}, {}}, {"bleach", "3.0", {}, {}}});
  Bench bench(
      "with import <nixpkgs> { };\n\npython36Packages.buildPythonPackage {\n"
      "  pname = \"app\";\n  version = \"1\";\n  src = ./app;\n"
      "  propagatedBuildInputs = with python36Packages; [ six bleach ];\n}\n",
      {{"app/setup.py",
        "setup(install_requires=['six<1.5', 'bleach<4', 'setuptools'])"}},
      {}, "tests/fix/package_set", &index);
  const auto& after = after_first(bench, pins_for(bench, "six", "<1.5"));
  CHECK(bench.has_input(after, "python3.6-app-1", "python3.6-six-1.0"));
  CHECK(bench.has_input(after, "python3.6-app-1", "python3.6-bleach-3.0"));
}

TEST_CASE("a source that is patched first is not relied upon") {
  TableIndex index({{"six", "1.0", {}, {}}, {"bleach", "3.0", {}, {}}});
  Bench bench(
      "with import <nixpkgs> { };\n\npython36Packages.buildPythonPackage {\n"
      "  pname = \"app\";\n  version = \"1\";\n  src = ./app;\n"
      "  postPatch = \"sed -i s/bleach.*// setup.py\";\n"
      "  propagatedBuildInputs = with python36Packages; [ six bleach ];\n}\n",
      {{"app/setup.py", "setup(install_requires=['six<1.5', 'bleach<4'])"}}, {},
      "tests/fix/package_set", &index);
  const auto offer = pins_for(bench, "six", "<1.5");
  REQUIRE_FALSE(offer.proposals.empty());
  CHECK(offer.proposals.front().summary == "pin six 1.0");
}

TEST_CASE("a neighbour that cannot live with the pin steps back with it") {
  TableIndex index({{"six", "1.0", {}, {}},
                    {"bleach", "4.0", {"six>=1.10"}, {}},
                    {"bleach", "3.0", {"six"}, {}}});
  Bench bench(app_with("bleach six"), {}, {}, "tests/fix/package_set", &index);
  const auto& after = after_first(bench, pins_for(bench, "six", "<1.5"));
  CHECK(bench.has_input(after, "python3.6-app-1", "python3.6-six-1.0"));
  CHECK(bench.has_input(after, "python3.6-app-1", "python3.6-bleach-3.0"));
}

TEST_CASE("what an earlier step of the round has brought is settled") {
  TableIndex index({{"six", "1.0", {}, {}}});
  Bench bench(app_with("six"), {}, {}, "tests/fix/package_set", &index);
  Failure failure =
      failure_of("python-requirement-unsatisfied",
                 {{"requirement", {"six"}}, {"specifier", {">=1"}}},
                 bench.drv("python3.6-app-1"), {"pin-requirement"});
  CHECK_FALSE(is_settled(failure, bench.situation()));
  failure.diagnosis.derivation = "/nix/store/before-python3.6-app-1.drv";
  CHECK(is_settled(failure, bench.situation()));
}
