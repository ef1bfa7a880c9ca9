// Transforms: a project that asks for a CMake older than this CMake still knows
//   -> the same configured with the oldest policies that there are.
// Offered when: CMake says that compatibility has been removed (4.0; the
//   variable is CMake's own answer: CMAKE_POLICY_VERSION_MINIMUM(7)).
// Not offered when: never withheld; a project that needs more fails again.

#include "fix/fixes.h"
#include "fix/hooks.h"

namespace autopin::fix {

Offer set_cmake_policy(const Failure& failure, const Situation& situation,
                       const Permissions&) {
  const std::string flag = "-DCMAKE_POLICY_VERSION_MINIMUM=3.5";
  DerivationChange change;
  change.attributes.push_back(more_words(
      "cmakeFlags", {flag}, comment_for(failure, failure.diagnosis.why)));
  Proposal draft;
  draft.fix = "set-cmake-policy";
  draft.risk = Risk::exact;
  draft.summary = "let CMake take the project's policies for those of 3.5";
  draft.why = failure.diagnosis.why;
  draft.check = attribute_says(situation, failure.drv, "cmakeFlags", flag);
  return {place_change(situation, failure.drv, change, draft), {}};
}

}  // namespace autopin::fix
