#include "python/search.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/text.h"
#include "python/foresight.h"

namespace autopin::python {

namespace {

void visit(const std::string& name, const Found& found,
           std::set<std::string>& seen, std::vector<std::string>& order) {
  // Without recursion: a chain of requirements is as long as an index likes.
  std::vector<std::pair<std::string, bool>> stack{{name, false}};
  while (!stack.empty()) {
    const auto [at, done] = stack.back();
    stack.pop_back();
    if (done) {
      order.push_back(at);
      continue;
    }
    if (!seen.insert(at).second)
      continue;
    stack.emplace_back(at, true);
    const auto places = found.needs_of.find(at);
    if (places == found.needs_of.end())
      continue;
    for (auto i = places->second.rbegin(); i != places->second.rend(); ++i) {
      if (found.chosen.count(found.needs[*i].to) != 0)
        stack.emplace_back(found.needs[*i].to, false);
    }
  }
}

Found collect(const Assignment& assignment, ResolverProblem& problem,
              Universe& universe) {
  Found out;
  for (const auto& [package, candidate] : assignment) {
    if (package == 0 || problem.is_extra(package))
      continue;
    const std::string& name = problem.name_of(package);
    out.chosen.emplace(name, universe.of(name).all[candidate]);
  }
  for (const Edge& edge : problem.edges()) {
    const auto from = assignment.find(edge.from);
    if (from == assignment.end() || from->second != edge.candidate)
      continue;
    const std::string& name = problem.name_of(edge.from);
    out.needs_of[name].push_back(out.needs.size());
    out.needs_on[edge.to].push_back(out.needs.size());
    out.needs.push_back({name, edge.to, edge.need, edge.asked_by});
  }
  std::set<std::string> seen;
  for (const ChosenNeed& need : out.needs) {
    if (need.from.empty())
      visit(need.to, out, seen, out.order);
  }
  return out;
}

std::string listed(std::vector<std::string> versions) {
  constexpr std::size_t shown = 4;
  if (versions.size() > shown) {
    versions.resize(shown);
    versions.emplace_back("…");
  }
  return join(versions, ", ");
}

/// What versions of one package say alike.
struct Fact {
  std::string subject;
  std::string rest;
  std::string name;  ///< What is needed.
  std::vector<std::string> versions;
  bool is_root = false;

  std::string text() const {
    std::string verb = rest;
    if (versions.size() > 1 && verb.rfind("needs ", 0) == 0)
      verb.erase(4, 1);
    const std::string which = listed(versions);
    return subject + (which.empty() ? "" : ' ' + which) + ' ' + verb;
  }
};

std::vector<Fact> facts_of(const Contradiction& contradiction,
                           const ResolverProblem& problem) {
  std::vector<Fact> out;
  for (const ReasonId id : contradiction.reasons) {
    const Reason& reason = problem.reason(id);
    if (reason.rest.empty())
      continue;
    auto fact = std::find_if(out.begin(), out.end(), [&](const Fact& f) {
      return f.subject == reason.subject && f.rest == reason.rest;
    });
    if (fact == out.end())
      fact = out.insert(
          out.end(),
          {reason.subject, reason.rest, reason.name, {}, reason.is_root});
    auto& known = fact->versions;
    if (!reason.version.empty() &&
        std::find(known.begin(), known.end(), reason.version) == known.end())
      known.push_back(reason.version);
  }
  // What was asked first stands first.
  std::reverse(out.begin(), out.end());
  std::stable_partition(out.begin(), out.end(),
                        [](const Fact& fact) { return fact.is_root; });
  return out;
}

/// One line a fact; of many versions of one package that each need other
/// versions of another, the first and the last.
std::vector<std::string> lines_of(const std::vector<Fact>& facts) {
  constexpr std::ptrdiff_t many = 4;
  std::vector<std::string> out;
  std::set<std::pair<std::string, std::string>> done;
  for (const Fact& fact : facts) {
    const auto alike = [&fact](const Fact& other) {
      return !other.is_root && other.subject == fact.subject &&
             other.name == fact.name;
    };
    if (fact.is_root ||
        std::count_if(facts.begin(), facts.end(), alike) < many) {
      out.push_back(fact.text());
      continue;
    }
    if (!done.emplace(fact.subject, fact.name).second)
      continue;
    const auto last = std::find_if(facts.rbegin(), facts.rend(), alike);
    std::size_t between = 0;
    for (const Fact& other : facts)
      between += alike(other) ? other.versions.size() : 0;
    between -= fact.versions.size() + last->versions.size();
    out.push_back(fact.text());
    out.push_back(std::to_string(between) + " more versions of " +
                  fact.subject + " need others of " + fact.name +
                  ", which do not fit either");
    out.push_back(last->text());
  }
  return out;
}

NoSolution explain(const Contradiction& contradiction,
                   const ResolverProblem& problem) {
  NoSolution out;
  for (const ReasonId id : contradiction.reasons) {
    const Reason& reason = problem.reason(id);
    if (!reason.rest.empty())
      out.names.insert(reason.name);
    if (reason.unfit)
      out.unfit.push_back(*reason.unfit);
  }
  const auto facts = facts_of(contradiction, problem);
  for (const std::string& line : lines_of(facts))
    out.why += line + '\n';
  out.why +=
      facts.size() > 1 ? "These cannot hold together." : "This cannot be had.";
  return out;
}

}  // namespace

std::variant<Found, NoSolution> search(Universe& universe,
                                       const std::vector<Demand>& roots) {
  foresee(universe, roots);
  while (true) {
    ResolverProblem problem(universe, roots);
    try {
      const auto result = solve(problem, problem.roots());
      if (const auto* assignment = std::get_if<Assignment>(&result))
        return collect(*assignment, problem, universe);
      return explain(std::get<Contradiction>(result), problem);
    } catch (const AskIndex& wanted) {
      universe.ask_index(wanted.name);
    }
  }
}

}  // namespace autopin::python
