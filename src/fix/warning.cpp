// Transforms: a package whose own flags make a compiler warning an error -> the
//   same with that one warning a warning again (-Wno-error=FLAG; GCC manual,
//   "Warning Options"). nixpkgs's compiler wrapper puts NIX_CFLAGS_COMPILE
//   after the flags of the project and those of hardening.
// Offered when: the log names the flag, or says only that warnings are errors:
//   then all of them.
// Not offered when: the flag is none of a C compiler, or is passed already.

#include <re2/re2.h>

#include "fix/fixes.h"
#include "fix/hooks.h"

namespace autopin::fix {

Offer allow_warning(const Failure& failure, const Situation& situation,
                    const Permissions&) {
  static const RE2 flag(R"(|[A-Za-z][A-Za-z0-9+-]*)");
  static const std::string variable = "NIX_CFLAGS_COMPILE";
  const std::string name = failure.diagnosis.param("flag");
  if (!RE2::FullMatch(name, flag))
    return not_offered("allow-warning",
                       "not the name of a compiler's warning: " + name);
  const std::string option = name.empty() ? "-Wno-error" : "-Wno-error=" + name;
  for (const auto& word :
       situation.store().derivation(failure.drv).list_attribute(variable))
    if (word == option)
      return not_offered("allow-warning",
                         "the compiler is given " + option + " already");
  Proposal draft;
  draft.fix = "allow-warning";
  draft.risk = Risk::weakens_checks;
  draft.summary = name.empty() ? "let warnings be warnings"
                               : "let -W" + name + " be a warning";
  draft.why = failure.diagnosis.why;
  draft.weakens = {name.empty() ? "-Werror" : "-Werror=" + name};
  draft.check = attribute_says(situation, failure.drv, variable, option);
  return {place_variable(
              situation, failure.drv,
              more_in_variable(variable, option,
                               comment_for(failure, failure.diagnosis.why)),
              draft),
          {}};
}

}  // namespace autopin::fix
