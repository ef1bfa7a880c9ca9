// Transforms: a package whose tests look for data of NLTK -> the same with the
//   set's own package of that data where NLTK looks (NLTK_DATA).
// Offered when: the set has the data under the resource's name.
// Not offered when: it does not; a download with a hash that nobody has seen is
//   not made up.

#include "base/text.h"
#include "fix/fixes.h"
#include "fix/hooks.h"
#include "fix/top_set.h"

namespace autopin::fix {

Offer provide_model(const Failure& failure, const Situation& situation,
                    const Permissions&) {
  const std::string resource = failure.diagnosis.param("resource");
  const auto& tables = situation.parts().tables;
  const auto sets = tables.find("model-sets", failure.diagnosis.rule);
  const auto variables = tables.find("model-variables", failure.diagnosis.rule);
  if (resource.empty() || sets.empty() || variables.empty())
    return not_offered("provide-model",
                       "no package of what is downloaded is known");
  std::vector<std::string> names;
  for (const auto& set : sets)
    for (const auto& name : {resource, replace_all(resource, "_", "-"),
                             replace_all(resource, "-", "_")})
      if (nix::is_identifier(name))
        names.push_back(set + "." + name);
  const auto there = attributes_of_top(situation, names);
  if (there.empty())
    return not_offered("provide-model",
                       "the package set has no package of " + resource);
  AttrChange where;
  where.attribute = variables.front();
  where.values.push_back(top_ref(there.front()));
  where.comment = comment_for(failure, failure.diagnosis.why);
  DerivationChange change;
  change.attributes.push_back(std::move(where));
  Proposal draft;
  draft.fix = "provide-model";
  draft.risk = Risk::exact;
  draft.summary = "give it " + there.front();
  draft.why = failure.diagnosis.why;
  draft.check = attribute_says(situation, failure.drv, variables.front(), "/");
  return {place_change(situation, failure.drv, change, draft), {}};
}

}  // namespace autopin::fix
