// Transforms: a suite that asks for something its test runner no longer has ->
//   the same package tested with a version of the runner that has it, where the
//   set offers one under another attribute (pytest_3).
// Offered when: the diagnosis names the distribution and a specifier.
// Not offered when: the set has no version that fits.

#include <algorithm>

#include "fix/fixes.h"
#include "python/requirement.h"

namespace autopin::fix {
namespace {

/// `pytest` among the draft's own check inputs becomes `pytest_3`.
std::optional<FileEdits> rename_in_draft(const Situation& situation,
                                         const PythonSet& set,
                                         const Place& place,
                                         const std::string& runner_drv,
                                         const std::string& attribute) {
  const auto& source = situation.source(place.file);
  const nix::Range inside = source.at(place.attrset).range;
  FileEdits edits;
  for (const auto& reference : places_of(situation, runner_drv)) {
    if (reference.kind != Place::Kind::reference ||
        reference.file != place.file ||
        !inside.contains(source.at(reference.expr).range))
      continue;
    Namer namer(situation, place.file, source.at(reference.expr).parent, &set);
    const auto name = namer.spell({SetRef::From::python, attribute});
    if (name)
      edits[place.file].push_back(
          nix::replace_expr(source, reference.expr, *name));
  }
  if (edits.empty())
    return std::nullopt;
  return edits;
}

}  // namespace

Offer pin_test_runner(const Failure& failure, const Situation& situation,
                      const Permissions&) {
  const std::string name = failure.diagnosis.param("distribution");
  const auto wanted =
      python::Requirement::parse(name + failure.diagnosis.param("specifier"));
  if (!wanted)
    return not_offered("pin-test-runner",
                       "the diagnosis names no version of the test runner");
  const auto set = PythonSet::of(situation, failure.drv);
  if (!set)
    return not_offered(
        "pin-test-runner",
        "the draft names no Python package set that this package is from");
  const auto found = set->find(name);
  std::optional<SetAttribute> chosen;
  for (const auto& attribute : found) {
    const auto version = python::Version::parse(attribute.version);
    if (version && wanted->specifiers.contains(*version) &&
        (!chosen || *version > *python::Version::parse(chosen->version)))
      chosen = attribute;
  }
  if (!chosen || found.empty())
    return not_offered("pin-test-runner",
                       "the package set has no " + wanted->text());

  Proposal draft;
  draft.fix = "pin-test-runner";
  draft.risk = Risk::pin;
  draft.summary = "test " + situation.store().distribution(failure.drv).name +
                  " with " + chosen->attribute;
  draft.why = failure.diagnosis.why;
  const std::string runner = chosen->drv;
  draft.check = check_successor(
      situation, failure.drv,
      [runner](const Situation& after,
               const std::string& successor) -> std::optional<std::string> {
        const auto inputs = after.store().inputs(successor, nix::Edges::build);
        if (std::find(inputs.begin(), inputs.end(), runner) == inputs.end())
          return "the test runner is not among the inputs";
        return std::nullopt;
      });

  DerivationChange change;
  change.arguments.push_back({found.front().attribute,
                              python_ref(chosen->attribute),
                              comment_for(failure, failure.diagnosis.why)});
  Offer offer;
  for (const auto& place : places_of(situation, failure.drv))
    if (place.kind != Place::Kind::reference)
      if (auto edits = rename_in_draft(situation, *set, place,
                                       found.front().drv, chosen->attribute)) {
        Proposal proposal = draft;
        proposal.edits = std::move(*edits);
        proposal.where = "among its own inputs";
        offer.proposals.push_back(std::move(proposal));
      }
  for (auto& proposal : place_change(situation, failure.drv, change, draft))
    offer.proposals.push_back(std::move(proposal));
  return offer;
}

}  // namespace autopin::fix
