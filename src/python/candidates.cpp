#include "python/candidates.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "python/file_name.h"
#include "python/name.h"

namespace autopin::python {

namespace {

/// Best first: what is not withdrawn, finished releases, higher versions.
bool better(const Candidate& left, const Candidate& right) {
  const auto badness = [](const Candidate& c) {
    return std::tuple(c.yanked, c.version.is_prerelease());
  };
  if (badness(left) != badness(right))
    return badness(left) < badness(right);
  return left.version > right.version;
}

/// "cp36", "cp35": for which interpreters the wheels are.
std::string interpreters_of(const std::vector<const IndexFile*>& files) {
  std::set<std::string> out;
  for (const IndexFile* file : files) {
    if (const auto wheel = WheelParts::of(file->filename)) {
      for (const std::string& python : split(wheel->python, '.'))
        out.insert(python);
    }
  }
  return join({out.begin(), out.end()}, ", ");
}

}  // namespace

bool is_builders_own(const std::string& name) {
  return name == "setuptools" || name == "wheel" || name == "pip";
}

Universe::Universe(PackageSet& set, Index& index, const Target& target,
                   const ResolveOptions& options)
    : set_(set),
      index_(index),
      options_(options),
      python_(*Version::parse(target.marker_environment().python_full_version)),
      environment_(target.marker_environment()) {
  for (const Tag& tag : supported_tags(target))
    tag_ranks_.emplace(tag, tag_ranks_.size());
}

bool Universe::in_set(const std::string& name) {
  return !set_.candidates(name).empty();
}

bool Universe::is_given(const std::string& name) {
  return options_.builder_brings_tools && is_builders_own(name) &&
         !in_set(name);
}

bool Universe::fits_python(const std::string& requires_python) const {
  const auto [at, is_new] = python_fits_.emplace(requires_python, true);
  if (is_new) {
    const auto set = SpecifierSet::parse(requires_python);
    // What cannot be read excludes nobody, as with pip.
    at->second =
        !set || set->contains(python_, SpecifierSet::Prereleases::allowed);
  }
  return at->second;
}

const CandidateList& Universe::of(const std::string& name) {
  if (const auto known = lists_.find(name); known != lists_.end())
    return known->second;
  CandidateList list;
  if (options_.not_from_set.count(name) == 0) {
    for (const SetPackage& package : set_.candidates(name)) {
      Candidate candidate;
      candidate.version = package.version;
      candidate.from_set = package;
      list.all.push_back(std::move(candidate));
    }
  }
  if (list.all.empty() || asked_.count(name) != 0) {
    add_from_index(name, list);
  } else {
    Candidate rest;
    rest.unasked = true;
    list.all.push_back(rest);
  }
  return lists_[name] = std::move(list);
}

void Universe::ask_index(const std::string& name) {
  asked_.insert(name);
  lists_.erase(name);
  fitting_.erase(name);
}

void Universe::fix(const std::string& name, const Candidate& candidate) {
  lists_[name] = CandidateList{{candidate}, {}, true};
  fitting_.erase(name);
}

std::optional<std::size_t> Universe::rank(const IndexFile& wheel) const {
  const auto parts = WheelParts::of(wheel.filename);
  if (!parts)
    return std::nullopt;
  const auto [at, is_new] =
      ranks_.emplace(std::string(parts->tags()), std::nullopt);
  if (!is_new)
    return at->second;
  std::optional<std::size_t>& out = at->second;
  for (const Tag& tag : expand_tags(parts->tags())) {
    const auto found = tag_ranks_.find(tag);
    if (found != tag_ranks_.end() && (!out || found->second < *out))
      out = found->second;
  }
  return out;
}

/// Of the files of one version: a source distribution, or a wheel where that
/// is wanted or there is nothing else.
std::optional<Candidate> Universe::choose_file(
    const std::string& name, const std::shared_ptr<const Project>& project,
    const Files& files, Refusal& why_not) const {
  const IndexFile* sdist = nullptr;
  const IndexFile* wheel = nullptr;
  std::size_t wheel_rank = 0;
  bool python_fits = false;
  for (const IndexFile* file : files) {
    if (!fits_python(file->requires_python))
      continue;
    python_fits = true;
    if (file->kind == IndexFile::Kind::sdist) {
      if (sdist == nullptr || (sdist->yanked && !file->yanked))
        sdist = file;
    } else if (const auto r = rank(*file);
               r && (wheel == nullptr || *r < wheel_rank ||
                     (*r == wheel_rank && file->filename > wheel->filename))) {
      wheel = file;
      wheel_rank = *r;
    }
  }
  if (sdist == nullptr && wheel == nullptr) {
    if (python_fits)
      why_not.wheels_for = interpreters_of(files);
    else
      why_not.requires_python = files.front()->requires_python;
    return std::nullopt;
  }
  const bool by_wheel =
      sdist == nullptr ||
      (wheel != nullptr &&
       (options_.prefer_all_wheels || options_.prefer_wheel.count(name) != 0));
  Candidate out;
  // They live in the project's page, and it lives as long.
  out.file = {project, by_wheel ? wheel : sdist};
  out.facts_file = {project, wheel != nullptr ? wheel : sdist};
  out.version = out.file->version;
  out.yanked = out.file->yanked.has_value();
  return out;
}

void Universe::add_from_index(const std::string& name, CandidateList& list) {
  const auto project = index_.project(name);
  if (!project)
    return;
  list.known_to_index = true;
  std::map<Version, Files, std::greater<>> by_version;
  auto last = by_version.end();
  for (const IndexFile& file : project->files) {
    // Pages are mostly in order.
    if (last == by_version.end() || last->first != file.version)
      last = by_version.emplace(file.version, Files()).first;
    last->second.push_back(&file);
  }
  std::vector<Candidate> found;
  for (const auto& [version, files] : by_version) {
    const bool have = std::any_of(
        list.all.begin(), list.all.end(),
        [&v = version](const Candidate& c) { return c.version == v; });
    if (have)
      continue;
    Refusal why_not{version, "", ""};
    if (auto candidate = choose_file(name, project, files, why_not))
      found.push_back(*std::move(candidate));
    else
      list.refused.push_back(std::move(why_not));
  }
  std::stable_sort(found.begin(), found.end(), better);
  list.all.insert(list.all.end(), found.begin(), found.end());
}

const Choices& Universe::fitting(const Requirement& requirement) {
  const std::string name = requirement.key();
  const CandidateList& list = of(name);
  const auto [at, is_new] =
      fitting_[name].emplace(requirement.specifiers.text(), Choices());
  if (is_new)
    at->second = find_fitting(list, requirement.specifiers);
  return at->second;
}

Choices Universe::find_fitting(const CandidateList& list,
                               const SpecifierSet& specifiers) const {
  const bool named =
      options_.allow_prereleases || specifiers.names_prerelease();
  Choices finals(list.all.size() + 1);
  Choices prereleases = finals;
  bool any_final = false;
  for (std::size_t i = 0; i < list.all.size(); ++i) {
    const Candidate& c = list.all[i];
    if (c.unasked) {
      finals.add(i + 1);
      prereleases.add(i + 1);
      continue;
    }
    if (!specifiers.contains(c.version, SpecifierSet::Prereleases::allowed))
      continue;
    // PEP 592: withdrawn files only for who asks for exactly that version.
    if (c.yanked && !specifiers.is_exact())
      continue;
    prereleases.add(i + 1);
    // PEP 440: a pre-release that is already there is taken.
    if (!named && c.version.is_prerelease() && !c.from_set)
      continue;
    finals.add(i + 1);
    any_final = true;
  }
  return any_final ? finals : prereleases;
}

}  // namespace autopin::python
