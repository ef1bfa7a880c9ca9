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
#include "fix/pin_text.h"
#include "python/name.h"

namespace autopin::fix {
namespace {

constexpr std::string_view fix_name = "pin-requirement";

struct Plan {
  const Failure& failure;
  const Situation& situation;
  const PythonSet& set;
  const PinText& text;
  std::string root;  ///< PEP 503 name that was asked for.
  Proposal draft;    ///< All but where and edits.
};

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

void add(std::vector<Proposal>& proposals, const Plan& plan,
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
void propose_nested(const Plan& plan, std::vector<Proposal>& proposals) {
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
void rename_as_written(const Plan& plan, const Place& place,
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
void propose_in_place(const Plan& plan, std::vector<Proposal>& proposals) {
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
void propose_attribute(const Plan& plan, std::vector<Proposal>& proposals) {
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

bool has_root(const Plan& plan) {
  return !plan.situation.store()
              .find_distribution(plan.failure.drv, plan.root,
                                 nix::Edges::runtime)
              .empty();
}

/// Into the inputs of the failing package, where it lacks the requirement.
std::optional<FileEdits> add_to_inputs(const Plan& plan, const NixText& value) {
  DerivationChange change;
  AttrChange list;
  list.op = AttrChange::Op::append_items;
  list.attribute = "propagatedBuildInputs";
  list.values.push_back(value);
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

void propose_input(const Plan& plan, std::vector<Proposal>& proposals) {
  if (has_root(plan))
    return;
  if (const auto value = plan.text.nested(plan.root))
    add(proposals, plan, add_to_inputs(plan, *value),
        "among the inputs of the package that asks");
}

void propose_scope(const Plan& plan, std::vector<Proposal>& proposals) {
  auto edits = override_in_set(plan.set, plan.text.scope_entries());
  if (!edits)
    return;
  if (!has_root(plan)) {
    const auto reference = plan.text.reference(plan.root);
    const auto more =
        reference ? add_to_inputs(plan, *reference) : std::nullopt;
    if (!more)
      return;
    merge(*edits, *more);
  }
  add(proposals, plan, std::move(edits), "in the Python package set");
}

std::string describe(const PinText& text, const std::string& root,
                     const python::Resolution& resolution) {
  std::vector<std::string> pins;
  for (const auto& package : text.packages())
    pins.push_back(package.pin.name + " " + package.pin.version.text());
  if (!pins.empty())
    return "pin " + join(pins, ", ");
  for (const auto& kept : resolution.kept)
    if (kept.name == root)
      return "add " + kept.attribute + " to the inputs";
  return "add " + root + " to the inputs";
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
  SetForResolver in_set(*set);
  python::ResolveOptions options;
  options.look_ahead = situation.parts().look_ahead;
  std::variant<python::Resolution, python::NoSolution> answer;
  try {
    answer = python::resolve({{*asked, by}}, in_set, situation.parts().index,
                             set->target(), options);
  } catch (const Error& problem) {
    return no(problem.what());
  }
  if (const auto* none = std::get_if<python::NoSolution>(&answer))
    return no(none->why);
  const auto& resolution = std::get<python::Resolution>(answer);
  keep_files(situation, resolution);

  const PinText text(*set, resolution, failure);
  Plan plan{failure, situation, *set, text, asked->key(), {}};
  plan.draft.fix = fix_name;
  plan.draft.risk = text.packages().empty() ? Risk::exact : Risk::pin;
  plan.draft.summary = describe(text, plan.root, resolution);
  plan.draft.why = by + " asks for " + asked->text();
  plan.draft.sources = text.sources();
  plan.draft.check = check_successor(
      situation, failure.drv,
      [pins = text.packages(), root = plan.root,
       interpreter = set->interpreter().drv](
          const Situation& after,
          const std::string& successor) -> std::optional<std::string> {
        if (after.store()
                .find_distribution(successor, root, nix::Edges::runtime)
                .empty())
          return root + " is not among the inputs of the package that asks";
        return pins_hold(after, pins, interpreter);
      });
  propose_attribute(plan, offer.proposals);
  propose_in_place(plan, offer.proposals);
  propose_input(plan, offer.proposals);
  propose_nested(plan, offer.proposals);
  propose_scope(plan, offer.proposals);
  if (offer.proposals.empty())
    return no("no place of the draft could take the pin");
  return offer;
}

}  // namespace autopin::fix
