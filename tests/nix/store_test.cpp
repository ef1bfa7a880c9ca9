#include "nix/store.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "nix/draft_fixture.h"

using namespace autopin;
using namespace autopin::nix;
using Catch::Matchers::Contains;

namespace {

using Names = std::vector<std::string>;

/// What the expressions make, in a state folder of its own.
Names instantiate(DraftFixture& fixture, const std::string& expression) {
  fixture.invocation.expression = "with import <nixpkgs> { };\n" + expression;
  Evaluator evaluator(fixture.world, fixture.invocation);
  return made(evaluator.discover().evaluation).drvs;
}

std::string name_of(const std::string& path) {
  return std::string(store_name(path));
}

Names names_of(const Names& paths) {
  Names names;
  for (const std::string& path : paths)
    names.push_back(name_of(path));
  return names;
}

}  // namespace

TEST_CASE("the graph of a build: closure, chains, consumers") {
  DraftFixture fixture;
  const auto drvs =
      instantiate(fixture,
                  "[ (mkShell { packages = [ python3Packages.bleach png ]; }) "
                  "python3Packages.six zlib ]");
  Store store(fixture.world, fixture.invocation);
  const auto& shell = drvs[0];
  const auto& six = drvs[1];
  const auto& zlib = drvs[2];
  CHECK(store.closure(shell, Edges::build).front() == shell);
  CHECK(store.closure(shell, Edges::build).size() == 6);
  const auto chains = store.chains(shell, six);
  REQUIRE(chains.size() == 1);
  CHECK(names_of(chains[0]) == Names{"nix-shell.drv",
                                     "python3.9-bleach-4.0.drv",
                                     "python3.9-six-1.16.drv"});
  CHECK(names_of(store.consumers(shell, six, Edges::build)) ==
        Names{"python3.9-bleach-4.0.drv", "python3.9-html5lib-1.1.drv"});
  CHECK(store.chains(six, shell).empty());
  CHECK(store.chains(six, six) == std::vector<Names>{{six}});
  CHECK(store.chains(shell, zlib).size() == 1);
}

TEST_CASE("all shortest chains are found, as many as are asked for") {
  DraftFixture fixture;
  const auto drvs = instantiate(fixture, R"(
let m = name: buildInputs: stdenv.mkDerivation { inherit name buildInputs; };
    end = m "end" [ ]; a = m "a" [ end ]; b = m "b" [ end ]; c = m "c" [ a ];
in [ (m "top" [ a b c ]) end ])");
  Store store(fixture.world, fixture.invocation);
  const auto chains = store.chains(drvs[0], drvs[1]);
  REQUIRE(chains.size() == 2);
  CHECK(names_of(chains[0]) == Names{"top.drv", "a.drv", "end.drv"});
  CHECK(names_of(chains[1]) == Names{"top.drv", "b.drv", "end.drv"});
  CHECK(store.chains(drvs[0], drvs[1], Edges::build, 1).size() == 1);
}

TEST_CASE("what a result carries along is not all that it was built with") {
  DraftFixture fixture;
  const auto drvs = instantiate(fixture, R"([
  (python3.withPackages (ps: [ ps.bleach ]))
  (stdenv.mkDerivation {
    name = "tool";
    nativeBuildInputs = [ python3Packages.six ];
    propagatedBuildInputs = [ png ];
  })
  (mkShell { packages = [ python3Packages.html5lib ]; })
])");
  Store store(fixture.world, fixture.invocation);
  CHECK(names_of(store.closure(drvs[0], Edges::runtime)) ==
        Names{"python3-3.9.1-env.drv", "python3.9-bleach-4.0.drv",
              "python3.9-html5lib-1.1.drv", "python3.9-six-1.16.drv"});
  CHECK(names_of(store.closure(drvs[1], Edges::runtime)) ==
        Names{"tool.drv", "png-1.6.drv"});
  CHECK(names_of(store.closure(drvs[2], Edges::runtime)) ==
        Names{"nix-shell.drv", "python3.9-html5lib-1.1.drv",
              "python3.9-six-1.16.drv"});
}

TEST_CASE("distributions are found by any spelling of their name") {
  DraftFixture fixture;
  const auto drvs = instantiate(fixture, R"([
  (python3.withPackages (ps: [
    ps.html5lib
    (ps.buildPythonPackage { pname = "Zope.Interface"; version = "4.4.3"; })
    (ps.html5lib.overrideAttrs (old: { name = "html5lib-0.9999999"; }))
    (fetchurl {
      url = "x://h/html5lib-1.1.tar.gz";
      sha256 = "0000000000000000000000000000000000000000000000000000";
    })
  ]))
])");
  Store store(fixture.world, fixture.invocation);
  const auto zope =
      store.find_distribution(drvs[0], "zope-interface", Edges::build);
  REQUIRE(zope.size() == 1);
  CHECK(zope[0].distribution.name == "Zope.Interface");
  CHECK(zope[0].distribution.version == "4.4.3");
  const auto html5lib =
      store.find_distribution(drvs[0], "html5lib", Edges::runtime);
  Names versions;
  for (const ClosureMember& member : html5lib)
    versions.push_back(member.distribution.version);
  std::sort(versions.begin(), versions.end());
  // An overridden name wins over the version that was left as it was, and what
  // only fetches the source is none.
  CHECK(versions == Names{"0.9999999", "1.1"});
}

TEST_CASE("names are split as Nix splits them") {
  DraftFixture fixture;
  const auto drvs = instantiate(fixture, R"(
map (name: stdenv.mkDerivation { inherit name; }) [
  "python3.6-scikit-learn-0.19.0" "python3-3.6.3" "python-dateutil-2.8"
  "python3.11-foo" "unversioned" "a-1b-2"
])");
  Store store(fixture.world, fixture.invocation);
  Names told;
  for (const auto& drv : drvs) {
    const Distribution made = store.distribution(drv);
    told.push_back(made.name + " " + made.version);
  }
  CHECK(told == Names{"scikit-learn 0.19.0", "python3 3.6.3",
                      "python-dateutil 2.8", "foo ", "unversioned ", "a 1b-2"});
}

TEST_CASE("an output path leads back to its derivation") {
  DraftFixture fixture;
  const auto drvs = instantiate(fixture, "[ png zlib ]");
  Store store(fixture.world, fixture.invocation);
  const auto dev = store.output_path(drvs[1], "dev");
  REQUIRE(dev);
  CHECK_THAT(*dev, Contains("-zlib-1.2-dev"));
  CHECK(store.output_path(drvs[0], "nonesuch") == store.output_path(drvs[0]));
  CHECK(store.maker_of_output({drvs[0]}, *dev) == drvs[1]);
  CHECK_FALSE(store.maker_of_output({drvs[0]}, "/nix/store/other"));
}

TEST_CASE("a file goes into the store under its name and its own hash") {
  DraftFixture fixture;
  const auto file = fixture.write("thing-1.0.tar.gz", "content\n");
  Store store(fixture.world, fixture.invocation);
  const std::string path = store.add_fixed(file);
  CHECK(name_of(path) == "thing-1.0.tar.gz");
  CHECK(store.valid({path, path + "x"}) == Names{path});
  store.hold(path);
  CHECK(std::filesystem::read_symlink(fixture.invocation.state_folder /
                                      "roots/held-1") == path);
  // The fixed-output derivation that asks for it need not be built.
  const auto drvs = instantiate(fixture, R"([ (fetchurl {
    url = "x://h/thing-1.0.tar.gz";
    sha256 = builtins.hashString "sha256" "content\n";
  }) (fetchurl {
    url = "x://h/other-1.0.tar.gz";
    sha256 = builtins.hashString "sha256" "content\n";
  }) ])");
  CHECK(store.output_path(drvs[0]) == path);
  CHECK(store.is_built(drvs[0]));
  CHECK_FALSE(store.is_built(drvs[1]));
  CHECK_THROWS_AS(store.add_fixed(fixture.folder() / "absent"), Error);
}

TEST_CASE("a derivation that is not there is an error with its path") {
  DraftFixture fixture;
  Store store(fixture.world, fixture.invocation);
  CHECK_FALSE(store.has_derivation("/nix/store/absent.drv"));
  CHECK_THROWS_WITH(store.derivation("/nix/store/absent.drv"),
                    Contains("/nix/store/absent.drv"));
}
