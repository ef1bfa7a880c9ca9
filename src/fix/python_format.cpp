// Transforms: buildPythonPackage { … } that does not say how it is built, for a
//   set that asks -> the same with what the set's own message says means the
//   same as before: pyproject = true and setuptools.
// Offered when: the draft's call lacks both pyproject and format.
// Not offered when: it says one of them.

#include "fix/fixes.h"
#include "fix/named.h"
#include "fix/scope.h"

namespace autopin::fix {
namespace {

using nix::ExprId;
using nix::ExprKind;

/// What stands before `buildPythonPackage`: "ps.", or "" where it is a name.
std::optional<std::string> builder_prefix(const nix::Source& source,
                                          ExprId apply) {
  const ExprId id = source.strip(source.at(apply).function);
  const auto& head = source.at(id);
  if (head.kind == ExprKind::variable && head.name.starts_with("buildPython"))
    return std::string();
  if (head.kind == ExprKind::select &&
      head.attrpath.back().text.starts_with("buildPython"))
    return std::string(
        source.text_of({head.range.begin, head.attrpath.back().range.begin}));
  return std::nullopt;
}

}  // namespace

Offer set_format(const Failure& failure, const Situation& situation,
                 const Permissions&) {
  Offer offer;
  for (const auto& file : situation.draft().files()) {
    const auto& source = situation.source(file);
    for (ExprId id = 0; id < source.size(); ++id) {
      if (source.at(id).kind != ExprKind::apply)
        continue;
      const auto prefix = builder_prefix(source, id);
      const auto body =
          prefix ? literal_body(source, source.strip(source.at(id).argument))
                 : std::nullopt;
      if (!body || source.find_binding(body->attrset, "pyproject") != nullptr ||
          source.find_binding(body->attrset, "format") != nullptr)
        continue;
      Proposal proposal;
      proposal.fix = "set-format";
      proposal.summary = "say that setuptools builds it";
      proposal.why = failure.diagnosis.why;
      proposal.where = "in the draft's own package";
      auto& edits = proposal.edits[file];
      edits.push_back(nix::add_binding(
          source, body->attrset,
          {"pyproject = true;", comment_for(failure, failure.diagnosis.why)}));
      if (source.find_binding(body->attrset, "build-system") == nullptr) {
        edits.push_back(nix::add_binding(
            source, body->attrset,
            {"build-system = [ " + *prefix + "setuptools ];", ""}));
        const auto function = enclosing_formals(source, id);
        if (prefix->empty() && function &&
            binder_of(source, id, "setuptools").kind == Binder::Kind::global)
          edits.push_back(nix::add_formal(source, *function, "setuptools"));
      }
      proposal.check =
          [](const Situation& after) -> std::optional<std::string> {
        if (after.roots().empty())
          return "no derivation comes out";
        return std::nullopt;
      };
      offer.proposals.push_back(std::move(proposal));
    }
  }
  if (offer.proposals.empty())
    offer.why_not.push_back(
        {"set-format", "the package is none of the draft's own", false});
  return offer;
}

}  // namespace autopin::fix
