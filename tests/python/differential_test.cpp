// Every standard that has a reference implementation is compared with it:
// generated cases, from a seed, go to Python's `packaging` and to ours, and
// the answers must be the same or differ for a reason that is written here.
// AUTOPIN_DIFFERENTIAL_CASES and AUTOPIN_DIFFERENTIAL_SEED widen the search.

#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/text.h"
#include "io/process.h"
#include "python/differential_answers.h"
#include "python/differential_argue.h"
#include "python/differential_cases.h"

namespace autopin::python {
namespace {

unsigned long number_from(const char* variable, unsigned long otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::stoul(text);
}

/// The interpreter's answers; empty where it has no usable packaging.
std::vector<std::string> ask_packaging(const std::vector<Case>& cases) {
  std::string input;
  for (const Case& c : cases)
    input += c.line() + '\n';
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    Command command;
    command.argv = {python,
                    AUTOPIN_SOURCE_DIR "/tests/python/packaging_oracle.py"};
    command.input = input;
    const CommandResult result = ProcessRunner().run(command);
    if (result.exit_code != 0)
      continue;
    auto lines = split(result.out, '\n');
    const auto version = Version::parse(lines.front());
    // Before 22 there were legacy versions, and a grammar by pyparsing.
    if (!version || *version < *Version::parse("22"))
      continue;
    lines.erase(lines.begin());
    lines.resize(cases.size());
    return lines;
  }
  return {};
}

TEST_CASE("packaging and autopin give the same answers") {
  const auto seed = number_from("AUTOPIN_DIFFERENTIAL_SEED", 1);
  const auto count = number_from("AUTOPIN_DIFFERENTIAL_CASES", 8000);
  const std::vector<Case> cases = generate_cases(seed, count);
  const std::vector<std::string> theirs = ask_packaging(cases);
  if (theirs.empty()) {
    WARN(
        "SKIPPED: no python3 with packaging 22 or later; install "
        "python3-packaging");
    return;
  }
  std::map<std::string, int> argued;
  std::map<std::string, int> asked;
  int differences = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    ++asked[cases[i].kind];
    const std::string ours = our_answer(cases[i]);
    // Why it is refused is not compared.
    if (ours == theirs[i] || (is_error(ours) && is_error(theirs[i])))
      continue;
    if (const auto why = argue(cases[i], ours, theirs[i])) {
      ++argued[*why];
      continue;
    }
    if (++differences <= 20)
      UNSCOPED_INFO("case:      " << cases[i].line() << "\nours:      " << ours
                                  << "\npackaging: " << theirs[i]);
  }
  std::string summary = std::to_string(cases.size()) + " cases";
  for (const auto& [kind, times] : asked)
    summary += ", " + std::to_string(times) + ' ' + kind;
  for (const auto& [why, times] : argued)
    summary += "\nargued " + std::to_string(times) + " times: " + why;
  if (std::getenv("AUTOPIN_DIFFERENTIAL_CASES") != nullptr)
    WARN(summary);
  UNSCOPED_INFO(summary);
  CHECK(differences == 0);
}

}  // namespace
}  // namespace autopin::python
