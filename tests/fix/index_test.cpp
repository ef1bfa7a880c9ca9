// Fixes that ask a package index: where a file is, which version had a name.

#include <catch2/catch.hpp>

#include "base/hash.h"
#include "fix/fix_fixture.h"

using namespace autopin;
using namespace autopin::fix;
using Catch::Matchers::Contains;

namespace {

const std::string digest = sha256("the file");

class OneProject : public NoIndex {
 public:
  explicit OneProject(std::string file, std::string hash = to_hex(digest)) {
    python::IndexFile entry;
    entry.filename = std::move(file);
    entry.version = *python::Version::parse("4.0");
    entry.sha256 = std::move(hash);
    entry.url = "https://index.example/" + entry.filename;
    known_->name = "zope-interface";
    known_->files.push_back(std::move(entry));
  }
  std::shared_ptr<const python::Project> project(
      std::string_view name) override {
    return name == known_->name ? known_ : nullptr;
  }

 private:
  std::shared_ptr<python::Project> known_ = std::make_shared<python::Project>();
};

std::string fetching(const std::string& fetch, const std::string& head = "") {
  return "with import <nixpkgs> { };\n\nstdenv.mkDerivation " + head +
         "{\n  pname = \"zope.interface\";\n  version = \"4.0\";\n  src = " +
         fetch + ";\n}\n";
}

std::string spelled(const Age& age) {
  return age.takes_env ? "hash = \"" + to_sri(digest) + "\";"
                       : "sha256 = \"" + to_nix_base32(digest) + "\";";
}

std::string fetcher(const Age& age) {
  return age.takes_env ? "fetchPypi" : "python3Packages.fetchPypi";
}

Offer offer_of(Bench& bench, const std::string& file) {
  return offer_for(failure_of("fetch-not-found", {{"status", {"404"}}},
                              bench.drv(file), {"fix-url"}),
                   bench.situation(), {});
}

}  // namespace

TEST_CASE("a file is fetched by the name that the index has it under") {
  struct Row {
    std::string file, arguments, after;
  };
  for (const auto& age : ages)
    for (const auto& row : std::vector<Row>{
             {"zope_interface-4.0.tar.gz", "inherit pname version; ",
              "pname = \"zope_interface\";"},
             {"zope.interface-4.0.zip", "inherit pname version; ",
              "extension = \"zip\";"},
             {"zope_interface-4.0.zip",
              "pname = \"zope.interface\"; version = \"4.0\"; ",
              "pname = \"zope_interface\"; version = \"4.0\";"}}) {
      INFO(age.set << " " << row.file << " " << row.arguments);
      OneProject index(row.file);
      Bench bench(
          fetching(fetcher(age) + " { " + row.arguments + spelled(age) + " }",
                   "rec "),
          {}, {}, age.set, &index);
      const auto offer = offer_of(bench, "zope.interface-4.0.tar.gz");
      REQUIRE_FALSE(offer.proposals.empty());
      CHECK(offer.proposals.front().risk == Risk::exact);
      const auto& after = bench.after(offer.proposals.front().edits);
      INFO(bench.text(after));
      CHECK_FALSE(offer.proposals.front().check(after));
      CHECK(offer.proposals.front().check(bench.situation()));
      CHECK_THAT(bench.text(after), Contains(row.after));
      CHECK_THAT(bench.sees(after, row.file, "urls"),
                 Catch::Matchers::EndsWith("/" + row.file));
    }
}

TEST_CASE("an archive's old address becomes the mirror's") {
  for (const auto& age : ages) {
    INFO(age.set);
    OneProject index("zope_interface-4.0.tar.gz");
    Bench bench(
        fetching("fetchurl { url = \"https://old.example/packages/source/z/"
                 "zope.interface/zope.interface-4.0.tar.gz\"; " +
                 spelled(age) + " }"),
        {}, {}, age.set, &index);
    const auto offer = offer_of(bench, "zope.interface-4.0.tar.gz");
    REQUIRE_FALSE(offer.proposals.empty());
    const auto& after = bench.after(offer.proposals.front().edits);
    CHECK_FALSE(offer.proposals.front().check(after));
    CHECK_THAT(bench.text(after),
               Contains("url = \"mirror://pypi/z/zope_interface/"
                        "zope_interface-4.0.tar.gz\";"));
  }
}

TEST_CASE("no other file than the one that was meant is fetched") {
  const auto& age = ages.front();
  struct Row {
    std::string why, file, hash;
  };
  for (const auto& row : std::vector<Row>{
           {"another hash", "zope_interface-4.0.tar.gz", to_hex(sha256("x"))},
           {"the same name", "zope.interface-4.0.tar.gz", to_hex(digest)},
           {"hostile", "zope\"; INJECTED-4.0.rpm", to_hex(digest)}}) {
    INFO(row.why);
    OneProject index(row.file, row.hash);
    Bench bench(fetching(fetcher(age) + " { inherit pname version; " +
                             spelled(age) + " }",
                         "rec "),
                {}, {}, age.set, &index);
    const auto offer = offer_of(bench, "zope.interface-4.0.tar.gz");
    CHECK(offer.proposals.empty());
    CHECK(offer.why_not.size() == 1);
  }
}

TEST_CASE("a hostile file name of an index is a string and no code") {
  const auto& age = ages.front();
  OneProject index("zope${INJECTED}\"; INJECTED-4.0.tar.gz");
  Bench bench(fetching(fetcher(age) + " { inherit pname version; " +
                           spelled(age) + " }",
                       "rec "),
              {}, {}, age.set, &index);
  for (const auto& proposal :
       offer_of(bench, "zope.interface-4.0.tar.gz").proposals) {
    nix::EditSet set;
    REQUIRE(set.add_all(proposal.edits.begin()->second));
    const auto text = set.apply(
        bench.situation().draft().text(bench.situation().draft().entry()));
    CHECK_THAT(text, Contains("zope\\${INJECTED}\\\"; INJECTED\""));
  }
}

TEST_CASE("what is no file of an index is left where it is") {
  OneProject index("zope_interface-4.0.tar.gz");
  Bench bench(fetching("fetchurl { url = \"https://old.example/a.tar.gz\"; " +
                       spelled(ages.front()) + " }"),
              {}, {}, ages.front().set, &index);
  CHECK(offer_of(bench, "a.tar.gz").proposals.empty());
}

TEST_CASE("a name that a version took away asks for the version before") {
  for (const auto& age : ages) {
    INFO(age.set);
    Bench bench(
        "with import <nixpkgs> { };\n\npython3Packages.buildPythonPackage {\n"
        "  pname = \"app\";\n  version = \"1\";\n  format = \"setuptools\";\n"
        "  src = ./.;\n  propagatedBuildInputs = [ python3Packages.numpy ];\n"
        "}\n",
        {}, {}, age.set);
    const std::string name =
        age.takes_env ? "python3.13-app-1" : "python3.7-app-1";
    const auto told = [&](const std::string& module, const std::string& param,
                          const std::string& what) {
      return offer_for(failure_of("python-import-failed",
                                  {{"module", {module}}, {param, {what}}},
                                  bench.drv(name), {"pin-module"}),
                       bench.situation(), {});
    };
    // The set's numpy 1.16 fits already: nothing to pin, and that is said.
    for (const auto& proposal : told("numpy", "attribute", "float").proposals)
      CHECK_THAT(proposal.why, Contains("numpy<1.24"));
    for (const std::string bad :
         {"nothing", "float\"; INJECTED", "${INJECTED}", ""}) {
      const auto offer = told("numpy", "name", bad);
      CHECK(offer.proposals.empty());
      REQUIRE(offer.why_not.size() == 1);
      CHECK(offer.why_not.front().fix == "pin-module");
    }
  }
}
