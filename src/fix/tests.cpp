// Transforms: a package whose tests fail -> the same with exactly those tests
//   left out (disable-tests), else their files (disable-test-files), else the
//   suite (disable-suite), in the idiom that its check phase really reads.
// Offered when: the log names tests or files, or the suite as a whole fails.
// Not offered when: a name from the log could not be a test or a file; such a
//   name is hostile or garbled, and the next rung is taken.
// All of them are labelled: the build tests less than before.

#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "fix/fixes.h"
#include "fix/hooks.h"
#include "fix/runner.h"

namespace autopin::fix {
namespace {

/// A path inside of the source tree, in characters that need no thought.
bool is_safe_path(const std::string& path) {
  static const RE2 pattern(R"([A-Za-z0-9_][A-Za-z0-9_./+-]*)");
  return RE2::FullMatch(path, pattern) && path.find("..") == std::string::npos;
}

struct TestId {
  std::string file;      ///< "tests/test_a.py"
  std::string qualname;  ///< "TestA::test_b"
  std::string function;  ///< "test_b"
};

/// "tests/a.py::TestA::test_b[x]", "test_b (pkg.tests.test_a.TestA)" and
/// "pkg.tests.test_a.TestA.test_b"; nothing where it is no such thing.
std::optional<TestId> parse_test(const std::string& text) {
  static const RE2 pytest(
      R"(([^:\[\s]+\.py)::((?:\w+::)*(\w+))(?:\[(?s:.*))?)");
  static const RE2 unittest(R"((\w+) \(([\w.]+)\.(\w+)(?:\.\w+)?\))");
  static const RE2 dotted(R"(([\w.]+)\.(\w+)\.(test\w*))");
  static const RE2 bare(R"((test\w*))");
  TestId id;
  std::string module;
  std::string klass;
  if (RE2::FullMatch(text, pytest, &id.file, &id.qualname, &id.function))
    return is_safe_path(id.file) ? std::optional(id) : std::nullopt;
  if (RE2::FullMatch(text, unittest, &id.function, &module, &klass) ||
      RE2::FullMatch(text, dotted, &module, &klass, &id.function)) {
    id.file = replace_all(module, ".", "/") + ".py";
    id.qualname = klass + "::" + id.function;
    return is_safe_path(id.file) ? std::optional(id) : std::nullopt;
  }
  if (RE2::FullMatch(text, bare, &id.function))
    return id;
  return std::nullopt;
}

/// The successor's environment says each of the words in a new place.
Check says_all(const Situation& before, const std::string& drv,
               std::vector<std::string> words) {
  return check_successor(
      before, drv,
      [words = std::move(words), drv](
          const Situation& after,
          const std::string& successor) -> std::optional<std::string> {
        const auto& was = after.store().derivation(drv).env;
        const auto& is = after.store().derivation(successor).env;
        for (const auto& word : words) {
          const bool said =
              std::any_of(is.begin(), is.end(), [&](const auto& entry) {
                const auto old = was.find(entry.first);
                return entry.second.find(word) != std::string::npos &&
                       (old == was.end() || old->second != entry.second);
              });
          if (!said)
            return "the builder does not see " + word;
        }
        return std::nullopt;
      });
}

Proposal draft_for(std::string_view fix, std::string summary,
                   const Failure& failure) {
  Proposal draft;
  draft.fix = fix;
  draft.risk = Risk::weakens_checks;
  draft.summary = std::move(summary);
  draft.why = failure.diagnosis.why;
  return draft;
}

std::string count_of(std::size_t n, const std::string& thing) {
  return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

/// For runners that take what to skip on their command line.
std::optional<Offer> by_flags(const Failure& failure,
                              const Situation& situation,
                              const std::vector<std::string>& tests,
                              const std::string& comment) {
  const auto change = skip_by_flags(situation, failure.drv, tests, comment);
  if (!change)
    return std::nullopt;
  Proposal draft =
      draft_for("disable-tests",
                "skip " + count_of(tests.size(), "failing test"), failure);
  draft.weakens = tests;
  std::vector<std::string> words;
  for (const auto& test : tests)
    words.push_back(test.substr(0, test.find('/')));
  draft.check = says_all(situation, failure.drv, words);
  return Offer{place_change(situation, failure.drv, *change, draft), {}};
}

/// `sed` turns the test's name into one that no runner collects.
std::vector<std::string> rename_lines(const std::vector<TestId>& tests) {
  std::vector<std::string> lines;
  for (const auto& test : tests)
    if (!test.file.empty())
      lines.push_back("sed -i " +
                      nix::shell_quote("s/def " + test.function +
                                       "\\b/def no_" + test.function + "/") +
                      " " + nix::shell_quote(test.file));
  return lines;
}

std::optional<DerivationChange> skip_change(const Runner& runner,
                                            const std::vector<TestId>& tests,
                                            const std::string& comment) {
  DerivationChange change;
  std::set<std::string> functions;
  for (const auto& test : tests)
    functions.insert(test.function);
  if (runner.pytest_hook) {
    change.attributes.push_back(more_words(
        "disabledTests", {functions.begin(), functions.end()}, comment));
    return change;
  }
  if (runner.pytest) {
    const bool exact =
        runner.deselects &&
        std::all_of(tests.begin(), tests.end(),
                    [](const auto& t) { return !t.file.empty(); });
    std::vector<std::string> options;
    if (exact) {
      std::set<std::string> ids;
      for (const auto& test : tests)
        if (ids.insert(test.file + "::" + test.qualname).second)
          options.push_back("--deselect=" + test.file + "::" + test.qualname);
    } else {
      options.push_back(
          "-k " +
          nix::shell_quote("not " + join({functions.begin(), functions.end()},
                                         " and not ")));
    }
    // pytest itself reads the variable, whichever way it is called.
    change.attributes.push_back(
        more_lines(runner.hook,
                   {"export PYTEST_ADDOPTS=\"$PYTEST_ADDOPTS " +
                    join(options, " ") + "\""},
                   comment));
    return change;
  }
  auto lines = rename_lines(tests);
  if (lines.empty())
    return std::nullopt;
  change.attributes.push_back(
      more_lines(runner.hook, std::move(lines), comment));
  return change;
}

}  // namespace

Offer disable_tests(const Failure& failure, const Situation& situation,
                    const Permissions&) {
  if (failure.nothing_passed)
    return not_offered("disable-tests", "not one test of the suite passed");
  const auto found = failure.diagnosis.params.find("tests");
  if (found == failure.diagnosis.params.end() || found->second.empty())
    return not_offered("disable-tests", "the log names no test");
  const std::string comment = comment_for(
      failure,
      "fails: " + found->second.front() +
          (found->second.size() > 1
               ? " and " + std::to_string(found->second.size() - 1) + " more"
               : ""));
  if (found->second.size() <= 50)
    if (auto offer = by_flags(failure, situation, found->second, comment))
      return *offer;
  std::vector<TestId> tests;
  for (const auto& text : found->second) {
    const auto id = parse_test(text);
    if (!id)
      return not_offered("disable-tests", "not the name of a test: " + text);
    tests.push_back(*id);
  }
  if (tests.size() > 50)
    return not_offered("disable-tests", count_of(tests.size(), "test") +
                                            " fail: that is no longer "
                                            "a test that fails but a suite");
  const Runner runner = runner_of(situation, failure.drv);
  if (!runner.python)
    return not_offered("disable-tests", "not a Python package");
  const auto change = skip_change(runner, tests, comment);
  if (!change)
    return not_offered("disable-tests", "the log does not say in which file");
  Proposal draft =
      draft_for("disable-tests",
                "skip " + count_of(tests.size(), "failing test"), failure);
  std::set<std::string> words;
  for (const auto& test : tests)
    words.insert(test.function);
  draft.weakens = found->second;
  draft.check = says_all(situation, failure.drv, {words.begin(), words.end()});
  return {place_change(situation, failure.drv, *change, draft), {}};
}

Offer disable_test_files(const Failure& failure, const Situation& situation,
                         const Permissions&) {
  if (failure.nothing_passed)
    return not_offered("disable-test-files",
                       "not one test of the suite passed");
  std::set<std::string> files;
  if (const auto named = failure.diagnosis.params.find("test_files");
      named != failure.diagnosis.params.end())
    files.insert(named->second.begin(), named->second.end());
  if (const auto named = failure.diagnosis.params.find("tests");
      named != failure.diagnosis.params.end())
    for (const auto& text : named->second)
      if (const auto id = parse_test(text); id && !id->file.empty())
        files.insert(id->file);
  if (files.empty())
    return not_offered("disable-test-files", "the log names no test file");
  for (const auto& file : files)
    if (!is_safe_path(file))
      return not_offered("disable-test-files",
                         "not a file of the source: " + file);
  const Runner runner = runner_of(situation, failure.drv);
  if (!runner.python)
    return not_offered("disable-test-files", "not a Python package");
  const std::vector<std::string> names(files.begin(), files.end());
  const std::string comment = comment_for(
      failure, "fails or cannot be collected: " + names.front() +
                   (names.size() > 1
                        ? " and " + std::to_string(names.size() - 1) + " more"
                        : ""));
  DerivationChange change;
  if (runner.pytest_hook) {
    change.attributes.push_back(
        more_words("disabledTestPaths", names, comment));
  } else {
    std::vector<std::string> lines;
    for (const auto& name : names)
      lines.push_back("rm -f " + nix::shell_quote(name));
    AttrChange hook = more_lines(runner.hook, std::move(lines), comment);
    hook.or_existing = {"preInstall"};
    change.attributes.push_back(std::move(hook));
  }
  Proposal draft =
      draft_for("disable-test-files",
                "leave out " + count_of(names.size(), "test file"), failure);
  draft.weakens = names;
  draft.check = says_all(situation, failure.drv, names);
  return {place_change(situation, failure.drv, change, draft), {}};
}

Offer disable_suite(const Failure& failure, const Situation& situation,
                    const Permissions&) {
  DerivationChange change;
  AttrChange off;
  off.attribute = "doCheck";
  off.values.emplace_back("false");
  off.comment = comment_for(failure, failure.diagnosis.why);
  change.attributes.push_back(off);
  const auto name = situation.store().distribution(failure.drv).name;
  Proposal draft =
      draft_for("disable-suite", "switch off the tests of " + name, failure);
  draft.weakens = {"the whole test suite of " + name};
  draft.check = check_successor(
      situation, failure.drv,
      [](const Situation& after,
         const std::string& successor) -> std::optional<std::string> {
        const auto& env = after.store().derivation(successor);
        const auto on = [&](const char* attribute) {
          return env.attribute(attribute).value_or("") == "1";
        };
        if (on("doInstallCheck") || on("doCheck"))
          return "the builder still tests: doCheck is not what it reads here";
        return std::nullopt;
      });
  return {place_change(situation, failure.drv, change, draft), {}};
}

}  // namespace autopin::fix
