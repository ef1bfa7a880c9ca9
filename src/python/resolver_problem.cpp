#include "python/resolver_problem.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "python/name.h"

namespace autopin::python {

namespace {

/// A requirement without its marker, which has been answered.
std::string brief(const Requirement& requirement) {
  Requirement copy = requirement;
  copy.marker.reset();
  return copy.text();
}

std::string few(std::vector<std::string> texts) {
  constexpr std::size_t shown = 5;
  if (texts.size() > shown) {
    texts.resize(shown);
    texts.emplace_back("…");
  }
  return join(texts, ", ");
}

/// Versions that the requirement admits and the interpreter does not; finished
/// ones where there are some.
std::vector<Refusal> refusals_of(const Requirement& requirement,
                                 const CandidateList& list) {
  std::vector<Refusal> finished;
  std::vector<Refusal> previews;
  for (const Refusal& refusal : list.refused) {
    if (requirement.specifiers.contains(refusal.version,
                                        SpecifierSet::Prereleases::allowed))
      (refusal.version.is_prerelease() ? previews : finished)
          .push_back(refusal);
  }
  return finished.empty() ? previews : finished;
}

/// "3.1, 3.0, … require Python >=3.11; the wheels of 1.5.1 are for cp36".
std::string in_words(const std::vector<Refusal>& refusals) {
  using Cause = std::pair<std::string, std::string>;
  std::vector<Cause> causes;
  std::map<Cause, std::vector<std::string>> versions;
  for (const Refusal& refusal : refusals) {
    const Cause cause(refusal.requires_python, refusal.wheels_for);
    auto& known = versions[cause];
    if (known.empty())
      causes.push_back(cause);
    known.push_back(refusal.version.text());
  }
  std::vector<std::string> out;
  for (const Cause& cause : causes) {
    const auto& which = versions[cause];
    if (cause.second.empty())
      out.push_back(few(which) + (which.size() > 1 ? " require" : " requires") +
                    " Python " + cause.first);
    else
      out.push_back("the wheels of " + few(which) + " are for " + cause.second);
  }
  // The newest and the oldest say most.
  constexpr std::size_t shown = 3;
  if (out.size() > shown) {
    out[1] = "…";
    out[2] = out.back();
    out.resize(shown);
  }
  return join(out, "; ");
}

}  // namespace

ResolverProblem::ResolverProblem(Universe& universe, std::vector<Demand> roots)
    : universe_(universe), roots_(std::move(roots)) {
  intern("", "");
}

PackageId ResolverProblem::intern(const std::string& name,
                                  const std::string& extra) {
  const auto [at, is_new] =
      ids_.emplace(std::pair(name, extra), packages_.size());
  if (is_new)
    packages_.emplace_back(name, extra);
  return at->second;
}

std::size_t ResolverProblem::states(PackageId package) {
  return package == 0 ? 2 : universe_.of(name_of(package)).all.size() + 1;
}

Choices ResolverProblem::only(PackageId package, std::size_t state) {
  Choices out(states(package));
  out.add(state);
  return out;
}

ReasonId ResolverProblem::remember(Reason reason) {
  reasons_.push_back(std::move(reason));
  return reasons_.size() - 1;
}

std::vector<Rule> ResolverProblem::roots() {
  std::vector<std::string> names;
  for (const Demand& demand : roots_)
    names.push_back(demand.requirement.key());
  universe_.set().expect(names);
  return {Rule{{{0, only(0, Choices::left_out)}}, remember({})}};
}

/// Consumers that stay must be pleased by whatever is chosen.
std::vector<Rule> ResolverProblem::rules_about(PackageId package) {
  std::vector<Rule> out;
  if (package == 0 || is_extra(package))
    return out;
  for (const Demand& demand : universe_.set().demands_on(name_of(package))) {
    if (!demand.requirement.applies(universe_.environment()))
      continue;
    Choices fits = universe_.fitting(demand.requirement);
    fits.add(Choices::left_out);
    const std::string rest = "needs " + brief(demand.requirement);
    out.push_back({{{package, ~fits}},
                   remember({demand.asked_by + ' ' + rest, name_of(package),
                             demand.asked_by, "", rest})});
  }
  return out;
}

std::vector<Rule> ResolverProblem::rules_of(PackageId package,
                                            std::size_t candidate) {
  std::vector<Rule> out;
  if (package == 0) {
    for (const Demand& demand : roots_)
      add_need(0, candidate, {demand.requirement, NeedKind::runtime, ""},
               demand.asked_by, "", out);
    return out;
  }
  const std::string name = name_of(package);
  const Candidate chosen = universe_.of(name).all[candidate];
  if (chosen.unasked)
    throw AskIndex{name};
  if (is_extra(package)) {
    const PackageId base = intern(name, "");
    out.push_back({{{package, only(package, candidate + 1)},
                    {base, ~only(base, candidate + 1)}},
                   remember({name + " is taken once", name, "", "", ""})});
  }
  if (!universe_.looks_ahead())
    return out;
  if (!chosen.from_set) {
    add_facts(package, candidate, out);
    return out;
  }
  if (!chosen.from_set->requirements)
    return out;
  for (const Requirement& requirement : *chosen.from_set->requirements) {
    // The set builds without what it does not have; that is its business.
    if (universe_.in_set(requirement.key()))
      add_need(package, candidate, {requirement, NeedKind::runtime, "set"},
               name, chosen.version.text(), out);
  }
  return out;
}

/// The requirements that the file itself declares.
void ResolverProblem::add_facts(PackageId package, std::size_t candidate,
                                std::vector<Rule>& out) {
  const std::string name = name_of(package);
  const Candidate chosen = universe_.of(name).all[candidate];
  const FileFacts& facts = universe_.index().facts(*chosen.facts_file);
  const std::string version = chosen.version.text();
  if (!universe_.fits_python(facts.metadata.requires_python)) {
    const std::string rest =
        "requires Python " + facts.metadata.requires_python;
    out.push_back({{{package, only(package, candidate + 1)}},
                   remember({name + ' ' + version + ' ' + rest, name, name,
                             version, rest})});
    return;
  }
  std::vector<std::string> names;
  for (const Requirement& requirement : facts.metadata.requires_dist) {
    if (requirement.applies(universe_.environment()))
      names.push_back(requirement.key());
  }
  universe_.set().expect(names);
  const bool is_wheel = chosen.facts_file->kind == IndexFile::Kind::wheel;
  for (const Requirement& requirement : facts.metadata.requires_dist)
    add_need(package, candidate,
             {requirement, NeedKind::runtime,
              is_wheel ? "METADATA" : "source distribution"},
             name, version, out);
}

void ResolverProblem::add_need(PackageId from, std::size_t candidate,
                               const Need& need, const std::string& subject,
                               const std::string& version,
                               std::vector<Rule>& out) {
  const Requirement& requirement = need.requirement;
  const std::string extra = packages_[from].second;
  const auto& environment = universe_.environment();
  // An extra's package brings only what the extra adds.
  const bool applies =
      extra.empty() ? requirement.applies(environment)
                    : requirement.marker &&
                          requirement.marker->evaluate(environment, extra)
                              .value_or(false) &&
                          !requirement.applies(environment);
  if (!applies)
    return;
  const std::string key = requirement.key();
  const std::string who = version.empty() ? subject : subject + ' ' + version;
  edges_.push_back({from, candidate, key, need, who});
  // A direct reference names its file itself; no index is asked.
  if (!requirement.url.empty())
    return;
  // Asked for by name it is resolved; a package that only lists it gets it.
  if (from != 0 && universe_.is_given(key))
    return;
  const Choices fits = universe_.fitting(requirement);
  Reason reason;
  reason.name = key;
  reason.subject = subject;
  reason.is_root = from == 0;
  reason.version = version;
  reason.rest = "needs " + brief(requirement);
  if (fits.empty())
    reason.rest += ", and " + offered(requirement);
  if (fits.empty() && !refusals_of(requirement, universe_.of(key)).empty())
    reason.unfit = requirement;
  reason.text = who + ' ' + reason.rest;
  const ReasonId id = remember(reason);
  std::vector<std::string> extras = requirement.extras;
  if (extras.empty())
    extras.emplace_back();
  for (const std::string& e : extras) {
    const PackageId to = intern(key, normalize_name(e));
    // "all" of a package may list that package's other extras, and itself.
    if (to == from)
      continue;
    out.push_back({{{from, only(from, candidate + 1)}, {to, ~fits}}, id});
  }
}

std::string ResolverProblem::offered(const Requirement& requirement) {
  const CandidateList& list = universe_.of(requirement.key());
  const std::string refused = in_words(refusals_of(requirement, list));
  if (!refused.empty())
    return "for Python " + universe_.environment().python_version +
           " there is no file of it: " + refused;
  std::vector<std::string> set;
  std::vector<std::string> index;
  for (const Candidate& c : list.all) {
    if (c.from_set)
      set.push_back(c.version.text() + " (" + c.from_set->attribute + ')');
    else if (!c.unasked)
      index.push_back(c.version.text() + (c.yanked ? " (yanked)" : ""));
  }
  std::string out;
  if (!set.empty())
    out = "the package set has " + join(set, ", ") + " and ";
  if (!index.empty())
    return out + "the index has " + few(index);
  return out + (list.known_to_index ? "the index has no file of it that fits"
                                    : "no index knows it");
}

}  // namespace autopin::python
