// Transforms: a source archive that stdenv cannot unpack -> the same with the
//   program that can among the inputs; where that has no setup hook for it in
//   this set (dpkg before 2024, rpmextract), with the command as well.
// Offered when: the archive's extension leads to a package that the set has.
// Not offered when: it does not; what is in the file is then a person's to say.

#include "base/text.h"
#include "fix/fixes.h"
#include "fix/hooks.h"
#include "fix/top_set.h"

namespace autopin::fix {

Offer add_unpacker(const Failure& failure, const Situation& situation,
                   const Permissions&) {
  const std::string file = failure.diagnosis.param("file");
  const auto dot = file.rfind('.');
  if (dot == std::string::npos)
    return not_offered("add-unpacker",
                       "the log does not say what kind of file it is");
  const std::string extension = to_lower(file.substr(dot + 1));
  const auto& tables = situation.parts().tables;
  const auto there =
      attributes_of_top(situation, tables.find("unpackers", extension));
  if (there.empty())
    return not_offered("add-unpacker",
                       "no package of the set is known to unpack such a file");
  const std::string& attribute = there.front();
  const auto drv = drvs_of_top(situation, {attribute}).front();
  const std::string comment = comment_for(failure, failure.diagnosis.why);
  AttrChange list;
  list.op = AttrChange::Op::append_items;
  list.attribute = "nativeBuildInputs";
  list.values.push_back(top_ref(attribute));
  list.comment = comment;
  DerivationChange change;
  change.attributes.push_back(std::move(list));
  // A setup hook is what makes unpackPhase know the program.
  if (situation.store()
          .derivation(drv)
          .attribute("setupHook")
          .value_or("")
          .empty()) {
    const std::string command =
        join(tables.find("unpack-commands", extension), " ");
    if (command.empty())
      return not_offered(
          "add-unpacker",
          attribute + " has no hook for unpackPhase in this set");
    AttrChange unpack;
    unpack.attribute = "unpackCmd";
    unpack.values.emplace_back(nix::quote(command));
    change.attributes.push_back(std::move(unpack));
  }
  Proposal draft;
  draft.fix = "add-unpacker";
  draft.risk = Risk::exact;
  draft.summary = "unpack the source with " + attribute;
  draft.why = failure.diagnosis.why;
  draft.check = all_are_inputs(situation, failure.drv, {drv});
  return {place_change(situation, failure.drv, change, draft), {}};
}

}  // namespace autopin::fix
