// Transforms: a Python package that asks version control for its version -> the
//   same with the version told by the variable that the tool reads for it.
// Offered when: the derivation has a version that Python takes as one (PEP
//   440), and the tool is known.
// Not offered when: its version is none ("unstable-2024-01-01"): a made up one
//   would decide what other packages accept.

#include "fix/fixes.h"
#include "fix/hooks.h"
#include "python/version.h"

namespace autopin::fix {

Offer set_scm_version(const Failure& failure, const Situation& situation,
                      const Permissions&) {
  const std::string tool = failure.diagnosis.param("tool");
  const auto variables = situation.parts().tables.find("scm-variables", tool);
  if (variables.empty())
    return not_offered("set-scm-version", "no variable is known by which " +
                                              tool + " takes a version");
  const std::string version =
      situation.store().distribution(failure.drv).version;
  if (!python::Version::parse(version))
    return not_offered(
        "set-scm-version",
        "the package has no version that Python takes as one: " + version);
  AttrChange variable =
      set_variable(variables.front(), nix::quote(version),
                   comment_for(failure, failure.diagnosis.why));
  if (situation.store().derivation(failure.drv).attribute("version"))
    variable.same_as = "version";
  Proposal draft;
  draft.fix = "set-scm-version";
  draft.risk = Risk::exact;
  draft.summary = "tell " + tool + " the version " + version;
  draft.why = failure.diagnosis.why;
  draft.check =
      attribute_says(situation, failure.drv, variables.front(), version);
  return {place_variable(situation, failure.drv, variable, draft), {}};
}

}  // namespace autopin::fix
