// Transforms: a name that the package set does not have (any more) -> the one
//   that it has, at each place of the draft that says it.
// Offered when: the message names the replacement, or what the set (or a table)
//   has differs from the name by its spelling only.
// Not offered when: the nearest names are other names; a person must say which
//   is meant. A name that does not evaluate is dropped by the planner.

#include <algorithm>

#include "base/text.h"
#include "fix/fixes.h"
#include "fix/named.h"

namespace autopin::fix {
namespace {

/// Names to try, those that the message itself gives first.
std::vector<std::string> replacements_for(const Diagnosis& diagnosis,
                                          const std::string& name,
                                          const Tables& tables) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& other) {
    if (is_plain_path(other) && other != name &&
        std::find(names.begin(), names.end(), other) == names.end())
      names.push_back(other);
  };
  const std::string replacement = diagnosis.param("replacement");
  add(replacement);
  add(replacement.substr(replacement.rfind('.') + 1));
  if (const auto found = diagnosis.params.find("suggestions");
      found != diagnosis.params.end())
    for (const auto& suggestion : found->second)
      if (same_but_spelling(suggestion, name))
        add(suggestion);
  for (const auto& other : other_spellings(tables, name))
    add(other);
  return names;
}

void propose(const Situation& situation, const Failure& failure,
             const std::string& name, const std::string& other,
             const std::vector<NamedReference>& references,
             const std::string& where, Offer& offer) {
  Proposal proposal;
  proposal.fix = "rename-attribute";
  proposal.summary = "call " + name + " by the name " + other;
  proposal.why = failure.diagnosis.why;
  proposal.where = where;
  for (const auto& reference : references)
    edit_name(situation, reference, other, proposal.edits);
  proposal.check = [](const Situation& after) -> std::optional<std::string> {
    if (after.roots().empty())
      return "no derivation comes out";
    return std::nullopt;
  };
  offer.proposals.push_back(std::move(proposal));
}

}  // namespace

Offer rename_attribute(const Failure& failure, const Situation& situation,
                       const Permissions&) {
  const auto& diagnosis = failure.diagnosis;
  std::string name;
  for (const char* param : {"attribute", "variable"})
    if (name.empty())
      name = diagnosis.param(param);
  name = name.substr(name.rfind('.') + 1);
  const auto everywhere = references_to(situation, name);
  Offer offer;
  if (name.empty() || everywhere.empty()) {
    offer.why_not.push_back(
        {"rename-attribute", "the draft itself does not say " + name, false});
    return offer;
  }
  std::vector<NamedReference> at_line;
  if (const auto at = draft_position(situation, diagnosis.param("position")))
    for (const auto& reference : everywhere)
      if (reference.file == at->file &&
          situation.source(at->file).line_of(reference.range.begin) == at->line)
        at_line.push_back(reference);
  for (const auto& other :
       replacements_for(diagnosis, name, situation.parts().tables)) {
    if (!at_line.empty() && at_line.size() < everywhere.size())
      propose(situation, failure, name, other, at_line, "where it failed",
              offer);
    propose(situation, failure, name, other, everywhere,
            "wherever the draft says it", offer);
  }
  if (const auto near = diagnosis.params.find("suggestions");
      near != diagnosis.params.end() && !near->second.empty())
    offer.why_not.push_back(
        {"rename-attribute",
         "the nearest names that there are: " + join(near->second, ", ") +
             "; which is meant, only you can say",
         false});
  return offer;
}

}  // namespace autopin::fix
