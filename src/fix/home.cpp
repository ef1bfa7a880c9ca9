// Transforms: a package that writes below $HOME while it is built or tested ->
//   the same with a HOME of its own in the build folder.
// Offered when: the log names $HOME's place in the sandbox as what it could not
//   write (nixpkgs sets HOME=/homeless-shelter: pkgs/stdenv/generic/setup.sh).
// Not offered when: never withheld; nothing is lost by it.

#include "fix/fixes.h"
#include "fix/hooks.h"
#include "fix/runner.h"

namespace autopin::fix {

Offer set_home(const Failure& failure, const Situation& situation,
               const Permissions&) {
  std::string hook = hook_before(failure.diagnosis);
  // Python's tests run in one phase or the other, and what a package says
  // itself may run no hook.
  if ((hook == "preCheck" || hook == "preInstallCheck") &&
      is_python_package(situation, failure.drv))
    hook = hook_before_tests(situation, failure.drv);
  const std::string line = "export HOME=$(mktemp -d)";
  DerivationChange change;
  change.attributes.push_back(
      more_lines(hook, {line}, comment_for(failure, failure.diagnosis.why)));
  Proposal draft;
  draft.fix = "set-home";
  draft.risk = Risk::exact;
  draft.summary = "set HOME in " + hook;
  draft.why = failure.diagnosis.why;
  draft.check = attribute_says(situation, failure.drv, hook, line);
  return {place_change(situation, failure.drv, change, draft), {}};
}

}  // namespace autopin::fix
