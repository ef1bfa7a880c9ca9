#include "python/foresight.h"

#include <deque>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "python/name.h"

namespace autopin::python {

namespace {

class Walk {
 public:
  explicit Walk(Universe& universe) : universe_(universe) {}

  void run(const std::vector<Demand>& roots) {
    std::vector<Requirement> asked;
    for (const Demand& demand : roots)
      if (demand.requirement.applies(universe_.environment()))
        asked.push_back(demand.requirement);
    want(asked);
    while (!steps_.empty()) {
      const Step step = std::move(steps_.front());
      steps_.pop_front();
      if (step.file)
        read(step);
      else
        choose(step.requirement);
    }
  }

 private:
  /// The page of a requirement, or (with `file`) the metadata of its choice.
  struct Step {
    Requirement requirement;
    std::shared_ptr<const IndexFile> file;
  };

  /// New names and extras only; all of them are asked for at once.
  void want(const std::vector<Requirement>& requirements) {
    std::vector<std::string> names;
    for (const Requirement& requirement : requirements)
      names.push_back(requirement.key());
    universe_.set().expect(names);
    names.clear();
    for (const Requirement& requirement : requirements) {
      const std::string name = requirement.key();
      std::set<std::string> extras{""};
      for (const std::string& extra : requirement.extras)
        extras.insert(normalize_name(extra));
      auto& seen = seen_[name];
      const std::size_t before = seen.size();
      seen.merge(extras);
      if (seen.size() == before || !requirement.url.empty())
        continue;
      // What the set has is looked at first, and the index mostly not at all.
      if (before == 0 && !universe_.in_set(name))
        names.push_back(name);
      steps_.push_back({requirement, nullptr});
    }
    universe_.index().expect_projects(names);
  }

  void choose(const Requirement& requirement) {
    const Choices& fits = universe_.fitting(requirement);
    const std::size_t state = fits.first_candidate();
    if (state == fits.states())
      return;
    const Candidate& best = universe_.of(requirement.key()).all[state - 1];
    if (!best.facts_file)
      return;
    universe_.index().expect_facts(*best.facts_file);
    steps_.push_back({requirement, best.facts_file});
  }

  void read(const Step& step) {
    const Metadata& metadata = universe_.index().facts(*step.file).metadata;
    if (!universe_.fits_python(metadata.requires_python))
      return;
    std::vector<Requirement> needed;
    for (const Requirement& need : metadata.requires_dist)
      if (need.applies(universe_.environment(), step.requirement.extras) &&
          !universe_.is_given(need.key()))
        needed.push_back(need);
    want(needed);
  }

  Universe& universe_;
  std::deque<Step> steps_;
  std::map<std::string, std::set<std::string>> seen_;  // extras by name
};

}  // namespace

void foresee(Universe& universe, const std::vector<Demand>& roots) {
  if (!universe.looks_ahead())
    return;
  try {
    Walk(universe).run(roots);
  } catch (const Error&) {
    return;
  }
}

}  // namespace autopin::python
