#include "python/resolve.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "python/candidates.h"
#include "python/file_name.h"
#include "python/interpreters.h"
#include "python/name.h"
#include "python/search.h"

namespace autopin::python {

namespace {

std::string spelling_of(const std::string& name, const Candidate& candidate) {
  if (candidate.from_set)
    return candidate.from_set->name;
  const std::string& filename = candidate.file->filename;
  if (const auto sdist = SdistName::parse(filename, name))
    return sdist->project_spelling;
  const auto wheel = WheelName::parse(filename);
  return wheel ? wheel->project_spelling : name;
}

std::vector<const ChosenNeed*> of(
    const std::string& name,
    const std::map<std::string, std::vector<std::size_t>>& places,
    const Found& found) {
  std::vector<const ChosenNeed*> out;
  if (const auto known = places.find(name); known != places.end()) {
    for (const std::size_t place : known->second)
      out.push_back(&found.needs[place]);
  }
  return out;
}

class Resolver {
 public:
  Resolver(PackageSet& set, Index& index, const Target& target,
           const ResolveOptions& options)
      : set_(set),
        index_(index),
        target_(target),
        options_(options),
        environment_(target.marker_environment()) {}

  std::variant<Resolution, NoSolution> run(const std::vector<Demand>& roots) {
    Universe universe(set_, index_, target_, options_);
    auto result = search(universe, roots);
    if (auto* none = std::get_if<NoSolution>(&result)) {
      offer_python(*none);
      return std::move(*none);
    }
    const Found& found = std::get<Found>(result);
    take(found, NeedKind::runtime, "");
    if (options_.build_and_test_needs && options_.look_ahead) {
      for (const std::string& name : found.order)
        look_ahead(name, found.chosen.at(name), found, 0);
    }
    return std::move(out_);
  }

 private:
  /// Another interpreter is the first thing to change where no file is for
  /// this one.
  void offer_python(NoSolution& none) {
    if (none.unfit.empty())
      return;
    const Requirement& requirement = none.unfit.front();
    const bool of_set = !options_.pythons.empty();
    none.fitting_python =
        newest_python(requirement, index_, target_, options_).value_or("");
    const std::string where = of_set ? " of the package set" : "";
    const std::string what =
        "a file of " + requirement.name + requirement.specifiers.text();
    none.why +=
        none.fitting_python.empty()
            ? "\nThere is no Python" + where + " that " + what + " is for."
            : "\nThe newest Python" + where + " that " + what + " is for is " +
                  none.fitting_python + '.';
  }

  /// Adds what was found as pins and kept packages.
  void take(const Found& found, NeedKind kind, const std::string& build_of) {
    for (const std::string& name : found.order) {
      const Candidate& candidate = found.chosen.at(name);
      if (candidate.file && is_downloaded(*candidate.file))
        index_.expect_download(*candidate.file);
    }
    for (const std::string& name : found.order) {
      const Candidate& candidate = found.chosen.at(name);
      std::vector<std::string> asked_by;
      for (const ChosenNeed* need : of(name, found.needs_on, found))
        asked_by.push_back(need->asked_by + ": " +
                           need->need.requirement.text());
      if (kind != NeedKind::runtime && is_settled(name, candidate, build_of))
        continue;
      if (is_default(name, candidate))
        out_.kept.push_back({name, candidate.from_set->attribute,
                             candidate.version, asked_by, kind, build_of});
      else
        out_.pins.push_back(
            make_pin(name, candidate, found, asked_by, kind, build_of));
    }
  }

  bool is_default(const std::string& name, const Candidate& candidate) {
    if (!candidate.from_set)
      return false;
    const auto candidates = set_.candidates(name);
    return candidates.front().attribute == candidate.from_set->attribute;
  }

  /// Decided already where this build sees it: in the closure, or before for
  /// the same build.
  bool is_settled(const std::string& name, const Candidate& candidate,
                  const std::string& build_of) const {
    const auto same = [&](const auto& done) {
      return done.name == name && done.version == candidate.version &&
             (done.kind == NeedKind::runtime || done.for_build_of == build_of);
    };
    return std::any_of(out_.pins.begin(), out_.pins.end(), same) ||
           std::any_of(out_.kept.begin(), out_.kept.end(), same);
  }

  Pin make_pin(const std::string& name, const Candidate& candidate,
               const Found& found, const std::vector<std::string>& asked_by,
               NeedKind kind, const std::string& build_of) {
    Pin pin;
    pin.name = name;
    pin.spelling = spelling_of(name, candidate);
    pin.version = candidate.version;
    if (candidate.from_set)
      pin.from_attribute = candidate.from_set->attribute;
    pin.asked_by = asked_by;
    pin.kind = kind;
    pin.for_build_of = build_of;
    for (const ChosenNeed* need : of(name, found.needs_of, found))
      pin.needs.push_back(need->need);
    pin.reason = reason_for(name, asked_by);
    if (candidate.file)
      add_file(candidate, pin);
    return pin;
  }

  std::string reason_for(const std::string& name,
                         const std::vector<std::string>& asked_by) {
    std::string out = join(asked_by, "; ");
    const auto have = set_.candidates(name);
    if (have.empty())
      return out + "; the package set has none";
    return out + "; the package set has " + have.front().version.text() +
           " by default";
  }

  /// For what its build asks for.
  bool is_read(const IndexFile& file) const {
    return file.kind == IndexFile::Kind::sdist &&
           options_.build_and_test_needs && options_.look_ahead;
  }

  bool is_downloaded(const IndexFile& file) const {
    return is_read(file) || file.sha256.empty();
  }

  /// The file with its hash, and all that its build asks for.
  void add_file(const Candidate& candidate, Pin& pin) {
    pin.file = *candidate.file;
    if (!is_downloaded(*candidate.file))
      return;
    const Download& download = index_.download(*candidate.file);
    pin.file->sha256 = download.sha256;
    pin.bytes = download.bytes;
    if (!is_read(*candidate.file))
      return;
    const FileFacts& facts = index_.facts(*candidate.file);
    pin.opaque = facts.declared.opaque;
    add_needs(facts.declared.build_requires, NeedKind::build, "pyproject.toml",
              pin);
    add_needs(facts.declared.setup_requires, NeedKind::build, "setup.py", pin);
    const auto& tests = facts.declared.tests_require;
    if (tests && !tests->empty() && set_.runs_tests(pin.name))
      add_needs(tests, NeedKind::test, "setup.py", pin);
  }

  void add_needs(const std::optional<DeclaredRequirements::List>& texts,
                 NeedKind kind, const char* source, Pin& pin) {
    for (const std::string& text :
         texts.value_or(DeclaredRequirements::List{})) {
      auto requirement = Requirement::parse_leniently(text);
      if (!requirement) {
        out_.notes.push_back(pin.name + ' ' + pin.version.text() + " asks in " +
                             source + " for \"" + to_utf8(text) +
                             "\", which is no requirement");
      } else if (requirement->applies(environment_) &&
                 !is_builders_own(requirement->key())) {
        pin.needs.push_back({*std::move(requirement), kind, source});
      }
    }
  }

  const Pin* pin_of(const std::string& name, const std::string& build_of) {
    for (const Pin& pin : out_.pins) {
      if (pin.name == name && pin.for_build_of == build_of)
        return &pin;
    }
    return nullptr;
  }

  /// What the build and the tests of a pinned source distribution ask for.
  void look_ahead(const std::string& name, const Candidate& candidate,
                  const Found& around, int depth,
                  const std::string& build_of = "") {
    // Tests of tests of tests: nobody pins further than that.
    constexpr int max_depth = 3;
    const Pin* pin = pin_of(name, build_of);
    if (pin == nullptr || !candidate.file || depth >= max_depth)
      return;
    const std::string who = name + ' ' + candidate.version.text();
    // A copy: what is found is added to the pins.
    const std::vector<Need> needs = pin->needs;
    for (const NeedKind kind : {NeedKind::build, NeedKind::test}) {
      std::vector<Demand> demands;
      for (const Need& need : needs) {
        if (need.kind == kind)
          demands.push_back({need.requirement, who + " (" + need.source + ')'});
      }
      if (!demands.empty())
        solve_apart(name, demands, kind, around, depth);
    }
  }

  /// All needs at once; where that fails, one by one, so that a single
  /// hopeless one does not hide the others.
  void solve_apart(const std::string& name, const std::vector<Demand>& demands,
                   NeedKind kind, const Found& around, int depth) {
    NoSolution none;
    if (solve_beside(name, demands, kind, around, depth, none))
      return;
    if (demands.size() == 1) {
      out_.notes.push_back("for the " + std::string(to_string(kind)) + " of " +
                           name + ": " + replace_all(none.why, "\n", "; "));
      return;
    }
    for (const Demand& demand : demands)
      solve_apart(name, {demand}, kind, around, depth);
  }

  bool solve_beside(const std::string& name, const std::vector<Demand>& demands,
                    NeedKind kind, const Found& around, int depth,
                    NoSolution& none) {
    Universe universe(set_, index_, target_, options_);
    // The build sees the closure of the package as it was decided.
    for (const std::string& other : closure_of(name, around))
      universe.fix(other, around.chosen.at(other));
    auto result = search(universe, demands);
    if (auto* failed = std::get_if<NoSolution>(&result)) {
      none = std::move(*failed);
      return false;
    }
    const Found& found = std::get<Found>(result);
    take(found, kind, name);
    for (const std::string& other : found.order) {
      if (around.chosen.count(other) == 0)
        look_ahead(other, found.chosen.at(other), found, depth + 1, name);
    }
    return true;
  }

  static std::set<std::string> closure_of(const std::string& name,
                                          const Found& found) {
    std::set<std::string> out;
    std::vector<std::string> stack{name};
    while (!stack.empty()) {
      const std::string at = stack.back();
      stack.pop_back();
      if (found.chosen.count(at) == 0 || !out.insert(at).second)
        continue;
      for (const ChosenNeed* need : of(at, found.needs_of, found))
        stack.push_back(need->to);
    }
    return out;
  }

  PackageSet& set_;
  Index& index_;
  const Target& target_;
  const ResolveOptions& options_;
  MarkerEnvironment environment_;
  Resolution out_;
};

}  // namespace

std::string_view to_string(NeedKind kind) {
  switch (kind) {
    case NeedKind::build:
      return "build";
    case NeedKind::test:
      return "tests";
    case NeedKind::runtime:
      break;
  }
  return "runtime";
}

std::variant<Resolution, NoSolution> resolve(const std::vector<Demand>& roots,
                                             PackageSet& set, Index& index,
                                             const Target& target,
                                             const ResolveOptions& options) {
  return Resolver(set, index, target, options).run(roots);
}

}  // namespace autopin::python
