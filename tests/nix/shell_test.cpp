#include "nix/shell.h"

#include <catch2/catch.hpp>

#include "nix/draft_fixture.h"
#include "nix/store.h"

using namespace autopin;
using namespace autopin::nix;

namespace {

Derivation with(std::map<std::string, std::string> env) {
  Derivation drv;
  drv.args = {"-e",
              "/nix/store/1yv8gqk2h4yvqg3hqg3b0y3w9j3v7k2z-default-builder.sh"};
  drv.env = std::move(env);
  drv.env["name"] = "x";
  drv.env["stdenv"] = "/nix/store/066fqdvgfnzdr27i1ffz7cghf8r89glg-stdenv";
  return drv;
}

}  // namespace

TEST_CASE("shells of each kind are known") {
  CHECK(shell_reason(with({{"phases", "nobuildPhase"}, {"src", ""}})));
  CHECK(shell_reason(with(
      {{"phases", "buildPhase"},
       {"buildPhase",
        "echo \" WARNING: the existence of this path is not guaranteed.\""}})));
  CHECK(shell_reason(
      with({{"buildCommand", ""}, {"passAsFile", "buildCommand"}})));
  CHECK(shell_reason(
      with({{"buildCommand",
             "echo for interactive nix-shell sessions >&2\nexit 1"}})));
  CHECK(shell_reason(with({{"shellHook", "echo hi"}})));
}

TEST_CASE("packages are no shells") {
  CHECK_FALSE(shell_reason(with({{"src", "/nix/store/x"}})));
  CHECK_FALSE(shell_reason(with({{"srcs", "/nix/store/x"}})));
  CHECK_FALSE(shell_reason(with({{"buildCommand", "mkdir $out"}})));
  CHECK_FALSE(shell_reason(
      with({{"buildCommand", ""}, {"buildCommandPath", "/nix/store/x"}})));
  CHECK_FALSE(shell_reason(with({{"dontUnpack", "1"}})));
  CHECK_FALSE(shell_reason(with({{"unpackPhase", "true"}})));
  CHECK_FALSE(shell_reason(with({{"phases", "installPhase"}})));
  // A shell hook beside a source is for the package's developers.
  CHECK_FALSE(
      shell_reason(with({{"shellHook", "x"}, {"src", "/nix/store/x"}})));
  Derivation other = with({});
  other.args = {"-c", "true"};
  CHECK_FALSE(shell_reason(other));
}

TEST_CASE("What -p makes is nix-shell's own derivation") {
  DraftFixture fixture;
  CHECK(shell_draft({"png", "python3Packages.six # the six", "(zlib)"}) ==
        R"(with import <nixpkgs> { };
(pkgs.runCommandCC or pkgs.runCommand) "shell" {
  buildInputs = [
    (png)
    (python3Packages.six # the six
    )
    ((zlib))
  ];
} ""
)");
  // What nix-shell 2.8 evaluates (nix-build/nix-build.cc), word for word.
  const std::string original =
      "with import <nixpkgs> { }; (pkgs.runCommandCC or pkgs.runCommand) "
      "\"shell\" { buildInputs = [ (png) (zlib) ]; } \"\"";
  std::vector<std::string> drvs;
  for (const std::string& text : {original, shell_draft({"png", "zlib"})}) {
    fixture.invocation.expression =
        "with import <nixpkgs> { }; let pkgs = import <nixpkgs> { }; in " +
        text;
    Evaluator evaluator(fixture.world, fixture.invocation);
    drvs.push_back(made(evaluator.discover().evaluation).drvs.at(0));
  }
  CHECK(drvs[0] == drvs[1]);
  Store store(fixture.world, fixture.invocation);
  CHECK(shell_reason(store.derivation(drvs[0])));
  CHECK(shell_inputs(store.derivation(drvs[0])).size() == 2);
}

TEST_CASE("a draft that looks at nix-shell is seen to") {
  CHECK(asks_for_nix_shell(
      Draft("/d", "{ inNixShell ? false }: inNixShell", true)));
  CHECK(asks_for_nix_shell(
      Draft("/d", "builtins.getEnv \"IN_NIX_SHELL\"", true)));
  Draft second("/d", "import ./e.nix", true);
  CHECK_FALSE(asks_for_nix_shell(second));
  second.add_file("/e.nix", "lib.inNixShell");
  CHECK(asks_for_nix_shell(second));
}
