// Transforms: a package whose metadata wants another version than the set has
//   -> the same with that one requirement's version left out of account
//   (pythonRelaxDeps; nixpkgs manual, "pythonRelaxDepsHook").
// Offered when: the set has the hook, and what is required is there.
// Not offered when: it is absent altogether; that is an input to add.

#include <re2/re2.h>

#include "fix/fixes.h"
#include "fix/hooks.h"

namespace autopin::fix {

Offer relax_requirement(const Failure& failure, const Situation& situation,
                        const Permissions&) {
  static const RE2 distribution(R"([A-Za-z0-9][A-Za-z0-9._-]*)");
  const std::string name = failure.diagnosis.param("requirement");
  if (!RE2::FullMatch(name, distribution))
    return not_offered("relax-requirement", "the log names no requirement");
  const auto set = PythonSet::of(situation, failure.drv);
  if (!set || set->has({"pythonRelaxDepsHook"}).empty())
    return not_offered("relax-requirement",
                       "the package set has no hook that relaxes requirements");
  if (situation.store()
          .find_distribution(failure.drv, name, nix::Edges::runtime)
          .empty())
    return not_offered("relax-requirement", name + " is not there at all");
  DerivationChange change;
  change.attributes.push_back(more_words(
      "pythonRelaxDeps", {name}, comment_for(failure, failure.diagnosis.why)));
  Proposal draft;
  draft.fix = "relax-requirement";
  draft.risk = Risk::relaxes;
  draft.summary = "take whatever version of " + name + " there is";
  draft.why = failure.diagnosis.why;
  draft.check = attribute_says(situation, failure.drv, "pythonRelaxDeps", name);
  return {place_change(situation, failure.drv, change, draft), {}};
}

}  // namespace autopin::fix
