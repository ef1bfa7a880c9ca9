#include "fix/fix.h"

#include <algorithm>

#include "base/printable.h"
#include "base/text.h"
#include "fix/set_override.h"
#include "python/name.h"

namespace autopin::fix {
namespace {

/// References that make `drv`, none inside another.
std::vector<Place> references_of(const Situation& situation,
                                 const std::vector<Place>& places) {
  std::vector<Place> references;
  for (const auto& place : places) {
    if (place.kind != Place::Kind::reference)
      continue;
    const auto& source = situation.source(place.file);
    const bool inner =
        std::any_of(places.begin(), places.end(), [&](const Place& other) {
          return &other != &place && other.file == place.file &&
                 source.at(other.expr).range != source.at(place.expr).range &&
                 source.at(other.expr)
                     .range.contains(source.at(place.expr).range);
        });
    if (!inner)
      references.push_back(place);
  }
  return references;
}

std::string key_of(const Situation& situation, const std::string& drv) {
  return python::normalize_name(situation.store().distribution(drv).name);
}

}  // namespace

void Offer::add(Offer other) {
  std::move(other.proposals.begin(), other.proposals.end(),
            std::back_inserter(proposals));
  std::move(other.why_not.begin(), other.why_not.end(),
            std::back_inserter(why_not));
}

Offer not_offered(std::string_view fix, std::string why, bool refused) {
  return {{}, {{std::string(fix), std::move(why), refused}}};
}

const Fix* find_fix(std::string_view name) {
  const auto& fixes = all_fixes();
  const auto found =
      std::find_if(fixes.begin(), fixes.end(),
                   [&](const Fix& fix) { return fix.name == name; });
  return found == fixes.end() ? nullptr : &*found;
}

Offer offer_for(const Failure& failure, const Situation& situation,
                const Permissions& permissions) {
  Offer offer;
  for (const auto& name : failure.diagnosis.fixes)
    if (const Fix* fix = find_fix(name)) {
      Offer more = fix->propose(failure, situation, permissions);
      // One function may serve several names: the rule's is the one to tell.
      for (auto& proposal : more.proposals)
        proposal.fix = name;
      for (auto& why : more.why_not)
        why.fix = name;
      offer.add(std::move(more));
    }
  return offer;
}

std::string comment_for(const Failure& failure, std::string_view reason) {
  // The reason may quote a log: one line, nothing but what can be read.
  std::string text = replace_all(printable(reason), "\n", " ");
  if (text.size() > 140) {
    std::size_t end = 137;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80)
      --end;  // not within a character
    text = text.substr(0, end) + "...";
  }
  return text + " (autopin step " + std::to_string(failure.step) + ")";
}

std::vector<Proposal> place_change(const Situation& situation,
                                   const std::string& drv,
                                   const DerivationChange& change,
                                   const Proposal& draft) {
  std::vector<Proposal> proposals;
  const auto add = [&](std::optional<FileEdits> edits, std::string where) {
    if (!edits)
      return;
    Proposal proposal = draft;
    proposal.where = std::move(where);
    proposal.edits = std::move(*edits);
    proposals.push_back(std::move(proposal));
  };
  const bool is_python = is_python_package(situation, drv);
  const auto set = is_python ? PythonSet::of(situation, drv) : std::nullopt;
  const PythonSet* python = set ? &*set : nullptr;
  const auto places = places_of(situation, drv);
  for (const auto& place : places)
    if (place.kind != Place::Kind::reference)
      add(edit_place(situation, place, change, python),
          place.kind == Place::Kind::builder ? "in the draft's own package"
                                             : "in the override that is there");
  const auto references = references_of(situation, places);
  if (!references.empty())
    add(edit_references(situation, references, change, python),
        "around its reference");
  if (set) {
    const auto name = situation.store().distribution(drv).name;
    for (const auto& attribute : set->find(name)) {
      if (attribute.drv != drv)
        continue;
      SetEntry entry;
      entry.attribute = attribute.attribute;
      entry.change = change;
      entry.functions = {attribute.has_override_python_attrs,
                         attribute.has_override_attrs, false};
      add(override_in_set(*set, {entry}), "in the Python package set");
    }
  }
  return proposals;
}

std::optional<std::string> successor_of(const Situation& before,
                                        const std::string& drv,
                                        const Situation& after) {
  if (after.in_closure(drv))
    return std::nullopt;
  const std::string key = key_of(before, drv);
  auto& store = after.store();
  for (const auto& candidate :
       store.closure(after.roots(), nix::Edges::build)) {
    if (before.in_closure(candidate) || store.derivation(candidate).is_fixed())
      continue;
    if (key_of(after, candidate) == key)
      return candidate;
  }
  return std::nullopt;
}

Check check_successor(const Situation& before, const std::string& drv,
                      std::function<std::optional<std::string>(
                          const Situation&, const std::string&)>
                          holds) {
  return [&before, drv, holds = std::move(holds)](
             const Situation& after) -> std::optional<std::string> {
    if (after.in_closure(drv))
      return "the failing derivation is still needed: the edit does not reach "
             "it";
    const auto successor = successor_of(before, drv, after);
    if (!successor)
      return "no derivation took its place";
    return holds(after, *successor);
  };
}

}  // namespace autopin::fix
