#include "fix/pin_places.h"

#include <algorithm>

#include "fix/set_override.h"

namespace autopin::fix {
namespace {

void add(std::vector<Proposal>& proposals, const PinPlan& plan,
         std::optional<FileEdits> edits, std::string where) {
  if (!edits)
    return;
  Proposal proposal = plan.draft;
  proposal.edits = std::move(*edits);
  proposal.where = std::move(where);
  proposals.push_back(std::move(proposal));
}

void merge(FileEdits& into, const FileEdits& more) {
  for (const auto& [file, edits] : more)
    into[file].insert(into[file].end(), edits.begin(), edits.end());
}

/// The requirement's package as an argument of its one consumer.
void propose_nested(const PinPlan& plan, std::vector<Proposal>& proposals) {
  const auto value = plan.text.nested(plan.root);
  const auto reference = plan.text.reference(plan.root);
  if (!value || !reference)
    return;
  const auto defaults = plan.set.find(plan.root);
  const auto* pinned = plan.text.find(plan.root);
  const std::string comment = pinned != nullptr ? pinned->comment : "";
  for (const auto& place : places_of(plan.situation, plan.failure.drv)) {
    if (place.kind == Place::Kind::builder || defaults.empty())
      continue;
    const auto arguments = arguments_at(plan.set, place);
    const std::string& argument = defaults.front().attribute;
    if (std::find(arguments.begin(), arguments.end(), argument) ==
        arguments.end())
      continue;
    DerivationChange change;
    change.arguments.push_back({argument, *value, comment});
    add(proposals, plan, edit_place(plan.situation, place, change, &plan.set),
        "as an argument of its one consumer");
    break;
  }
}

/// Where the draft writes the name out, it goes with the version.
void rename_as_written(const PinPlan& plan, const Place& place,
                       const PinnedPackage& pinned, DerivationChange& change) {
  const auto& source = plan.situation.source(place.file);
  const auto* name = source.find_binding(place.attrset, "name");
  const bool changed =
      std::any_of(change.attributes.begin(), change.attributes.end(),
                  [](const AttrChange& attribute) {
                    return attribute.attribute == "name";
                  });
  if (name == nullptr || name->is_inherit || changed ||
      !source.at(name->value).literal)
    return;
  AttrChange rename;
  rename.attribute = "name";
  rename.values.emplace_back(
      nix::quote(pinned.base->name + "-" + pinned.pin.version.text()));
  change.attributes.push_back(std::move(rename));
}

/// The package is among the draft's own expressions: pinned where it stands.
void propose_in_place(const PinPlan& plan, std::vector<Proposal>& proposals) {
  const auto* pinned = plan.text.find(plan.root);
  if (pinned == nullptr || !pinned->pin.file || !pinned->base)
    return;
  auto& store = plan.situation.store();
  for (const auto& member : store.find_distribution(plan.failure.drv, plan.root,
                                                    nix::Edges::runtime)) {
    DerivationChange change = plan.text.own_change(*pinned);
    if (!change.attributes.empty())
      change.attributes.front().comment = pinned->comment;
    for (const auto& place : places_of(plan.situation, member.drv)) {
      if (place.kind == Place::Kind::reference)
        continue;
      DerivationChange here = change;
      rename_as_written(plan, place, *pinned, here);
      add(proposals, plan, edit_place(plan.situation, place, here, &plan.set),
          "where the draft has it");
    }
  }
}

/// Another attribute of the set has the right version: it takes the place of
/// the one that is named, or joins the inputs.
void propose_attribute(const PinPlan& plan, std::vector<Proposal>& proposals) {
  const auto* pinned = plan.text.find(plan.root);
  if (pinned == nullptr || pinned->pin.from_attribute.empty())
    return;
  auto& store = plan.situation.store();
  for (const auto& member : store.find_distribution(plan.failure.drv, plan.root,
                                                    nix::Edges::runtime)) {
    FileEdits edits;
    for (const auto& place : places_of(plan.situation, member.drv)) {
      const auto& source = plan.situation.source(place.file);
      Namer namer(plan.situation, place.file, source.at(place.expr).parent,
                  &plan.set);
      const auto name =
          namer.spell({SetRef::From::python, pinned->pin.from_attribute});
      if (place.kind == Place::Kind::reference && name)
        edits[place.file].push_back(
            nix::replace_expr(source, place.expr, *name));
    }
    if (!edits.empty())
      add(proposals, plan, std::move(edits), "by the set's other attribute");
  }
}

/// Into the inputs of the failing package, where it lacks the requirements.
std::optional<FileEdits> add_to_inputs(const PinPlan& plan,
                                       std::vector<NixText> values) {
  DerivationChange change;
  AttrChange list;
  list.op = AttrChange::Op::append_items;
  list.attribute = "propagatedBuildInputs";
  list.values = std::move(values);
  const auto* pinned = plan.text.find(plan.root);
  list.comment = pinned != nullptr ? pinned->comment
                                   : comment_for(plan.failure, plan.draft.why);
  change.attributes.push_back(std::move(list));
  const auto places = places_of(plan.situation, plan.failure.drv);
  if (places.empty())
    return std::nullopt;
  Place place = places.front();
  // Where the draft says `dependencies`, so does the addition.
  if (place.kind != Place::Kind::reference)
    if (plan.situation.source(place.file)
            .find_binding(place.attrset, "dependencies") != nullptr)
      change.attributes.front().attribute = "dependencies";
  return edit_place(plan.situation, place, change, &plan.set);
}

/// What is said of each missing root; nothing where one cannot be said.
template <typename Say>
std::optional<FileEdits> add_missing(const PinPlan& plan, Say say) {
  std::vector<NixText> values;
  for (const auto& root : missing_roots(plan)) {
    auto value = say(root);
    if (!value)
      return std::nullopt;
    values.push_back(*std::move(value));
  }
  return values.empty() ? std::nullopt : add_to_inputs(plan, std::move(values));
}

void propose_input(const PinPlan& plan, std::vector<Proposal>& proposals) {
  add(proposals, plan,
      add_missing(plan,
                  [&](const auto& root) { return plan.text.nested(root); }),
      "among the inputs of the package that asks");
}

void propose_scope(const PinPlan& plan, std::vector<Proposal>& proposals) {
  auto edits = override_in_set(plan.set, plan.text.scope_entries());
  if (!edits)
    return;
  if (!missing_roots(plan).empty()) {
    const auto more = add_missing(
        plan, [&](const auto& root) { return plan.text.reference(root); });
    if (!more)
      return;
    merge(*edits, *more);
  }
  add(proposals, plan, std::move(edits), "in the Python package set");
}

}  // namespace

/// Those of the roots that the failing package does not have at all.
std::vector<std::string> missing_roots(const PinPlan& plan) {
  std::vector<std::string> missing;
  for (const auto& root : plan.roots)
    if (plan.situation.store()
            .find_distribution(plan.failure.drv, root, nix::Edges::runtime)
            .empty())
      missing.push_back(root);
  return missing;
}

std::vector<Proposal> pin_places(const PinPlan& plan) {
  std::vector<Proposal> proposals;
  propose_attribute(plan, proposals);
  propose_in_place(plan, proposals);
  propose_input(plan, proposals);
  propose_nested(plan, proposals);
  propose_scope(plan, proposals);
  return proposals;
}

}  // namespace autopin::fix
