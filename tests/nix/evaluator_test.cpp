#include "nix/evaluator.h"

#include <catch2/catch.hpp>

#include "nix/draft_fixture.h"

using namespace autopin;
using namespace autopin::nix;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// The drvs of the draft as it stands in memory, and then as plain files.
void check_as_delivered(DraftFixture& fixture, const Draft& draft) {
  Evaluator evaluator(fixture.world, fixture.invocation);
  const auto in_memory = made(evaluator.instantiate(draft)).targets;
  REQUIRE_FALSE(in_memory.empty());
  for (const auto& file : draft.files())
    fixture.world.files.write(file, draft.text(file));
  Evaluator afterwards(fixture.world, fixture.invocation);
  const auto discovery = afterwards.discover();
  CHECK_FALSE(discovery.draft.changed());
  CHECK(made(discovery.evaluation).targets == in_memory);
}

void replace(Draft& draft, const std::filesystem::path& file,
             const std::string& from, const std::string& to) {
  std::string text = draft.text(file);
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  draft.set_text(file, text.replace(at, from.size(), to));
}

}  // namespace

TEST_CASE("an unchanged draft is evaluated as its file, with -A") {
  DraftFixture fixture;
  fixture.write("draft.nix",
                "{ pkgs ? import <nixpkgs> { } }: { a = pkgs.png; b = "
                "{ c = pkgs.zlib; }; }");
  fixture.invocation.attributes = {"a", "b.c", "b.c.dev"};
  Evaluator evaluator(fixture.world, fixture.invocation);
  const auto result = made(evaluator.discover().evaluation);
  REQUIRE(result.drvs.size() == 3);
  CHECK_THAT(result.drvs[0], Contains("-png-1.6.drv"));
  CHECK(result.drvs[1] == result.drvs[2]);
  CHECK(result.targets[1] == result.drvs[1]);
  CHECK(result.targets[2] == result.drvs[1] + "!dev");
}

TEST_CASE("a changed entry gives the drvPath of the delivered file") {
  DraftFixture fixture;
  const auto entry = fixture.write(
      "sub/draft.nix",
      "{ pkgs ? import <nixpkgs> { }, tag ? \"none\" }:\n"
      "pkgs.stdenv.mkDerivation {\n"
      "  name = \"x-${tag}\";\n"
      "  src = ./src; patch = ./../p.patch; both = [ ./src ../p.patch ];\n"
      "  computed = ./${\"src\"} + \"/f\"; text = \"${./src/f}\";\n"
      "  read = builtins.readFile (./src + \"/f\");\n"
      "}\n");
  fixture.write("sub/src/f", "f\n");
  fixture.write("p.patch", "p\n");
  fixture.invocation.entry = entry;
  fixture.invocation.evaluation_flags.insert(
      fixture.invocation.evaluation_flags.end(), {"--argstr", "tag", "given"});
  Evaluator evaluator(fixture.world, fixture.invocation);
  Draft draft = evaluator.discover().draft;
  const auto before = made(evaluator.instantiate(draft)).drvs;
  CHECK_THAT(before[0], Contains("-x-given.drv"));
  // A blank changes the text only: the same drvPath by the other way.
  draft.set_text(entry, draft.text(entry) + " ");
  CHECK(made(evaluator.instantiate(draft)).drvs == before);
  replace(draft, entry, "  src =", "  more = 1; src =");
  CHECK(made(evaluator.instantiate(draft)).drvs != before);
  check_as_delivered(fixture, draft);
}

TEST_CASE("a folder whose name is no path literal") {
  DraftFixture fixture;
  const auto entry = fixture.write(
      "my drafts @home/draft.nix",
      "with import <nixpkgs> { }; callPackage ./pkg.nix { src = ./s${\"\"}; }");
  const auto second = fixture.write(
      "my drafts @home/pkg.nix",
      "{ stdenv, src }: stdenv.mkDerivation { name = \"a\"; inherit src; b = "
      "./s; }");
  fixture.write("my drafts @home/s", "s\n");
  fixture.invocation.entry = entry;
  Evaluator evaluator(fixture.world, fixture.invocation);
  Draft draft = evaluator.discover().draft;
  REQUIRE(draft.has(second));
  replace(draft, second, "\"a\"", "\"b\"");
  check_as_delivered(fixture, draft);
}

TEST_CASE("the draft's own folder as a source does not see the changes") {
  DraftFixture fixture;
  const auto entry = fixture.write(
      "draft.nix",
      "with import <nixpkgs> { }; stdenv.mkDerivation { name = \"x\"; src = "
      "./.; }");
  Evaluator evaluator(fixture.world, fixture.invocation);
  Draft draft = evaluator.discover().draft;
  const auto before = made(evaluator.instantiate(draft)).drvs;
  replace(draft, entry, "with", "# fixed\nwith");
  CHECK(made(evaluator.instantiate(draft)).drvs == before);
  CHECK(fixture.world.files.list(fixture.folder()) ==
        std::vector<std::string>{"draft.nix"});
}

TEST_CASE("chains of files: each change is seen, in whichever it is") {
  DraftFixture fixture;
  const auto entry = fixture.write(
      "draft.nix",
      "let pkgs = import <nixpkgs> { }; in import ./set { inherit "
      "pkgs; dir = ./pkgs; }");
  const auto set = fixture.write(
      "set/default.nix",
      "{ pkgs, dir }:\n"
      "let call = name: pkgs.callPackage (../pkgs + \"/${name}.nix\") { };\n"
      "in { lit = pkgs.callPackage ../pkgs/one.nix { }; sum = call \"two\";\n"
      "     inter = pkgs.callPackage ../pkgs/${\"three\"}.nix { }; }");
  const std::string package =
      "{ stdenv }: stdenv.mkDerivation { name = \"NAME\"; here = ./data; }";
  fixture.write("pkgs/data", "d\n");
  std::vector<std::filesystem::path> files;
  for (const char* name : {"one", "two", "three"})
    files.push_back(
        fixture.write("pkgs/" + std::string(name) + ".nix", package));
  fixture.invocation.attributes = {"lit", "sum", "inter"};
  Evaluator evaluator(fixture.world, fixture.invocation);
  const auto discovery = evaluator.discover();
  CHECK(discovery.unreachable.empty());
  Draft draft = discovery.draft;
  CHECK(draft.files().size() == 5);
  const auto before = made(discovery.evaluation).drvs;
  for (std::size_t i = 0; i < files.size(); ++i) {
    Draft one = draft;
    replace(one, files[i], "NAME", "CHANGED");
    const auto after = made(evaluator.instantiate(one)).drvs;
    for (std::size_t k = 0; k < files.size(); ++k)
      CHECK((after[k] == before[k]) == (k != i));
  }
  for (const auto& file : files)
    replace(draft, file, "NAME", "NEW");
  replace(draft, set, "in {", "in { more = 1;");
  check_as_delivered(fixture, draft);
}

TEST_CASE("a file that no path of the draft leads to is not the draft's") {
  DraftFixture fixture;
  fixture.write("draft.nix",
                "with import <nixpkgs> { }; let other = import (/. + \"" +
                    fixture.folder().string() +
                    "/other.nix\"); in other { inherit stdenv; }");
  const auto other = fixture.write(
      "other.nix", "{ stdenv }: stdenv.mkDerivation { name = \"o\"; }");
  const auto hidden = fixture.write("hidden.nix", "{ }");
  fixture.invocation.evaluation_flags.insert(
      fixture.invocation.evaluation_flags.end(),
      {"--arg", "x", "import " + hidden.string()});
  Evaluator evaluator(fixture.world, fixture.invocation);
  const auto discovery = evaluator.discover();
  CHECK(discovery.draft.has(other));
  CHECK_FALSE(discovery.draft.has(hidden));
}

TEST_CASE("a failed evaluation names the draft's files, and lines in them") {
  DraftFixture fixture;
  const auto entry = fixture.write("draft.nix",
                                   "with import <nixpkgs> { };\nimport ./b.nix "
                                   "{ inherit png; }\n");
  const auto second = fixture.write("b.nix", "{ png }:\npng\n");
  Evaluator evaluator(fixture.world, fixture.invocation);
  Draft draft = evaluator.discover().draft;
  Draft in_second = draft;
  replace(in_second, second, "png\n", "\n\npng.missing\n");
  const auto failed =
      std::get<EvaluationFailed>(evaluator.instantiate(in_second));
  CHECK(failed.exit_code != 0);
  CHECK_THAT(failed.log, Contains(second.string() + ":4:"));
  Draft in_entry = draft;
  replace(in_entry, entry, "import", "\nabsent_name import");
  const auto undefined =
      std::get<EvaluationFailed>(evaluator.instantiate(in_entry));
  CHECK_THAT(undefined.log, Contains(entry.string() + ":2:1:"));
  CHECK_THAT(undefined.log, Contains("absent_name"));
}

TEST_CASE("where evaluation fails the files that literals name are the draft") {
  DraftFixture fixture;
  fixture.write("draft.nix",
                "with import <nixpkgs> { };\nassert false; "
                "callPackage ./a.nix { }");
  const auto a = fixture.write("a.nix", "{ }: import ./sub");
  const auto sub = fixture.write("sub/default.nix", "1");
  Evaluator evaluator(fixture.world, fixture.invocation);
  const auto discovery = evaluator.discover();
  const auto& failed = std::get<EvaluationFailed>(discovery.evaluation);
  CHECK_THAT(failed.log, StartsWith("error: assertion"));
  CHECK(discovery.draft.has(a));
  CHECK(discovery.draft.has(sub));
  CHECK(discovery.draft.files().size() == 3);
}

TEST_CASE("an expression, and the user's folder that it is seen from") {
  DraftFixture fixture;
  fixture.write("f", "f\n");
  fixture.invocation.expression =
      "with import <nixpkgs> { }; stdenv.mkDerivation { name = \"e\"; f = ./f; "
      "}";
  Evaluator evaluator(fixture.world, fixture.invocation);
  Draft draft = evaluator.discover().draft;
  const auto before = made(evaluator.instantiate(draft)).drvs;
  draft.set_text(draft.entry(), draft.text(draft.entry()) + " # x");
  CHECK(made(evaluator.instantiate(draft)).drvs == before);
}

TEST_CASE("an entry too long for a command line") {
  DraftFixture fixture;
  const auto entry =
      fixture.write("draft.nix", "with import <nixpkgs> { }; zlib");
  Evaluator evaluator(fixture.world, fixture.invocation);
  Draft draft = evaluator.discover().draft;
  const auto before = made(evaluator.instantiate(draft)).drvs;
  draft.set_text(entry,
                 "# " + std::string(4u << 20, 'x') + "\n" + draft.text(entry));
  CHECK(made(evaluator.instantiate(draft)).drvs == before);
}

TEST_CASE("as nix-shell evaluates") {
  DraftFixture fixture;
  fixture.write("draft.nix",
                "{ inNixShell ? false }: with import <nixpkgs> { };\n"
                "if inNixShell && lib.inNixShell then png else zlib");
  fixture.invocation.in_nix_shell = true;
  Evaluator shell(fixture.world, fixture.invocation);
  CHECK_THAT(made(shell.discover().evaluation).drvs[0], Contains("png"));
  fixture.invocation.in_nix_shell = false;
  Evaluator build(fixture.world, fixture.invocation);
  CHECK_THAT(made(build.discover().evaluation).drvs[0], Contains("zlib"));
}

TEST_CASE("syntax is checked without evaluating") {
  DraftFixture fixture;
  Evaluator evaluator(fixture.world, fixture.invocation);
  CHECK_FALSE(evaluator.syntax_error("{ a }: throw a"));
  const auto error = evaluator.syntax_error("{ a = ;\n}");
  REQUIRE(error);
  CHECK_THAT(*error, Contains("syntax error"));
  CHECK_THAT(*error, Contains(":1:7"));
}

TEST_CASE("values as JSON: of an expression, and of the draft's value") {
  DraftFixture fixture;
  fixture.write(
      "draft.nix",
      "{ n ? 1, s ? \"\" }: { a = { x }: { inherit n s x; v = 2; }; }");
  fixture.invocation.attributes = {"a"};
  fixture.invocation.evaluation_flags.insert(
      fixture.invocation.evaluation_flags.end(),
      {"--arg", "n", "2 + 3", "--argstr", "s", "a \"q\" ${b}", "--arg", "x",
       "[ ]"});
  Evaluator evaluator(fixture.world, fixture.invocation);
  CHECK(std::get<std::string>(evaluator.evaluate_json("{ a = 1 + 1; }")) ==
        R"({"a":2})");
  CHECK(std::holds_alternative<EvaluationFailed>(
      evaluator.evaluate_json("throw \"no\"")));
  const Draft draft = evaluator.discover().draft;
  CHECK(std::get<std::string>(evaluator.evaluate_json(draft, "v: v")) ==
        R"({"n":5,"s":"a \"q\" ${b}","v":2,"x":[]})");
  Draft changed = draft;
  replace(changed, draft.entry(), "v = 2", "v = 3");
  CHECK(std::get<std::string>(evaluator.evaluate_json(changed, "v: v.v")) ==
        "3");
}

TEST_CASE("<name> is looked up as the user's flags have it") {
  DraftFixture fixture;
  Evaluator evaluator(fixture.world, fixture.invocation);
  const std::filesystem::path set =
      std::string(AUTOPIN_SOURCE_DIR) + "/tests/nix/package_set";
  CHECK(evaluator.search_path("nixpkgs") == set);
  CHECK_FALSE(evaluator.search_path("no-such-name"));
  CHECK(evaluator.search_path_entries().front() == set);
}

TEST_CASE("questions are answered where they are put, each once") {
  DraftFixture fixture;
  const auto entry = fixture.write(
      "draft.nix",
      "with import <nixpkgs> { };\n"
      "let twice = p: [ p p ]; never = zlib; in\n"
      "runCommand \"x\" { a = twice png; b = python3Packages.six; } \"\"\n");
  Evaluator evaluator(fixture.world, fixture.invocation);
  const Draft draft = evaluator.discover().draft;
  const std::string text = draft.text(entry);
  const auto at = [&](const std::string& what) {
    const std::size_t begin = text.find(what);
    REQUIRE(begin != std::string::npos);
    return Range{begin, begin + what.size()};
  };
  const auto answers = evaluator.ask(
      draft, {{entry, at("png"), "p: { inherit (p) pname version; }"},
              {entry, at("python3Packages"), "ps: ps ? html5lib"},
              {entry, at("zlib"), "p: p.name"},
              {entry, at("png"), "p: throw \"this answer only\""},
              {entry, at("python3Packages.six"), "p: p.pythonModule.name"}});
  REQUIRE(answers.size() == 5);
  CHECK(answers[0] == R"({"pname":"png","version":"1.6"})");
  CHECK(answers[1] == "true");
  CHECK_FALSE(answers[2]);  // Nobody forces it.
  CHECK_FALSE(answers[3]);
  CHECK(answers[4] == R"("python3-3.9.1")");
}

TEST_CASE("what is only overridden can be asked when it is forced") {
  DraftFixture fixture;
  const auto entry =
      fixture.write("draft.nix", "with import <nixpkgs> { }; png.override { }");
  Evaluator evaluator(fixture.world, fixture.invocation);
  const Draft draft = evaluator.discover().draft;
  const std::size_t at = draft.text(entry).find("png");
  Question question{entry, {at, at + 3}, "p: p.version"};
  CHECK_FALSE(evaluator.ask(draft, question));
  question.when_forced = true;
  CHECK(evaluator.ask(draft, question) == "\"1.6\"");
}

TEST_CASE("a question that stops the evaluation spoils no other") {
  DraftFixture fixture;
  const auto entry = fixture.write("draft.nix",
                                   "with import <nixpkgs> { }; "
                                   "[ zlib png ]");
  Evaluator evaluator(fixture.world, fixture.invocation);
  const Draft draft = evaluator.discover().draft;
  const auto answers =
      evaluator.ask(draft, {{entry, {29, 33}, "p: p.no_such_attribute"},
                            {entry, {34, 37}, "p: p.pname"}});
  CHECK_FALSE(answers[0]);
  CHECK(answers[1] == "\"png\"");
}
