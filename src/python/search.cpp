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
    for (auto need = found.needs.rbegin(); need != found.needs.rend(); ++need) {
      if (need->from == at && found.chosen.count(need->to) != 0)
        stack.emplace_back(need->to, false);
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
    out.needs.push_back(
        {problem.name_of(edge.from), edge.to, edge.need, edge.asked_by});
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

/// One line a fact; versions of a package that say the same share one.
NoSolution explain(const Contradiction& contradiction,
                   const ResolverProblem& problem) {
  NoSolution out;
  std::vector<std::pair<std::string, std::string>> facts;
  std::set<std::pair<std::string, std::string>> roots;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>>
      versions;
  for (const ReasonId id : contradiction.reasons) {
    const Reason& reason = problem.reason(id);
    if (reason.rest.empty())
      continue;
    out.names.insert(reason.name);
    const std::pair fact(reason.subject, reason.rest);
    if (std::find(facts.begin(), facts.end(), fact) == facts.end())
      facts.push_back(fact);
    if (reason.is_root)
      roots.insert(fact);
    auto& known = versions[fact];
    if (std::find(known.begin(), known.end(), reason.version) == known.end())
      known.push_back(reason.version);
  }
  // What was asked first stands first.
  std::reverse(facts.begin(), facts.end());
  std::stable_partition(facts.begin(), facts.end(), [&roots](const auto& fact) {
    return roots.count(fact) != 0;
  });
  for (const auto& fact : facts) {
    const std::string which = listed(versions[fact]);
    out.why += fact.first + (which.empty() ? "" : ' ' + which) + ' ' +
               fact.second + '\n';
  }
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
