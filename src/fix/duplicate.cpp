// Transforms: p = set.x.overridePythonAttrs (…), beside which the set's own x
//   is in the same closure -> the set itself overridden in the same words, and
//   p what that set has.
// Offered when: one of the two copies is an override that stands in the draft.
// Not offered when: neither does; which one to take is then for a person to
// say.

#include <algorithm>

#include "base/text.h"
#include "fix/fixes.h"
#include "fix/set_override.h"

namespace autopin::fix {
namespace {

/// An override chain of the draft that made one of the copies.
struct Own {
  Place place;
  SetAttribute base;  ///< What it overrides, in the set.
  std::string drv;
};

std::optional<Own> own_override(const Situation& situation,
                                const PythonSet& set,
                                const std::vector<nix::ClosureMember>& members,
                                const std::string& name) {
  for (const auto& member : members)
    for (const auto& place : places_of(situation, member.drv)) {
      if (place.chain.layers.empty())
        continue;
      const std::string base(
          situation.source(place.file).text_of(place.chain.base));
      const std::string attribute = base.substr(base.rfind('.') + 1);
      for (const auto& there : set.find(name))
        if (there.attribute == attribute && there.drv != member.drv)
          return Own{place, there, member.drv};
    }
  return std::nullopt;
}

/// The override goes into the set; what stood around the base goes away.
std::optional<FileEdits> move_into_set(const Situation& situation,
                                       const PythonSet& set, const Own& own,
                                       const std::string& comment) {
  const auto& source = situation.source(own.place.file);
  const nix::Range whole = source.at(own.place.expr).range;
  const nix::Range base = own.place.chain.base;
  const std::string text(source.text_of(whole));
  SetEntry entry;
  entry.attribute = own.base.attribute;
  entry.comment = comment;
  entry.value = text.substr(0, base.begin - whole.begin) + "super." +
                nix::attr_name(own.base.attribute) +
                text.substr(base.end - whole.begin);
  auto edits = override_in_set(set, {entry});
  if (!edits)
    return std::nullopt;
  auto& here = (*edits)[own.place.file];
  // Doors in what is moved away are gone with it.
  std::erase_if(here, [&](const nix::Edit& edit) {
    return edit.range.begin >= base.end && edit.range.end <= whole.end &&
           edit.range.begin != edit.range.end;
  });
  if (base.begin > whole.begin)
    here.push_back({{whole.begin, base.begin}, ""});
  here.push_back({{base.end, whole.end}, ""});
  return edits;
}

}  // namespace

Offer pin_in_scope(const Failure& failure, const Situation& situation,
                   const Permissions&) {
  Offer offer;
  const auto no = [&](std::string why) {
    offer.why_not.push_back({"pin-in-scope", std::move(why), false});
    return offer;
  };
  const auto packages = failure.diagnosis.params.find("packages");
  const auto set = PythonSet::of(situation, failure.drv);
  if (packages == failure.diagnosis.params.end() || packages->second.empty())
    return no("the log does not say what is there twice");
  if (!set)
    return no(
        "the draft names no Python package set that this package is from");
  const std::string name = packages->second.front();
  const auto members = situation.store().find_distribution(failure.drv, name,
                                                           nix::Edges::runtime);
  const auto own = own_override(situation, *set, members, name);
  if (!own)
    return no("no override in the draft makes one of the copies of " + name);
  auto edits = move_into_set(
      situation, *set, *own,
      comment_for(failure, "one " + name + " for all that need it"));
  if (!edits)
    return no("the draft has no door to the package set that could be changed");
  Proposal proposal;
  proposal.fix = "pin-in-scope";
  proposal.risk = Risk::pin;
  proposal.summary = "give the whole package set the draft's own " + name;
  proposal.why = failure.diagnosis.why;
  proposal.where = "in the Python package set";
  proposal.edits = std::move(*edits);
  const auto version = situation.store().distribution(own->drv).version;
  proposal.check = check_successor(
      situation, failure.drv,
      [name, version](const Situation& after, const std::string& successor)
          -> std::optional<std::string> {
        const auto left = after.store().find_distribution(successor, name,
                                                          nix::Edges::runtime);
        if (left.size() != 1)
          return std::to_string(left.size()) + " copies of " + name +
                 " are in the closure";
        if (left.front().distribution.version != version)
          return name + " is not of version " + version;
        return std::nullopt;
      });
  offer.proposals.push_back(std::move(proposal));
  return offer;
}

}  // namespace autopin::fix
