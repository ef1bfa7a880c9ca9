// Transforms: a Python package whose build finds a requirement unsatisfied ->
//   the same with the right version pinned, with its hash, and with all that
//   the pinned package's own metadata will ask for next.
// Offered when: the set or an index has versions that satisfy every known
//   requirement at once.
// Not offered when: there is none; the resolver's words say why.

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "fix/fixes.h"
#include "fix/pin_demands.h"
#include "fix/pin_places.h"
#include "python/name.h"

namespace autopin::fix {
namespace {

constexpr std::string_view fix_name = "pin-requirement";

/// Everything that was decided is in the closure once, at its version.
std::optional<std::string> pins_hold(const Situation& after,
                                     const std::vector<PinnedPackage>& pins,
                                     const std::string& interpreter) {
  auto& store = after.store();
  // A library may bear the same name (protobuf): it was not built for Python.
  const auto is_python = [&](const std::string& drv) {
    const auto inputs = store.inputs(drv, nix::Edges::build);
    return std::find(inputs.begin(), inputs.end(), interpreter) != inputs.end();
  };
  for (const auto& package : pins) {
    if (package.pin.kind != python::NeedKind::runtime)
      continue;
    std::vector<nix::ClosureMember> members;
    for (const auto& root : after.roots())
      for (auto& member :
           store.find_distribution(root, package.pin.name, nix::Edges::runtime))
        if (is_python(member.drv) &&
            std::none_of(members.begin(), members.end(),
                         [&](const auto& m) { return m.drv == member.drv; }))
          members.push_back(std::move(member));
    if (members.size() > 1)
      return package.pin.name + " is in the closure " +
             std::to_string(members.size()) + " times";
    if (members.empty())
      return package.pin.name + " did not get into the closure";
    const auto have =
        python::Version::parse(members.front().distribution.version);
    if (!have || !(*have == package.pin.version))
      return package.pin.name + " is in the closure at " +
             members.front().distribution.version;
  }
  return std::nullopt;
}

std::string describe(const PinPlan& plan,
                     const python::Resolution& resolution) {
  std::vector<std::string> pins;
  for (const auto& package : plan.text.packages())
    pins.push_back(package.pin.name + " " + package.pin.version.text());
  const auto missing = missing_roots(plan);
  std::vector<std::string> added;
  for (const auto& kept : resolution.kept)
    if (std::find(missing.begin(), missing.end(), kept.name) != missing.end())
      added.push_back(kept.attribute);
  const std::string add = "add " + join(added, ", ") + " to the inputs";
  if (pins.empty())
    return added.empty() ? "add " + plan.root + " to the inputs" : add;
  return "pin " + join(pins, ", ") + (added.empty() ? "" : "; " + add);
}

/// Downloaded files go into the store under the name and hash that the
/// expression asks for, so that Nix need not fetch them again.
void keep_files(const Situation& situation,
                const python::Resolution& resolved) {
  auto& files = situation.parts().world.files;
  files.make_folders(situation.parts().download_folder);
  for (const auto& pin : resolved.pins)
    if (pin.file && pin.bytes) {
      const auto path = situation.parts().download_folder / pin.file->filename;
      files.write(path, *pin.bytes);
      situation.store().add_fixed(path);
    }
}

using Answer = std::variant<python::Resolution, python::NoSolution>;

/// Resolved, and again with those of the closure that could not live with the
/// pins: they step back too, where that can be.
Answer resolve(const Failure& failure, const Situation& situation,
               const PythonSet& set, std::vector<python::Demand> demands,
               const std::vector<python::Requirement>& met,
               const std::string& by) {
  python::ResolveOptions options;
  options.look_ahead = situation.parts().look_ahead;
  auto& index = situation.parts().index;
  SetWithDemands in_set(set);
  for (const auto& requirement : met)
    in_set.demand(requirement, by);
  Answer answer =
      python::resolve(demands, in_set, index, set.target(), options);
  constexpr int most_times = 4;
  for (int i = 0; i < most_times && options.look_ahead; ++i) {
    const auto* found = std::get_if<python::Resolution>(&answer);
    if (found == nullptr)
      break;
    bool any = false;
    for (const auto& neighbour :
         neighbours_against(situation, set, failure.drv, *found)) {
      if (in_set.heeds(neighbour))
        continue;
      any = true;
      in_set.heed(neighbour);
      demands.push_back({*python::Requirement::parse(neighbour.name),
                         "the pin of " + neighbour.pinned});
    }
    if (!any)
      break;
    auto next = python::resolve(demands, in_set, index, set.target(), options);
    if (std::holds_alternative<python::NoSolution>(next))
      break;  // The build of the neighbour will say it.
    answer = std::move(next);
  }
  return answer;
}

void propose(const Failure& failure, const Situation& situation,
             const PythonSet& set, const std::string& why,
             const std::vector<std::string>& roots,
             const python::Resolution& resolution, Offer& offer) {
  keep_files(situation, resolution);
  const PinText text(set, resolution, failure);
  PinPlan plan{failure, situation, set, text, roots.front(), roots, {}};
  plan.draft.fix = fix_name;
  plan.draft.risk = text.packages().empty() ? Risk::exact : Risk::pin;
  plan.draft.summary = describe(plan, resolution);
  plan.draft.why = why;
  plan.draft.sources = text.sources();
  plan.draft.check = check_successor(
      situation, failure.drv,
      [pins = text.packages(), roots, interpreter = set.interpreter().drv](
          const Situation& after,
          const std::string& successor) -> std::optional<std::string> {
        for (const auto& root : roots)
          if (after.store()
                  .find_distribution(successor, root, nix::Edges::runtime)
                  .empty())
            return root + " is not among the inputs of the package that asks";
        return pins_hold(after, pins, interpreter);
      });
  auto places = pin_places(plan);
  std::move(places.begin(), places.end(), std::back_inserter(offer.proposals));
}

}  // namespace

Offer pin_requirement(const Failure& failure, const Situation& situation,
                      const Permissions&) {
  Offer offer;
  const auto no = [&](std::string why) {
    offer.why_not.push_back({std::string(fix_name), std::move(why)});
    return offer;
  };
  const std::string name = failure.diagnosis.param("requirement");
  const auto asked = python::Requirement::parse_leniently(
      name + failure.diagnosis.param("specifier"));
  if (!asked)
    return no("what the log asks for is no requirement: " + name);
  const auto set = PythonSet::of(situation, failure.drv);
  if (!set)
    return no(
        "the draft names no Python package set that this package is from");

  const std::string by = failure.diagnosis.param("requirers").empty()
                             ? situation.store().derivation(failure.drv).name()
                             : failure.diagnosis.param("requirers");
  const std::string why = by + " asks for " + asked->text();
  Declared declared;
  if (situation.parts().look_ahead)
    declared = declared_by(situation, *set, failure.drv, *asked);
  try {
    // First with all that the package will ask for; where that cannot be, or
    // has no place, what was asked alone.
    for (const bool all : {true, false}) {
      if (all && declared.unmet.empty())
        continue;
      std::vector<python::Demand> demands{{*asked, by}};
      std::vector<std::string> roots{asked->key()};
      if (all)
        for (const auto& requirement : declared.unmet) {
          demands.push_back({requirement, by});
          roots.push_back(requirement.key());
        }
      const auto answer =
          resolve(failure, situation, *set, demands, declared.met, by);
      if (const auto* found = std::get_if<python::Resolution>(&answer))
        propose(failure, situation, *set, why, roots, *found, offer);
      else if (!all && offer.proposals.empty())
        return no(std::get<python::NoSolution>(answer).why);
    }
  } catch (const Error& problem) {
    return no(problem.what());
  }
  if (offer.proposals.empty())
    return no("no place of the draft could take the pin");
  return offer;
}

}  // namespace autopin::fix
