// Transforms: a Makefile that installs to /usr or the like -> the same with its
//   PREFIX, or prefix, set to the output.
// Offered when: the path is one that a prefix leads to.
// Not offered when: it is fixed (/etc, /var), when make is told already, or for
//   a Python package, which make does not install.

#include <re2/re2.h>

#include "fix/fixes.h"
#include "fix/hooks.h"

namespace autopin::fix {

Offer set_prefix(const Failure& failure, const Situation& situation,
                 const Permissions&) {
  static const RE2 prefixed(
      R"(/(?:usr|opt|bin|lib|lib64|sbin|share|include)(?:/.*)?)");
  if (!RE2::FullMatch(failure.diagnosis.param("path"), prefixed))
    return not_offered("set-prefix",
                       "no prefix leads to such a path: it has to be patched");
  if (is_python_package(situation, failure.drv))
    return not_offered("set-prefix",
                       "a Python package is not installed by make");
  Offer offer;
  const auto& derivation = situation.store().derivation(failure.drv);
  for (const std::string variable : {"PREFIX", "prefix"}) {
    bool told = false;
    for (const char* flags : {"makeFlags", "installFlags"})
      for (const auto& flag : derivation.list_attribute(flags))
        told = told || flag.starts_with(variable + "=");
    if (told) {
      offer.why_not.push_back(
          {"set-prefix", "make is told its " + variable + " already"});
      continue;
    }
    const std::string flag = variable + "=$(out)";
    DerivationChange change;
    change.attributes.push_back(more_words(
        "makeFlags", {flag}, comment_for(failure, failure.diagnosis.why)));
    Proposal draft;
    draft.fix = "set-prefix";
    draft.risk = Risk::exact;
    draft.summary = "install with " + flag;
    draft.why = failure.diagnosis.why;
    draft.check = attribute_says(situation, failure.drv, "makeFlags", flag);
    offer.add({place_change(situation, failure.drv, change, draft), {}});
  }
  return offer;
}

}  // namespace autopin::fix
