// What logs say is a stranger's: whatever stands in it, it becomes no code, of
// Nix or of the shell.

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "base/printable.h"
#include "fix/fix_fixture.h"
#include "log/rule_set.h"

using namespace autopin;
using namespace autopin::fix;
using Catch::Matchers::Contains;

namespace {

constexpr std::string_view word = "INJECTED";

/// Texts in which the word would come out of a string, a comment, a list, a
/// path or an attribute path, or be run by a shell.
const std::vector<std::string>& payloads() {
  static const std::vector<std::string> all{"a\"; INJECTED = INJECTED; b = \"",
                                            "a${INJECTED}b",
                                            "a''; INJECTED = INJECTED; b = ''",
                                            "a''${INJECTED}",
                                            "a */ INJECTED /* b",
                                            "a\nINJECTED = 1;\nb",
                                            "a\r INJECTED",
                                            "] INJECTED [",
                                            "a.INJECTED",
                                            "a\\\"${INJECTED}",
                                            "$(touch INJECTED)",
                                            "`touch INJECTED`",
                                            "'; touch INJECTED; '",
                                            "../../INJECTED",
                                            "/INJECTED.py"};
  return all;
}

/// Names of the source that say the word: variables, attributes, formals.
std::vector<std::string> said(const std::string& text) {
  std::vector<std::string> found;
  const auto source = nix::Source::parse(text);
  if (source.has_errors())
    found.emplace_back("no Nix at all");
  const auto look = [&](std::string_view name, const nix::Range& range) {
    if (name.find(word) != std::string_view::npos &&
        source.text_of(range).find('"') == std::string_view::npos)
      found.emplace_back(name);
  };
  for (nix::ExprId id = 0; id < source.size(); ++id) {
    const auto& expr = source.at(id);
    look(expr.name, expr.range);
    if (expr.kind == nix::ExprKind::path)
      look(source.text_of(id), expr.range);
    for (const auto& part : expr.attrpath)
      look(part.text, part.range);
    for (const auto& formal : expr.formals)
      look(formal.name, formal.range);
    for (const auto& binding : expr.bindings)
      for (const auto& part : binding.path)
        look(part.text, part.range);
  }
  return found;
}

const char* const draft = R"({ pkgs ? import <nixpkgs> { config = { }; } }:
pkgs.python36Packages.buildPythonPackage {
  pname = "app";
  version = "1";
  checkPhase = "pytest";
  src = pkgs.fetchurl {
    url = "https://example.org/a";
    sha256 = "0000000000000000000000000000000000000000000000000000";
  };
  propagatedBuildInputs = [ pkgs.python36Packages.html5lib ];
}
)";

/// The draft's text after each proposal.
std::vector<std::string> outcomes(const Situation& situation,
                                  const Failure& failure) {
  std::vector<std::string> texts;
  for (const auto& proposal : offer_for(failure, situation, {true}).proposals)
    for (const auto& [file, edits] : proposal.edits) {
      nix::EditSet set;
      REQUIRE(set.add_all(edits));
      texts.push_back(set.apply(situation.draft().text(file)));
    }
  return texts;
}

}  // namespace

TEST_CASE("no param of any kind becomes code of Nix through any fix") {
  Bench bench(draft);
  const auto drv = bench.drv("python3.6-app-1");
  REQUIRE_FALSE(drv.empty());
  const RuleSet rules =
      load_rules({std::string(AUTOPIN_SOURCE_DIR) + "/rules"});
  std::map<std::string, std::set<std::string>> fixes_of;
  for (const Rule& rule : rules.rules())
    for (const auto& name : rule.fixes)
      // A new name for an attribute is a name: whether the set has it, the
      // evaluator says. That it is a plain one is tested below.
      if (name != "rename-attribute" && name != "rename-argument" &&
          name != "add-argument")
        fixes_of[rule.kind].insert(name);
  std::size_t tried = 0;
  for (const auto& [kind, fixes] : fixes_of) {
    // Each is a way out of one kind of place; a question to Nix costs.
    for (const std::size_t which : {0U, 1U, 2U, 4U, 8U}) {
      const std::string& payload = payloads().at(which);
      Params params;
      for (const auto& [param, type] : rules.kinds().at(kind).params)
        params[param] = {payload};
      Failure failure =
          failure_of(kind, params, drv, {fixes.begin(), fixes.end()});
      failure.diagnosis.why = "why " + payload;
      failure.diagnosis.lines = {{1, payload}};
      for (const auto& text : outcomes(bench.situation(), failure)) {
        ++tried;
        INFO(kind << " with " << payload << ":\n" << text);
        CHECK(said(text).empty());
      }
    }
  }
  CHECK(tried > 50);
}

TEST_CASE("a hostile name is no new name for an attribute or argument") {
  Bench bench(
      "{ pkgs ? import <nixpkgs> { } }:\npkgs.stdenv.mkDerivation {\n"
      "  pname = \"app\";\n  version = \"1\";\n"
      "  buildInputs = [ pkgs.zlibb ];\n  oldName = 1;\n}\n");
  for (const std::string payload :
       {"a${INJECTED}b", "a b INJECTED", "a; INJECTED = 1", "a\nINJECTED",
        "(INJECTED)", "a\"INJECTED", "a.${INJECTED}", "INJECTED}"}) {
    INFO(payload);
    for (const char* fix :
         {"rename-attribute", "rename-argument", "add-argument"}) {
      const Failure failure = failure_of(
          "attribute-missing",
          {{"attribute", {"zlibb"}},
           {"argument", {"oldName"}},
           {"variable",
            {fix == std::string("add-argument") ? payload : "zlibb"}},
           {"replacement", {payload}},
           {"suggestions", {payload}}},
          "", {fix});
      for (const auto& text : outcomes(bench.situation(), failure))
        CHECK(text.find(word) == std::string::npos);
    }
  }
}

TEST_CASE("names of tests and files are words to the shell, or refused") {
  Bench bench(draft);
  const auto drv = bench.drv("python3.6-app-1");
  TemporaryFolder scratch;
  ProcessRunner commands;
  std::vector<std::string> ids;
  for (const auto& payload : payloads()) {
    ids.push_back("tests/test_a.py::test_b[" + payload + "]");
    ids.push_back("tests/" + payload + ".py::test_b");
    ids.push_back("tests/test_a.py::" + payload);
    ids.push_back(payload);
  }
  ids.insert(ids.end(), {"tests/test_a.py::Case::test_b", "test_b"});
  std::size_t run = 0;
  for (const auto& id : ids)
    for (const bool files : {false, true}) {
      const Failure failure =
          failure_of("test-failed", {{files ? "test_files" : "tests", {id}}},
                     drv, {files ? "disable-test-files" : "disable-tests"});
      const auto offer = offer_for(failure, bench.situation(), {});
      if (offer.proposals.empty()) {
        CHECK_FALSE(offer.why_not.empty());
        continue;
      }
      INFO(id);
      const auto& after = bench.after(offer.proposals.front().edits);
      CHECK(said(bench.text(after)).empty());
      Command shell;
      shell.folder = scratch.path();
      shell.argv = {"sh", "-c",
                    bench.sees(after, "python3.6-app-1", "preInstall") + "\n"};
      commands.run(shell);
      ++run;
      CHECK_FALSE(std::filesystem::exists(scratch.path() / "INJECTED"));
    }
  CHECK(run > 3);
}

TEST_CASE("a test's file never leaves the source tree") {
  Bench bench(draft);
  const auto drv = bench.drv("python3.6-app-1");
  for (const std::string id :
       {"../test_a.py::test_b", "/etc/test_a.py::test_b",
        "tests/../../test_a.py::test_b", "-rf.py::test_b", "~/a.py::test_b"}) {
    INFO(id);
    const Failure failure = failure_of("test-failed", {{"tests", {id}}}, drv,
                                       {"disable-tests", "disable-test-files"});
    const auto offer = offer_for(failure, bench.situation(), {});
    CHECK(offer.proposals.empty());
    CHECK(offer.why_not.size() == 2);
  }
}

// BUG (tests.cpp, parse_test): the unittest and dotted forms make a path out of
// a module without is_safe_path. Take the tag off when mended.
TEST_CASE("a module's path never leaves the source tree") {
  Bench bench(draft);
  const auto drv = bench.drv("python3.6-app-1");
  for (const std::string id : {"test_b (.etc.test_a.Case)",
                               "test_b (..test_a.Case)", ".etc.Case.test_b"}) {
    INFO(id);
    const Failure failure =
        failure_of("test-failed", {{"tests", {id}}}, drv, {"disable-tests"});
    CHECK(offer_for(failure, bench.situation(), {}).proposals.empty());
  }
}

TEST_CASE("a reason becomes one readable line that says its step") {
  Failure failure;
  failure.step = 12;
  CHECK(comment_for(failure, "asked for by x") ==
        "asked for by x (autopin step 12)");
  const auto hostile =
      comment_for(failure, "a\nb\r\n\x1b[31mred\x1b[0m\x07 */ ${x} '' \xff");
  CHECK(hostile.find('\n') == std::string::npos);
  CHECK(hostile.find('\r') == std::string::npos);
  CHECK(hostile.find('\x1b') == std::string::npos);
  CHECK(hostile.find('\x07') == std::string::npos);
  CHECK(hostile.find('\xff') == std::string::npos);
  CHECK_THAT(hostile, Contains("(autopin step 12)"));
  const auto longer = comment_for(failure, std::string(1000, 'x'));
  CHECK(longer.size() < 180);
  CHECK_THAT(longer, Contains("... (autopin step 12)"));
}

// BUG (fix.cpp, comment_for): cut at a byte, not at a character. Take the tag
// off when mended.
TEST_CASE("a long reason is cut between characters") {
  Failure failure;
  for (const std::size_t shift : {0U, 1U, 2U}) {
    std::string reason(shift, 'x');
    for (int i = 0; i < 80; ++i)
      reason += "\u2018";
    const auto comment = comment_for(failure, reason);
    // Cut apart, the character's first bytes would be replaced.
    CHECK(printable(comment) == comment);
  }
}

TEST_CASE("a comment is no code, in lines of its own and beside other code") {
  for (const std::string text :
       {"{ pkgs ? import <nixpkgs> { } }:\npkgs.stdenv.mkDerivation { pname = "
        "\"app\"; version = \"1\"; buildInputs = [ ]; }\n",
        "{ pkgs ? import <nixpkgs> { } }:\npkgs.stdenv.mkDerivation {\n  pname "
        "= \"app\";\n  version = \"1\";\n  buildInputs = [\n    "
        "pkgs.png\n  ];\n}\n"}) {
    Bench bench(text);
    for (const auto& payload : payloads()) {
      Failure failure =
          failure_of("header-missing", {}, bench.drv("app-1"), {});
      DerivationChange change;
      change.attributes.push_back(
          append_items("buildInputs", {top_ref("zlib")}));
      change.attributes.back().comment = comment_for(failure, payload);
      for (const auto& proposal :
           place_change(bench.situation(), failure.drv, change, {})) {
        const auto& after = bench.after(proposal.edits);
        INFO(bench.text(after));
        CHECK(said(bench.text(after)).empty());
        CHECK(bench.has_input(after, "app-1", "zlib-1.2"));
      }
    }
  }
}
