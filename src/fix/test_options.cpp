// Transforms: a package whose project gives pytest options that no plugin here
//   knows, or asks for coverage -> the same without the project's own options
//   (--override-ini=addopts=; pytest reference, "-o"), or with no bound of
//   coverage (--cov-fail-under=0; pytest-cov, "Reference").
// Offered when: pytest runs the tests. Options in a check phase of the draft's
//   own are taken out of that.
// Not offered when: something else reads them. The plugin itself is offered
//   before this (add-test-plugin).

#include "base/text.h"
#include "fix/fixes.h"
#include "fix/hooks.h"
#include "fix/phase_words.h"
#include "fix/runner.h"

namespace autopin::fix {
Offer drop_test_options(const Failure& failure, const Situation& situation,
                        const Permissions&) {
  const Runner runner = runner_of(situation, failure.drv);
  if (!runner.pytest)
    return not_offered("drop-test-options", "the tests are not run by pytest");
  const bool coverage = failure.diagnosis.kind == "coverage-too-low";
  std::vector<std::string> options;
  if (const auto found = failure.diagnosis.params.find("options");
      found != failure.diagnosis.params.end())
    options = found->second;
  // What the log says is told, and found in the draft; never written into it.
  Proposal draft;
  draft.fix = "drop-test-options";
  draft.risk = Risk::weakens_checks;
  draft.why = failure.diagnosis.why;
  draft.weakens = coverage
                      ? std::vector<std::string>{"the bound of test coverage"}
                      : options;
  if (!coverage && phase_says(situation, failure.drv, options)) {
    draft.summary = "call pytest without " + join(options, " ");
    draft.check = check_successor(
        situation, failure.drv,
        [options](const Situation& after,
                  const std::string& successor) -> std::optional<std::string> {
          if (phase_says(after, successor, options))
            return "the check phase still has them";
          return std::nullopt;
        });
    Offer offer{without_phase_words(situation, failure.drv, options, draft),
                {}};
    if (offer.proposals.empty())
      return not_offered(
          "drop-test-options",
          "they stand in a check phase that the draft does not write");
    return offer;
  }
  const std::string option =
      coverage ? "--cov-fail-under=0" : "--override-ini=addopts=";
  draft.summary = coverage ? "ask for no coverage"
                           : "give pytest none of the project's own options";
  // pytest itself reads the variable, whichever way it is called.
  const std::string line =
      "export PYTEST_ADDOPTS=\"$PYTEST_ADDOPTS " + option + "\"";
  DerivationChange change;
  change.attributes.push_back(more_lines(
      runner.hook, {line}, comment_for(failure, failure.diagnosis.why)));
  draft.check = attribute_says(situation, failure.drv, runner.hook, line);
  return {place_change(situation, failure.drv, change, draft), {}};
}

}  // namespace autopin::fix
