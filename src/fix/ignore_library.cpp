// Transforms: something built elsewhere for which autoPatchelfHook finds a
//   library nowhere -> the same without asking for that library
//   (autoPatchelfIgnoreMissingDeps).
// Offered when: nothing milder is: the set's own packages come first. For a
//   library of the graphics driver it is the right thing, and nothing is lost:
//   the machine that runs the program brings it.
// Not offered when: the name is none of a shared library.

#include <re2/re2.h>

#include <algorithm>

#include "base/text.h"
#include "fix/fixes.h"
#include "fix/hooks.h"

namespace autopin::fix {

Offer ignore_missing_library(const Failure& failure, const Situation& situation,
                             const Permissions&) {
  static const RE2 soname(R"([A-Za-z0-9_][A-Za-z0-9_.+-]*\.so(?:\.[0-9.]+)?)");
  const auto named = failure.diagnosis.params.find("libraries");
  if (named == failure.diagnosis.params.end() || named->second.empty())
    return not_offered("ignore-missing-library", "the log names no library");
  const auto& libraries = named->second;
  for (const auto& library : libraries)
    if (!RE2::FullMatch(library, soname))
      return not_offered("ignore-missing-library",
                         "not the name of a shared library: " + library);
  const bool of_driver =
      std::all_of(libraries.begin(), libraries.end(), [&](const auto& library) {
        return !situation.parts()
                    .tables.find("driver-libraries", library)
                    .empty();
      });
  static const std::string list = "autoPatchelfIgnoreMissingDeps";
  DerivationChange change;
  change.attributes.push_back(more_words(
      list, libraries,
      comment_for(failure, of_driver ? "Of the graphics driver: the machine "
                                       "that runs the program brings it."
                                     : failure.diagnosis.why)));
  Proposal draft;
  draft.fix = "ignore-missing-library";
  draft.risk = of_driver ? Risk::exact : Risk::relaxes;
  draft.summary = "do without " + join(libraries, ", ");
  draft.why = failure.diagnosis.why;
  draft.check = attribute_says(situation, failure.drv, list, libraries.front());
  return {place_change(situation, failure.drv, change, draft), {}};
}

}  // namespace autopin::fix
