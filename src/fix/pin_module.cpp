// Transforms: code that imports or uses a name which later versions of a module
//   no longer have -> the same with the last version that has it
//   (pin-requirement, which see).
// Offered when: a table says which version took the name away.
// Not offered when: it does not. Trying versions until one fits would prove
//   nothing about the next name that is missing.

#include "fix/fixes.h"
#include "python/requirement.h"

namespace autopin::fix {

Offer pin_module(const Failure& failure, const Situation& situation,
                 const Permissions& permissions) {
  const auto& diagnosis = failure.diagnosis;
  const std::string module = diagnosis.param("module");
  std::string name = diagnosis.param("name");
  if (name.empty())
    name = diagnosis.param("attribute");
  const auto rows =
      situation.parts().tables.find("removed-names", module + "." + name);
  const auto wanted = rows.empty()
                          ? std::nullopt
                          : python::Requirement::parse_leniently(rows.front());
  if (!wanted)
    return {
        {},
        {{"pin-module",
          "nothing is known of a version of " + module + " that has " + name,
          false}}};
  Failure pinned = failure;
  pinned.diagnosis.params = {
      {"requirement", {wanted->key()}},
      {"specifier", {rows.front().substr(wanted->name.size())}},
      {"requirers", {"the use of " + module + "." + name}}};
  return pin_requirement(pinned, situation, permissions);
}

}  // namespace autopin::fix
