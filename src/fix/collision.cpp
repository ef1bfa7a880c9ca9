// Transforms: an environment of packages two of which have the same file -> the
//   later one of the list gives way (lib.lowPrio), as in the manual of nixpkgs
//   (buildEnv, meta.priority).
// Offered when: both packages of the message stand in the draft.
// Not offered when: one comes from elsewhere, or it is a Python environment,
//   where a file of two packages is a mistake that would be hidden.

#include <algorithm>

#include "fix/fixes.h"
#include "fix/hooks.h"

namespace autopin::fix {
namespace {

/// The references in the draft that made the packages which a line names.
std::vector<Place> packages_named(const Situation& situation,
                                  const Diagnosis& diagnosis) {
  std::vector<Place> places;
  for (const auto& line : diagnosis.lines)
    for (const auto& path : nix::store_paths(line.text)) {
      const auto drv =
          situation.store().maker_of_output(situation.roots(), path);
      if (!drv)
        continue;
      for (const auto& place : places_of(situation, *drv)) {
        const bool known =
            std::any_of(places.begin(), places.end(), [&](const Place& other) {
              return other.file == place.file && other.expr == place.expr;
            });
        if (!known)
          places.push_back(place);
        break;
      }
    }
  return places;
}

}  // namespace

Offer raise_priority(const Failure& failure, const Situation& situation,
                     const Permissions&) {
  Offer offer;
  const auto no = [&](std::string why) {
    offer.why_not.push_back({"raise-priority", std::move(why), false});
    return offer;
  };
  const auto places = packages_named(situation, failure.diagnosis);
  if (places.size() != 2 || places[0].file != places[1].file)
    return no("the draft does not name both of the packages");
  const auto& source = situation.source(places[0].file);
  const bool first_is_later = source.at(places[0].expr).range.begin >
                              source.at(places[1].expr).range.begin;
  const Place& later = first_is_later ? places[0] : places[1];
  Namer namer(situation, later.file, later.expr, nullptr);
  const auto low = namer.spell({SetRef::From::top, "lib.lowPrio"});
  if (!low)
    return no("the package set is not at hand where the package stands");
  Proposal proposal;
  proposal.fix = "raise-priority";
  proposal.risk = Risk::relaxes;
  proposal.summary = "let " + later.record.name + " give way";
  proposal.why = failure.diagnosis.why;
  proposal.where = "around its reference";
  auto& edits = proposal.edits[later.file];
  edits = nix::wrap_expr(source, later.expr, "(" + *low + " ", ")");
  edits.insert(edits.end(), namer.edits().begin(), namer.edits().end());
  proposal.check = check_successor(
      situation, failure.drv,
      [](const Situation&, const std::string&) -> std::optional<std::string> {
        return std::nullopt;
      });
  offer.proposals.push_back(std::move(proposal));
  return offer;
}

}  // namespace autopin::fix
