#include "python/solver.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <set>

namespace autopin::python {

namespace {

using RuleId = std::size_t;
constexpr RuleId decision = static_cast<RuleId>(-1);

/// A rule with where it came from: given, or derived from two others.
struct StoredRule {
  Rule rule;
  std::optional<std::pair<RuleId, RuleId>> parents;
};

/// One step: the package's state is in `claim`, because of `cause`.
struct Step {
  PackageId package = 0;
  Choices claim;
  Choices before;  // the domain before the step
  std::size_t level = 0;
  RuleId cause = decision;
};

class Solver {
 public:
  explicit Solver(Problem& problem) : problem_(problem) {}

  std::variant<Assignment, Contradiction> run(const std::vector<Rule>& roots) {
    for (const Rule& rule : roots)
      add(rule);
    while (true) {
      if (const auto failed = propagate())
        return explain(*failed);
      const auto package = next_package();
      if (!package)
        return assignment();
      consider(*package);
    }
  }

 private:
  void know(PackageId package) {
    if (package >= domains_.size()) {
      domains_.resize(package + 1);
      rules_about_.resize(package + 1);
      steps_of_.resize(package + 1);
    }
    if (domains_[package].states() != 0)
      return;
    domains_[package] = Choices(problem_.states(package), true);
    for (const Rule& rule : problem_.rules_about(package))
      add(rule);
  }

  RuleId add(const Rule& rule,
             std::optional<std::pair<RuleId, RuleId>> parents = {}) {
    const RuleId id = rules_.size();
    rules_.push_back({rule, parents});
    fresh_.push_back(id);
    for (const auto& term : rule.terms) {
      know(term.first);
      rules_about_[term.first].push_back(id);
    }
    return id;
  }

  /// Applies rules until nothing follows any more. A rule that cannot be
  /// escaped from is returned.
  std::optional<RuleId> propagate() {
    while (!fresh_.empty() || !changed_.empty()) {
      RuleId broken = decision;
      if (!fresh_.empty()) {
        const RuleId id = fresh_.front();
        fresh_.pop_front();
        broken = apply(id) ? decision : id;
      } else {
        const PackageId package = *changed_.begin();
        changed_.erase(changed_.begin());
        // By index: resolving adds to the list.
        const auto& ids = rules_about_[package];
        for (std::size_t i = ids.size(); i-- > 0 && broken == decision;)
          broken = apply(ids[i]) ? decision : ids[i];
      }
      if (broken == decision)
        continue;
      const auto learnt = resolve(broken);
      if (!learnt)
        return last_;
    }
    return std::nullopt;
  }

  /// False where all terms hold, which must not be. Where all but one do, that
  /// one is denied.
  bool apply(RuleId id) {
    const Rule& rule = rules_[id].rule;
    PackageId open = 0;
    const Choices* open_choices = nullptr;
    for (const auto& [package, choices] : rule.terms) {
      const Choices& domain = domains_.at(package);
      if (domain.within(choices))
        continue;
      if (!domain.meets(choices) || open_choices != nullptr)
        return true;
      open = package;
      open_choices = &choices;
    }
    if (open_choices == nullptr)
      return false;
    take(open, ~*open_choices, id);
    return true;
  }

  void take(PackageId package, const Choices& claim, RuleId cause) {
    Choices& domain = domains_.at(package);
    steps_of_[package].push_back(steps_.size());
    steps_.push_back({package, claim, domain, level_, cause});
    domain = domain & claim;
    changed_.insert(package);
  }

  void back_to(std::size_t level) {
    while (!steps_.empty() && steps_.back().level > level) {
      const Step& step = steps_.back();
      domains_.at(step.package) = step.before;
      steps_of_[step.package].pop_back();
      changed_.insert(step.package);
      steps_.pop_back();
    }
    level_ = level;
  }

  /// The first step after which the package's state is within `choices`,
  /// `with` added to all of them; nothing where it always was.
  std::optional<std::size_t> first_within(PackageId package,
                                          const Choices& choices,
                                          const Choices* with) const {
    const auto& steps = steps_of_[package];
    if (with != nullptr && with->within(choices))
      return std::nullopt;
    if (choices.is_all())
      return std::nullopt;
    for (const std::size_t at : steps) {
      const Step& step = steps_[at];
      Choices after = step.before & step.claim;
      if (with != nullptr)
        after = after & *with;
      if (after.within(choices))
        return at;
    }
    return std::nullopt;
  }

  struct Satisfier {
    std::size_t step = 0;
    std::size_t previous_level = 0;
  };

  /// The step that made the rule's last term hold, and the level at which all
  /// the others did.
  std::optional<Satisfier> find_satisfier(const Rule& rule) const {
    std::optional<std::size_t> last;
    PackageId last_package = 0;
    std::size_t level = 0;
    for (const auto& [package, choices] : rule.terms) {
      const auto at = first_within(package, choices, nullptr);
      if (!at)
        continue;
      if (!last || *at > *last) {
        if (last)
          level = std::max(level, steps_[*last].level);
        last = at;
        last_package = package;
      } else {
        level = std::max(level, steps_[*at].level);
      }
    }
    if (!last)
      return std::nullopt;
    const Step& step = steps_[*last];
    const auto before =
        first_within(last_package, rule.terms.at(last_package), &step.claim);
    if (before && *before < *last)
      level = std::max(level, steps_[*before].level);
    return Satisfier{*last, level};
  }

  /// Both rules cannot hold, so neither can what is left once the package that
  /// they quarrel about is in either's states.
  static Rule combine(const Rule& left, const Rule& right, PackageId package) {
    Rule out = left;
    for (const auto& [other, choices] : right.terms) {
      const auto [at, is_new] = out.terms.emplace(other, choices);
      if (is_new)
        continue;
      at->second =
          other == package ? at->second | choices : at->second & choices;
    }
    if (out.terms.at(package).is_all())
      out.terms.erase(package);
    return out;
  }

  /// Turns a broken rule into one that could have been applied earlier, and
  /// goes back to where it can. False where there is no such place.
  bool resolve(RuleId broken) {
    RuleId current = broken;
    while (true) {
      const auto satisfier = find_satisfier(rules_[current].rule);
      if (!satisfier) {
        last_ = current;
        return false;
      }
      const Step& step = steps_[satisfier->step];
      const bool turn =
          step.cause == decision || satisfier->previous_level < step.level;
      if (turn) {
        const PackageId refused = step.package;
        const auto culprit = culprit_of(rules_[current].rule, refused);
        back_to(satisfier->previous_level);
        fresh_.push_front(current);
        count_refusal(refused, culprit);
        return true;
      }
      const Rule combined =
          combine(rules_[current].rule, rules_[step.cause].rule, step.package);
      const auto parents = std::pair(current, step.cause);
      const bool hopeless = combined.terms.empty();
      current = store_quietly(combined, parents);
      if (hopeless) {
        last_ = current;
        return false;
      }
    }
  }

  /// Of the others that the rule speaks of, the one that was settled last.
  std::optional<PackageId> culprit_of(const Rule& rule,
                                      PackageId refused) const {
    std::optional<PackageId> out;
    std::size_t latest = 0;
    for (const auto& [package, choices] : rule.terms) {
      const auto at = first_within(package, choices, nullptr);
      if (package != refused && at && (!out || *at > latest)) {
        out = package;
        latest = *at;
      }
    }
    return out;
  }

  /// Where one candidate after the other of a package fails for what was
  /// decided before, the order of deciding is turned round: thousands of older
  /// versions that say the same need not be read.
  void count_refusal(PackageId refused, std::optional<PackageId> culprit) {
    constexpr std::size_t patience = 5;
    auto& [refusals, bound] =
        refusals_.emplace(refused, std::pair(std::size_t{0}, patience))
            .first->second;
    if (++refusals < bound)
      return;
    refusals = 0;
    bound *= 4;
    urgency_[refused] = ++turns_;
    if (culprit)
      urgency_[*culprit] = -turns_;
    back_to(0);
  }

  RuleId store_quietly(const Rule& rule, std::pair<RuleId, RuleId> parents) {
    const RuleId id = rules_.size();
    rules_.push_back({rule, parents});
    for (const auto& term : rule.terms)
      rules_about_[term.first].push_back(id);
    return id;
  }

  /// The next package that is needed and open: one without a choice before
  /// others, then the more urgent, then in the order in which they were spoken
  /// of, so that what was asked for directly gets its best.
  std::optional<PackageId> next_package() {
    std::optional<PackageId> out;
    int most = 0;
    for (PackageId package = 0; package < domains_.size(); ++package) {
      const Choices& domain = domains_[package];
      if (domain.states() == 0 || domain.has(Choices::left_out) ||
          is_considered(package, domain))
        continue;
      if (domain.count() == 1)
        return package;
      const auto found = urgency_.find(package);
      const int urgency = found == urgency_.end() ? 0 : found->second;
      if (!out || urgency > most) {
        out = package;
        most = urgency;
      }
    }
    return out;
  }

  bool is_considered(PackageId package, const Choices& domain) const {
    return domain.count() == 1 &&
           considered_.count({package, domain.first_candidate()}) != 0;
  }

  /// Learns the rules of the best candidate, and chooses it unless they
  /// already forbid it.
  void consider(PackageId package) {
    const std::size_t state = domains_.at(package).first_candidate();
    if (considered_.insert({package, state}).second) {
      for (const Rule& rule : problem_.rules_of(package, state - 1))
        add(rule);
      // Propagation comes first: it may rule the candidate out by itself.
      return;
    }
    ++level_;
    Choices claim(domains_.at(package).states());
    claim.add(state);
    take(package, claim, decision);
  }

  Assignment assignment() const {
    Assignment out;
    for (PackageId package = 0; package < domains_.size(); ++package) {
      const Choices& domain = domains_[package];
      if (domain.states() != 0 && !domain.has(Choices::left_out))
        out[package] = domain.first_candidate() - 1;
    }
    return out;
  }

  Contradiction explain(RuleId id) const {
    Contradiction out;
    std::set<RuleId> seen;
    std::vector<RuleId> stack{id};
    while (!stack.empty()) {
      const RuleId at = stack.back();
      stack.pop_back();
      if (!seen.insert(at).second)
        continue;
      if (const auto& parents = rules_[at].parents) {
        stack.push_back(parents->first);
        stack.push_back(parents->second);
      } else {
        out.reasons.push_back(rules_[at].rule.reason);
      }
    }
    return out;
  }

  Problem& problem_;
  std::vector<StoredRule> rules_;
  // By package; a domain without states is of one not spoken of yet.
  std::vector<std::vector<RuleId>> rules_about_;
  std::vector<Choices> domains_;
  std::vector<Step> steps_;
  std::vector<std::vector<std::size_t>> steps_of_;
  std::deque<RuleId> fresh_;
  std::set<PackageId> changed_;
  std::set<std::pair<PackageId, std::size_t>> considered_;
  /// How often a candidate of the package was refused, and when it counts.
  std::map<PackageId, std::pair<std::size_t, std::size_t>> refusals_;
  /// Above 0: decided before others; below: after them.
  std::map<PackageId, int> urgency_;
  int turns_ = 0;
  std::size_t level_ = 0;
  RuleId last_ = 0;
};

}  // namespace

std::variant<Assignment, Contradiction> solve(Problem& problem,
                                              const std::vector<Rule>& roots) {
  return Solver(problem).run(roots);
}

}  // namespace autopin::python
