// Transforms: a build that misses a module, header, library, command or the
//   like -> the same with the package that has it among its inputs.
// Offered when: a lookup table or the name itself leads to an attribute that
//   the package set has.
// Not offered when: the set has no such attribute; none is ever made up.

#include <algorithm>
#include <array>

#include "base/text.h"
#include "fix/fixes.h"
#include "fix/hooks.h"
#include "fix/top_set.h"
#include "python/name.h"
#include "python/specifier.h"

namespace autopin::fix {
namespace {

enum class Role { build, runtime, check };

bool mentions_a_test(const Diagnosis& diagnosis) {
  return std::any_of(diagnosis.lines.begin(), diagnosis.lines.end(),
                     [](const EvidenceLine& line) {
                       return line.text.find("tests/") != std::string::npos ||
                              line.text.find("test_") != std::string::npos ||
                              line.text.find("conftest") != std::string::npos;
                     });
}

/// When the missing thing is needed: that decides the list it goes into.
Role role_of(const Diagnosis& diagnosis) {
  const std::string& kind = diagnosis.kind;
  const std::string& phase = diagnosis.phase;
  if (kind == "python-build-requirement-missing")
    return Role::build;
  if (kind == "test-fixture-missing" || kind == "test-collection-error" ||
      kind == "test-option-unknown")
    return Role::check;
  const bool building = phase == "buildPhase" || phase == "configurePhase" ||
                        phase.find("Build") != std::string::npos;
  if (kind == "python-module-missing" && building)
    return Role::build;
  const bool checking = phase.find("heck") != std::string::npos &&
                        phase.find("mport") == std::string::npos;
  if (checking && mentions_a_test(diagnosis))
    return Role::check;
  return Role::runtime;
}

AttrChange list_for(Role role, bool modern) {
  AttrChange list;
  list.op = AttrChange::Op::append_items;
  switch (role) {
    case Role::build:
      list.attribute = modern ? "build-system" : "buildInputs";
      list.or_existing = {"nativeBuildInputs", "buildInputs"};
      break;
    case Role::runtime:
      list.attribute = modern ? "dependencies" : "propagatedBuildInputs";
      list.or_existing = {"dependencies", "propagatedBuildInputs"};
      break;
    case Role::check:
      list.attribute = modern ? "nativeCheckInputs" : "checkInputs";
      list.or_existing = {"nativeCheckInputs", "checkInputs"};
      break;
  }
  return list;
}

/// Distributions that the diagnosis speaks of, by PEP 503 or import name.
std::vector<std::string> distributions_of(const Diagnosis& diagnosis,
                                          const Tables& tables) {
  std::vector<std::string> names;
  for (const char* param : {"requirement", "requirements"})
    if (const auto found = diagnosis.params.find(param);
        found != diagnosis.params.end())
      names.insert(names.end(), found->second.begin(), found->second.end());
  if (const auto plugin = diagnosis.param("distribution");
      diagnosis.kind == "test-option-unknown" && !plugin.empty())
    names.push_back(plugin);
  if (const std::string fixture = diagnosis.param("fixture"); !fixture.empty())
    for (auto& plugin : tables.find("pytest-fixtures", fixture))
      names.push_back(std::move(plugin));
  if (!names.empty())
    return names;
  const std::string module = diagnosis.param("module");
  if (module.empty())
    return names;
  // The longest known prefix: ruamel.yaml before ruamel.
  for (std::string prefix = module; !prefix.empty(); prefix.resize(
           prefix.rfind('.') == std::string::npos ? 0 : prefix.rfind('.')))
    if (auto known = tables.find("import-names", prefix); !known.empty())
      return {known.front()};
  return {module.substr(0, module.find('.'))};
}

/// A module that a build backend lacks is a requirement of the build, and that
/// is said after it, by the distribution's name.
const Diagnosis& telling_most(const Failure& failure) {
  for (const auto& consequence : failure.consequences)
    if (consequence.kind == "python-build-requirement-missing" &&
        failure.diagnosis.kind == "python-module-missing")
      return consequence;
  return failure.diagnosis;
}

struct TopKind {
  std::string_view kind;
  std::string_view param;
  const char* table;
  bool native;
};

constexpr std::array<TopKind, 5> top_kinds{{
    {"header-missing", "header", "headers", false},
    {"library-missing", "libraries", "libraries", false},
    {"pkg-config-missing", "modules", "pkg-config-modules", false},
    {"cmake-package-missing", "package", "cmake-packages", false},
    {"command-missing", "command", "commands", true},
}};

bool has_pkg_config(const Situation& situation, const std::string& drv) {
  const auto inputs = situation.store().inputs(drv, nix::Edges::build);
  return std::any_of(inputs.begin(), inputs.end(), [](const auto& input) {
    const auto name = nix::store_name(input);
    return name.find("pkg-config") != std::string_view::npos ||
           name.find("pkgconf") != std::string_view::npos;
  });
}

/// Attributes that may have `name`: those of the table, then its own spelling.
std::vector<std::string> candidates_for(const Tables& tables,
                                        const TopKind& kind,
                                        const std::string& name) {
  auto candidates = tables.find(kind.table, name);
  std::string plain = name;
  if (kind.kind == "header-missing") {
    plain = plain.substr(0, plain.find('/'));
    if (plain.ends_with(".h"))
      plain.resize(plain.size() - 2);
  }
  for (const std::string& spelling : {plain, to_lower(plain)})
    if (nix::is_identifier(spelling))
      candidates.push_back(spelling);
  return candidates;
}

}  // namespace

Offer add_python_input(const Failure& failure, const Situation& situation,
                       const Permissions&) {
  constexpr std::string_view fix = "add-python-input";
  const auto set = PythonSet::of(situation, failure.drv);
  if (!set)
    return not_offered(
        fix,
        "the draft names no Python package set that this package "
        "is from");
  const Diagnosis& diagnosis = telling_most(failure);
  const auto names = distributions_of(diagnosis, situation.parts().tables);
  if (names.empty())
    return not_offered(fix, "the log does not name what is missing");
  const bool modern = !set->has({"pytestCheckHook"}).empty();
  AttrChange list = list_for(role_of(diagnosis), modern);
  std::vector<std::string> drvs;
  std::vector<std::string> attributes;
  for (const auto& name : names) {
    auto found = set->find(name);
    if (const auto wanted =
            python::SpecifierSet::parse(failure.diagnosis.param("specifier")))
      std::erase_if(found, [&](const SetAttribute& attribute) {
        const auto version = python::Version::parse(attribute.version);
        return version && !wanted->contains(*version);
      });
    if (found.empty())
      return not_offered(fix, "the package set has no " + name + " that fits");
    list.values.push_back(python_ref(found.front().attribute));
    drvs.push_back(found.front().drv);
    attributes.push_back(found.front().attribute);
  }
  list.comment = comment_for(failure, failure.diagnosis.why);
  Proposal draft;
  draft.fix = fix;
  draft.risk = Risk::exact;
  draft.summary = "add " + join(attributes, ", ") + " to " + list.attribute;
  draft.why = failure.diagnosis.why;
  draft.check = all_are_inputs(situation, failure.drv, drvs);
  DerivationChange change;
  change.attributes.push_back(std::move(list));
  return {place_change(situation, failure.drv, change, draft), {}};
}

Offer add_input(const Failure& failure, const Situation& situation,
                const Permissions&) {
  constexpr std::string_view fix = "add-input";
  const auto kind = std::find_if(
      top_kinds.begin(), top_kinds.end(), [&](const TopKind& candidate) {
        return candidate.kind == failure.diagnosis.kind;
      });
  if (kind == top_kinds.end())
    return not_offered(fix, "nothing that an input could bring");
  AttrChange list;
  list.op = AttrChange::Op::append_items;
  list.attribute = kind->native ? "nativeBuildInputs" : "buildInputs";
  std::vector<std::string> attributes;
  const auto named = failure.diagnosis.params.find(std::string(kind->param));
  if (named == failure.diagnosis.params.end())
    return not_offered(fix, "the log does not name what is missing");
  for (const auto& name : named->second) {
    const auto there = attributes_of_top(
        situation, candidates_for(situation.parts().tables, *kind, name));
    if (there.empty())
      return not_offered(
          fix, "no attribute of the package set is known to have " + name);
    if (std::find(attributes.begin(), attributes.end(), there.front()) ==
        attributes.end())
      attributes.push_back(there.front());
  }
  for (const auto& attribute : attributes)
    list.values.push_back(top_ref(attribute));
  list.comment = comment_for(failure, failure.diagnosis.why);
  Proposal draft;
  draft.fix = fix;
  draft.risk = Risk::exact;
  draft.summary = "add " + join(attributes, ", ") + " to " + list.attribute;
  draft.why = failure.diagnosis.why;
  draft.check = all_are_inputs(situation, failure.drv,
                               drvs_of_top(situation, attributes));
  DerivationChange change;
  change.attributes.push_back(std::move(list));
  // What pkg-config is to find, it must be there to find.
  if (kind->kind == "pkg-config-missing" &&
      !has_pkg_config(situation, failure.drv))
    if (const auto tool =
            attributes_of_top(situation, {"pkg-config", "pkgconfig"});
        !tool.empty()) {
      AttrChange tools;
      tools.op = AttrChange::Op::append_items;
      tools.attribute = "nativeBuildInputs";
      tools.values.push_back(top_ref(tool.front()));
      change.attributes.insert(change.attributes.begin(), std::move(tools));
      draft.summary += ", " + tool.front() + " to nativeBuildInputs";
    }
  return {place_change(situation, failure.drv, change, draft), {}};
}

}  // namespace autopin::fix
