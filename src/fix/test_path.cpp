// Transforms: a package that names a test file or folder which its source does
//   not have -> the same without that name, in the list or the check phase that
//   has it.
// Offered when: the derivation has it in such a list, or the draft's own check
//   phase gives it to pytest.
// Not offered when: it comes from elsewhere (the project's configuration).

#include <algorithm>
#include <array>

#include "fix/fixes.h"
#include "fix/hooks.h"
#include "fix/phase_words.h"

namespace autopin::fix {
namespace {

/// Lists that pytestCheckHook reads, over the years.
constexpr std::array<const char*, 4> lists{
    "disabledTestPaths", "enabledTestPaths", "pytestFlags", "pytestFlagsArray"};

bool has(const nix::Derivation& derivation, const std::string& list,
         const std::string& path) {
  const auto items = derivation.list_attribute(list);
  return std::find(items.begin(), items.end(), path) != items.end();
}

}  // namespace

Offer drop_test_path(const Failure& failure, const Situation& situation,
                     const Permissions&) {
  const std::string path = failure.diagnosis.param("path");
  const auto& derivation = situation.store().derivation(failure.drv);
  Proposal draft;
  draft.fix = "drop-test-path";
  draft.summary = "do not name " + path + ", which is not there";
  draft.why = failure.diagnosis.why;
  Offer offer;
  for (const std::string list : lists) {
    if (path.empty() || !has(derivation, list, path))
      continue;
    AttrChange drop;
    drop.op = AttrChange::Op::drop_items;
    drop.attribute = list;
    drop.words = {path};
    drop.values.emplace_back("path: path != " + nix::quote(path));
    drop.comment = comment_for(failure, failure.diagnosis.why);
    DerivationChange change;
    change.attributes.push_back(std::move(drop));
    // Tests of that name may be somewhere else now, and are then not run.
    draft.risk = list == lists.front() ? Risk::exact : Risk::weakens_checks;
    draft.check = check_successor(
        situation, failure.drv,
        [list, path](const Situation& after, const std::string& successor)
            -> std::optional<std::string> {
          if (has(after.store().derivation(successor), list, path))
            return list + " still has it";
          return std::nullopt;
        });
    offer.add({place_change(situation, failure.drv, change, draft), {}});
  }
  draft.risk = Risk::weakens_checks;
  draft.weakens = {path};
  draft.check = check_successor(
      situation, failure.drv,
      [path](const Situation& after,
             const std::string& successor) -> std::optional<std::string> {
        if (phase_says(after, successor, {path}))
          return "the check phase still has it";
        return std::nullopt;
      });
  if (!path.empty())
    offer.add({without_phase_words(situation, failure.drv, {path}, draft), {}});
  if (offer.proposals.empty())
    offer.why_not.push_back(
        {"drop-test-path", "the draft does not name it", false});
  return offer;
}

}  // namespace autopin::fix
