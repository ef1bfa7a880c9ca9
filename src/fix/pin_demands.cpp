#include "fix/pin_demands.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/error.h"
#include "python/file_name.h"
#include "python/name.h"
#include "python/setup_py.h"

namespace autopin::fix {
namespace {

using python::IndexFile;
using python::Requirement;

/// A larger source distribution is not fetched only to see what it asks for.
constexpr std::int64_t most_bytes = 2 << 20;

bool is_rewritten(const nix::Derivation& drv) {
  constexpr std::array<const char*, 10> rewriting{
      "patches",         "prePatch",        "postPatch", "patchPhase",
      "postUnpack",      "preConfigure",    "preBuild",  "sourceRoot",
      "pythonRelaxDeps", "pythonRemoveDeps"};
  return std::any_of(rewriting.begin(), rewriting.end(), [&](const char* name) {
    return !drv.attribute(name).value_or("").empty();
  });
}

/// The literal lists of a source tree's build files.
std::vector<Requirement> read_tree(Files& files, const std::string& folder) {
  const auto names = files.list(folder);
  const auto text = [&](const char* name) {
    const bool there =
        std::find(names.begin(), names.end(), name) != names.end();
    return there ? files.read(folder + "/" + name).value_or("") : std::string();
  };
  const auto declared =
      python::merge(python::merge(python::read_setup_py(text("setup.py")),
                                  python::read_setup_cfg(text("setup.cfg"))),
                    python::read_pyproject(text("pyproject.toml")));
  std::vector<Requirement> found;
  for (const auto& entry :
       declared.install_requires.value_or(python::DeclaredRequirements::List{}))
    if (auto requirement = Requirement::parse_leniently(entry))
      found.push_back(*std::move(requirement));
  return found;
}

/// The file of the index that is the very source, byte for byte.
std::vector<Requirement> read_archive(python::Index& index,
                                      const nix::Derivation& fetch,
                                      const std::string& project) {
  const std::string name = fetch.name();
  const auto wheel = python::WheelName::parse(name);
  const auto known = index.project(wheel ? wheel->project : project);
  const auto output = fetch.outputs.find("out");
  if (!known || output == fetch.outputs.end())
    return {};
  for (const IndexFile& file : known->files)
    if (file.sha256 == output->second.hash)
      return index.facts(file).metadata.requires_dist;
  return {};
}

std::vector<Requirement> read_source(const Situation& situation,
                                     const std::string& drv) {
  auto& store = situation.store();
  const auto& made = store.derivation(drv);
  const std::string src = made.attribute("src").value_or("");
  if (made.input_srcs.count(src) != 0)
    return read_tree(situation.parts().world.files, src);
  for (const auto& input : store.inputs(drv, nix::Edges::build))
    if (store.derivation(input).is_fixed() && store.output_path(input) == src)
      return read_archive(situation.parts().index, store.derivation(input),
                          python::normalize_name(store.distribution(drv).name));
  return {};
}

bool has(nix::Store& store, const std::string& drv, const Requirement& wanted) {
  const auto members =
      store.find_distribution(drv, wanted.key(), nix::Edges::runtime);
  return std::any_of(members.begin(), members.end(), [&](const auto& member) {
    const auto version = python::Version::parse(member.distribution.version);
    return version && wanted.specifiers.contains(
                          *version, python::SpecifierSet::Prereleases::allowed);
  });
}

bool counts(const Requirement& requirement,
            const python::MarkerEnvironment& environment) {
  return requirement.url.empty() && requirement.applies(environment) &&
         !python::is_builders_own(requirement.key());
}

/// What that version of a project says it needs, where that is cheap to see.
std::vector<Requirement> requirements_of(python::Index& index,
                                         const std::string& name,
                                         const std::string& version) {
  const auto project = index.project(name);
  const auto wanted = python::Version::parse(version);
  if (!project || !wanted)
    return {};
  const auto cost = [](const IndexFile& file) {
    return file.has_metadata ? 0 : file.kind == IndexFile::Kind::wheel ? 1 : 2;
  };
  const IndexFile* best = nullptr;
  for (const IndexFile& file : project->files)
    if (file.version == *wanted &&
        (cost(file) < 2 || file.size.value_or(most_bytes) < most_bytes) &&
        (best == nullptr || cost(file) < cost(*best)))
      best = &file;
  return best == nullptr ? std::vector<Requirement>{}
                         : index.facts(*best).metadata.requires_dist;
}

/// Runtime pins by name.
std::map<std::string, python::Version> pinned_versions(
    const python::Resolution& resolution) {
  std::map<std::string, python::Version> pinned;
  for (const auto& pin : resolution.pins)
    if (pin.kind == python::NeedKind::runtime)
      pinned.emplace(pin.name, pin.version);
  return pinned;
}

}  // namespace

Declared declared_by(const Situation& situation, const PythonSet& set,
                     const std::string& drv, const Requirement& asked) {
  auto& store = situation.store();
  if (is_rewritten(store.derivation(drv)))
    return {};
  std::vector<Requirement> all;
  try {
    all = read_source(situation, drv);
  } catch (const Error&) {
    return {};  // The log has said enough for a pin.
  }
  const auto environment = set.target().marker_environment();
  Declared declared;
  bool is_asked = false;
  for (const auto& requirement : all) {
    if (!counts(requirement, environment))
      continue;
    if (requirement.key() == asked.key())
      is_asked = true;
    else
      (has(store, drv, requirement) ? declared.met : declared.unmet)
          .push_back(requirement);
  }
  return is_asked ? declared : Declared{};
}

std::vector<Neighbour> neighbours_against(
    const Situation& situation, const PythonSet& set,
    const std::string& failing, const python::Resolution& resolution) {
  auto& store = situation.store();
  auto& index = situation.parts().index;
  const auto pinned = pinned_versions(resolution);
  const auto environment = set.target().marker_environment();
  const auto key_of = [&](const std::string& drv) {
    return python::normalize_name(store.distribution(drv).name);
  };
  std::vector<Neighbour> found;
  for (const auto& drv :
       store.closure(situation.roots(), nix::Edges::runtime)) {
    const auto inputs = store.inputs(drv, nix::Edges::runtime);
    if (drv == failing || pinned.count(key_of(drv)) != 0 ||
        std::none_of(inputs.begin(), inputs.end(), [&](const auto& input) {
          return pinned.count(key_of(input)) != 0;
        }))
      continue;
    Neighbour neighbour{key_of(drv), drv, {}, ""};
    try {
      for (const auto& requirement : requirements_of(
               index, neighbour.name, store.distribution(drv).version)) {
        if (!counts(requirement, environment) || !has(store, drv, requirement))
          continue;
        neighbour.requirements.push_back(requirement);
        const auto pin = pinned.find(requirement.key());
        if (pin != pinned.end() &&
            !requirement.specifiers.contains(
                pin->second, python::SpecifierSet::Prereleases::allowed))
          neighbour.pinned = pin->first;
      }
    } catch (const Error&) {
      continue;  // Its build will say what it asks for.
    }
    const auto attributes = neighbour.pinned.empty()
                                ? std::vector<SetAttribute>{}
                                : set.find(neighbour.name);
    if (std::any_of(attributes.begin(), attributes.end(),
                    [&](const auto& one) { return one.drv == drv; }))
      found.push_back(std::move(neighbour));
  }
  return found;
}

void SetWithDemands::heed(const Neighbour& neighbour) {
  neighbours_[neighbour.name] = neighbour;
}

bool SetWithDemands::heeds(const Neighbour& neighbour) const {
  return neighbours_.count(neighbour.name) != 0;
}

void SetWithDemands::demand(const Requirement& requirement,
                            std::string asked_by) {
  demands_[requirement.key()].push_back({requirement, std::move(asked_by)});
}

std::vector<python::SetPackage> SetWithDemands::candidates(
    const std::string& name) {
  auto packages = plain_.candidates(name);
  const auto known = neighbours_.find(name);
  if (known == neighbours_.end())
    return packages;
  for (const auto& attribute : set_.find(name))
    for (auto& package : packages)
      if (attribute.drv == known->second.drv &&
          attribute.attribute == package.attribute)
        package.requirements = known->second.requirements;
  return packages;
}

std::vector<python::Demand> SetWithDemands::demands_on(
    const std::string& name) {
  const auto found = demands_.find(name);
  return found == demands_.end() ? std::vector<python::Demand>{}
                                 : found->second;
}

bool SetWithDemands::runs_tests(const std::string& name) {
  return plain_.runs_tests(name);
}

bool is_settled(const Failure& failure, const Situation& situation) {
  const auto asked =
      Requirement::parse_leniently(failure.diagnosis.param("requirement") +
                                   failure.diagnosis.param("specifier"));
  return asked && !failure.drv.empty() &&
         failure.drv != failure.diagnosis.derivation &&
         has(situation.store(), failure.drv, *asked);
}

}  // namespace autopin::fix
