// Transforms: f { x = …; } where f takes no x -> the argument by the name that
// f
//   has, where that is the same but for spelling; else the call without it.
// Offered when: the call stands in the draft, as callPackage or an override.
// Not offered when: it does not. What a function does not take has no effect,
//   so nothing is lost by leaving it out.

#include <algorithm>

#include "fix/fixes.h"
#include "fix/named.h"

namespace autopin::fix {
namespace {

using nix::ExprId;
using nix::ExprKind;

Proposal draft_of(const Failure& failure, std::string summary) {
  Proposal proposal;
  proposal.fix = "drop-argument";
  proposal.summary = std::move(summary);
  proposal.where = "where it is given";
  proposal.why = failure.diagnosis.why;
  proposal.check = [](const Situation& after) -> std::optional<std::string> {
    if (after.roots().empty())
      return "no derivation comes out";
    return std::nullopt;
  };
  return proposal;
}

/// True for the { } that is given to something.
bool is_argument(const nix::Source& source, ExprId attrset) {
  ExprId parent = source.at(attrset).parent;
  while (parent != nix::no_expr &&
         (source.at(parent).kind == ExprKind::parenthesized ||
          source.at(parent).kind == ExprKind::function))
    parent = source.at(parent).parent;
  return parent != nix::no_expr && source.at(parent).kind == ExprKind::apply;
}

}  // namespace

Offer drop_argument(const Failure& failure, const Situation& situation,
                    const Permissions&) {
  const std::string name = failure.diagnosis.param("argument");
  std::vector<std::string> others;
  if (const auto found = failure.diagnosis.params.find("suggestions");
      found != failure.diagnosis.params.end())
    for (const auto& other : found->second)
      if (same_but_spelling(other, name) && nix::is_identifier(other))
        others.push_back(other);
  for (const auto& other : other_spellings(situation.parts().tables, name))
    others.push_back(other);
  Offer offer;
  for (const auto& file : situation.draft().files()) {
    const auto& source = situation.source(file);
    for (ExprId id = 0; id < source.size(); ++id) {
      const auto& bindings = source.at(id).bindings;
      if (source.at(id).kind != ExprKind::attrset || !is_argument(source, id))
        continue;
      for (std::size_t i = 0; i < bindings.size(); ++i) {
        if (bindings[i].is_inherit || bindings[i].path.size() != 1 ||
            bindings[i].path.front().text != name)
          continue;
        for (const auto& other : others) {
          auto proposal =
              draft_of(failure, "give " + name + " by the name " + other);
          proposal.edits[file].push_back(
              {bindings[i].path.front().range, other});
          offer.proposals.push_back(std::move(proposal));
        }
        auto proposal = draft_of(failure, "leave out " + name);
        proposal.edits[file].push_back(nix::remove_binding(source, id, i));
        offer.proposals.push_back(std::move(proposal));
      }
    }
  }
  if (offer.proposals.empty())
    offer.why_not.push_back(
        {"drop-argument", "the draft does not give " + name, false});
  return offer;
}

}  // namespace autopin::fix
