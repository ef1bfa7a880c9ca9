// Transforms: a draft whose packages come from the sets of two Pythons -> all
// of
//   them from the set of the one that builds.
// Offered when: the draft names more than one interpreter or set of packages.
// Not offered when: it names one only; the other comes from elsewhere.

#include <re2/re2.h>

#include <algorithm>
#include <map>

#include "fix/fixes.h"
#include "fix/named.h"

namespace autopin::fix {
namespace {

using nix::ExprId;
using nix::ExprKind;

/// What the draft says of Python sets: "python314Packages" -> its places.
struct Spoken {
  std::filesystem::path file;
  nix::Range range;
  std::string version;  ///< "3", "314"
  std::string tail;     ///< "Packages" or ""
  bool builds = false;  ///< `….buildPythonPackage`
};

std::vector<Spoken> spoken_sets(const Situation& situation) {
  static const RE2 pattern(R"((?:python|pypy)(\d*)(Packages)?)");
  std::vector<Spoken> all;
  for (const auto& file : situation.draft().files()) {
    const auto& source = situation.source(file);
    for (ExprId id = 0; id < source.size(); ++id) {
      const auto& expr = source.at(id);
      Spoken spoken{file, expr.range, {}, {}, false};
      if (expr.kind == ExprKind::variable &&
          RE2::FullMatch(expr.name, pattern, &spoken.version, &spoken.tail)) {
        const auto parent = expr.parent;
        if (parent != nix::no_expr &&
            source.at(parent).kind == ExprKind::select)
          spoken.builds =
              source.at(parent).attrpath.back().text.starts_with("buildPython");
        all.push_back(spoken);
      }
      if (expr.kind != ExprKind::select)
        continue;
      for (const auto& part : expr.attrpath)
        if (RE2::FullMatch(part.text, pattern, &spoken.version, &spoken.tail)) {
          spoken.range = part.range;
          spoken.builds = expr.attrpath.back().text.starts_with("buildPython");
          all.push_back(spoken);
        }
    }
  }
  return all;
}

}  // namespace

Offer use_one_python(const Failure& failure, const Situation& situation,
                     const Permissions&) {
  const auto sets = spoken_sets(situation);
  std::vector<std::string> versions;  // that of the builder first
  for (const bool builds : {true, false})
    for (const auto& set : sets)
      if (set.builds == builds && std::find(versions.begin(), versions.end(),
                                            set.version) == versions.end())
        versions.push_back(set.version);
  Offer offer;
  if (versions.size() < 2) {
    offer.why_not.push_back({"use-one-python",
                             "the draft names one Python only; the other comes "
                             "from elsewhere",
                             false});
    return offer;
  }
  for (const auto& version : versions) {
    Proposal proposal;
    proposal.fix = "use-one-python";
    proposal.summary = "take all Python packages of python" + version;
    proposal.why = failure.diagnosis.why;
    proposal.where = "where the draft names another";
    for (const auto& set : sets)
      if (set.version != version)
        proposal.edits[set.file].push_back(
            {set.range, "python" + version + set.tail});
    proposal.check = [](const Situation& after) -> std::optional<std::string> {
      if (after.roots().empty())
        return "no derivation comes out";
      return std::nullopt;
    };
    offer.proposals.push_back(std::move(proposal));
  }
  return offer;
}

}  // namespace autopin::fix
