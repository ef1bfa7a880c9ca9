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

Offer no(std::string why) {
  return {{}, {{"pin-cuda", std::move(why), false}}};
}

std::vector<std::string> arguments_at(const Situation& situation,
                                      const PythonSet& set,
                                      const Place& place) {
  const std::string base(
      situation.source(place.file).text_of(place.chain.base));
  const std::size_t dot = base.rfind('.');
  const auto attribute =
      set.attribute_named(dot == std::string::npos ? base : base.substr(dot + 1));
  return attribute ? attribute->arguments : std::vector<std::string>{};
}

}  // namespace

Offer pin_cuda(const Failure& failure, const Situation& situation,
               const Permissions&) {
  const auto named = failure.diagnosis.params.find("libraries");
  if (named == failure.diagnosis.params.end())
    return no("the log names no library");
  std::string release;
  for (const auto& soname : named->second)
    for (const auto& found :
         situation.parts().tables.find("cuda-sonames", soname))
      release = found;
  if (release.empty())
    return no("no CUDA release is known to have " + named->second.front());
  const std::string suffix = "_" + replace_all(release, ".", "_");
  const std::string toolkit = "cudatoolkit" + suffix;
  const std::string cudnn = "cudnn_cudatoolkit" + suffix;
  const auto there = attributes_of_top(situation, {toolkit, cudnn});
  const auto has = [&](const std::string& name) {
    return std::find(there.begin(), there.end(), name) != there.end();
  };
  if (!has(toolkit))
    return no("the package set has no " + toolkit);
  const auto set = PythonSet::of(situation, failure.drv);
  if (!set)
    return no("the draft names no Python package set that this package is from");

  Proposal draft;
  draft.fix = "pin-cuda";
  draft.risk = Risk::pin;
  draft.summary = "pin CUDA to " + release;
  draft.why = failure.diagnosis.why;
  const auto drvs = drvs_of_top(situation, there);
  draft.check = check_successor(
      situation, failure.drv,
      [drvs](const Situation& after,
             const std::string& successor) -> std::optional<std::string> {
        const auto closure =
            after.store().closure(successor, nix::Edges::build);
        for (const auto& drv : drvs)
          if (std::find(closure.begin(), closure.end(), drv) == closure.end())
            return std::string(nix::store_name(drv)) + " is not in the closure";
        return std::nullopt;
      });
  Offer offer;
  for (const auto& place : places_of(situation, failure.drv)) {
    const auto arguments = arguments_at(situation, *set, place);
    const auto takes = [&](const char* name) {
      return std::find(arguments.begin(), arguments.end(), name) !=
             arguments.end();
    };
    if (!takes("cudatoolkit"))
      continue;
    DerivationChange change;
    change.arguments.push_back(
        {"cudatoolkit", top_ref(toolkit),
         comment_for(failure, failure.diagnosis.why)});
    if (takes("cudnn") && has(cudnn))
      change.arguments.push_back({"cudnn", top_ref(cudnn), ""});
    if (auto edits = edit_place(situation, place, change, &*set)) {
      Proposal proposal = draft;
      proposal.edits = std::move(*edits);
      proposal.where = "at the package";
      offer.proposals.push_back(std::move(proposal));
    }
  }
  if (offer.proposals.empty())
    return no("the package takes no CUDA toolkit as an argument");
  return offer;
}

}  // namespace autopin::fix
