// Transforms: a package that looks for a CUDA library of another release ->
//   the same with the toolkit (and cuDNN) of that release.
// Offered when: the soname belongs to a release that the set has, and the
//   package takes the toolkit as an argument.
// Not offered when: the set has no such release; libcuda.so.1, which is the
//   driver's and never the toolkit's.

#include <algorithm>

#include "base/text.h"
#include "fix/fixes.h"
#include "fix/top_set.h"

namespace autopin::fix {
namespace {

/// How attributes of the years spell a release: "8_0", "80", "8".
std::vector<std::string> spellings_of(const std::string& release) {
  std::vector<std::string> forms{replace_all(release, ".", "_"),
                                 replace_all(release, ".", "")};
  if (release.ends_with(".0"))
    forms.push_back(release.substr(0, release.size() - 2));
  return forms;
}

/// The arguments that bring CUDA into a package, the toolkit first, each with
/// an attribute of this release that the set has. What the draft already takes
/// (a cuDNN of a certain version) is taken again.
std::vector<std::pair<std::string, std::string>> arguments_for(
    const Situation& situation, const std::string& release,
    const std::string& text) {
  const auto& tables = situation.parts().tables;
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& argument : tables.find("cuda-arguments", "arguments")) {
    auto stems = tables.find("cuda-arguments", argument);
    std::stable_partition(
        stems.begin(), stems.end(), [&](const std::string& stem) {
          return stem != argument && text.find(stem) != std::string::npos;
        });
    std::vector<std::string> names;
    for (const auto& stem : stems)
      for (const auto& form : spellings_of(release))
        names.push_back(stem + form);
    const auto there = attributes_of_top(situation, names);
    if (!there.empty())
      found.emplace_back(argument, there.front());
  }
  return found;
}

/// The release of which the libraries are, "" where none is known.
std::string release_of(const Situation& situation,
                       const std::vector<std::string>& sonames) {
  std::string release;
  for (const auto& soname : sonames)
    for (const auto& found :
         situation.parts().tables.find("cuda-sonames", soname))
      release = found;
  return release;
}

/// Nothing where the package does not take the toolkit, the first of `wanted`.
std::optional<DerivationChange> change_for(
    const std::vector<std::string>& arguments,
    const std::vector<std::pair<std::string, std::string>>& wanted,
    const std::string& comment) {
  const auto takes = [&](const std::string& name) {
    return std::find(arguments.begin(), arguments.end(), name) !=
           arguments.end();
  };
  if (!takes(wanted.front().first))
    return std::nullopt;
  DerivationChange change;
  for (const auto& [argument, attribute] : wanted)
    if (takes(argument))
      change.arguments.push_back({argument, top_ref(attribute),
                                  change.arguments.empty() ? comment : ""});
  return change;
}

/// Every one of `drvs` is in the closure of what the failing node now makes.
Check check_in_closure(const Situation& situation, const std::string& failing,
                       const std::vector<std::string>& drvs) {
  return check_successor(
      situation, failing,
      [drvs](const Situation& after,
             const std::string& successor) -> std::optional<std::string> {
        const auto closure =
            after.store().closure(successor, nix::Edges::build);
        for (const auto& drv : drvs)
          if (std::find(closure.begin(), closure.end(), drv) == closure.end())
            return std::string(nix::store_name(drv)) + " is not in the closure";
        return std::nullopt;
      });
}

}  // namespace

Offer pin_cuda(const Failure& failure, const Situation& situation,
               const Permissions&) {
  const auto named = failure.diagnosis.params.find("libraries");
  if (named == failure.diagnosis.params.end())
    return not_offered("pin-cuda", "the log names no library");
  const std::string release = release_of(situation, named->second);
  if (release.empty())
    return not_offered("pin-cuda", "no CUDA release is known to have " +
                                       named->second.front());
  std::string text;
  for (const auto& file : situation.draft().files())
    text += situation.source(file).text();
  const auto wanted = arguments_for(situation, release, text);
  const auto toolkit =
      situation.parts().tables.find("cuda-arguments", "arguments");
  if (toolkit.empty() || wanted.empty() ||
      wanted.front().first != toolkit.front())
    return not_offered(
        "pin-cuda",
        "the package set has no CUDA toolkit of release " + release);
  const auto set = PythonSet::of(situation, failure.drv);
  if (!set)
    return not_offered(
        "pin-cuda",
        "the draft names no Python package set that this package is from");

  Proposal draft;
  draft.fix = "pin-cuda";
  draft.risk = Risk::pin;
  draft.summary = "pin CUDA to " + release;
  draft.why = failure.diagnosis.why;
  std::vector<std::string> attributes;
  for (const auto& [argument, attribute] : wanted)
    attributes.push_back(attribute);
  draft.check = check_in_closure(situation, failure.drv,
                                 drvs_of_top(situation, attributes));
  Offer offer;
  for (const auto& place : places_of(situation, failure.drv)) {
    const auto change = change_for(arguments_at(*set, place), wanted,
                                   comment_for(failure, failure.diagnosis.why));
    if (!change)
      continue;
    if (auto edits = edit_place(situation, place, *change, &*set)) {
      Proposal proposal = draft;
      proposal.edits = std::move(*edits);
      proposal.where = "at the package";
      offer.proposals.push_back(std::move(proposal));
    }
  }
  if (offer.proposals.empty())
    return not_offered("pin-cuda",
                       "the package takes no CUDA toolkit as an argument");
  return offer;
}

}  // namespace autopin::fix
