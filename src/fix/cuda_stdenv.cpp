// Transforms: stdenv.mkDerivation of something that nvcc compiles, and nvcc
//   refuses stdenv's compiler -> the stdenv that the CUDA packages of the draft
//   are built with (nixpkgs manual, "CUDA": backendStdenv).
// Offered when: the set has that stdenv, and the draft calls mkDerivation or
// the
//   package takes stdenv as an argument.
// Not offered when: neither.

#include "fix/fixes.h"
#include "fix/hooks.h"
#include "fix/top_set.h"

namespace autopin::fix {
namespace {

using nix::ExprId;
using nix::ExprKind;

/// The CUDA scope that the draft speaks of, else the default one.
std::string scope_in(const Situation& situation) {
  std::string scope = "cudaPackages";
  for (const auto& file : situation.draft().files()) {
    const auto& source = situation.source(file);
    for (ExprId id = 0; id < source.size(); ++id) {
      const auto& expr = source.at(id);
      if (expr.kind == ExprKind::variable &&
          expr.name.starts_with("cudaPackages_"))
        scope = expr.name;
      for (const auto& part : expr.attrpath)
        if (part.text.starts_with("cudaPackages_"))
          scope = part.text;
    }
  }
  return scope;
}

/// `pkgs.stdenv` of `pkgs.stdenv.mkDerivation { … }`.
std::optional<nix::Range> stdenv_of(const nix::Source& source, ExprId apply) {
  ExprId id = source.strip(apply);
  while (source.at(id).kind == ExprKind::apply)
    id = source.strip(source.at(id).function);
  const auto& head = source.at(id);
  if (head.kind != ExprKind::select ||
      head.attrpath.back().text != "mkDerivation")
    return std::nullopt;
  const std::size_t end =
      head.attrpath.size() > 1
          ? head.attrpath[head.attrpath.size() - 2].range.end
          : source.at(head.base).range.end;
  return nix::Range{head.range.begin, end};
}

}  // namespace

Offer use_cuda_stdenv(const Failure& failure, const Situation& situation,
                      const Permissions&) {
  Offer offer;
  const std::string name = scope_in(situation) + ".backendStdenv";
  if (attributes_of_top(situation, {name}).empty()) {
    offer.why_not.push_back(
        {"use-cuda-stdenv", "the package set has no " + name, false});
    return offer;
  }
  const std::string before = situation.store()
                                 .derivation(failure.drv)
                                 .attribute("stdenv")
                                 .value_or("");
  Proposal draft;
  draft.fix = "use-cuda-stdenv";
  draft.risk = Risk::exact;
  draft.summary = "compile with " + name;
  draft.why = failure.diagnosis.why;
  draft.check = check_successor(
      situation, failure.drv,
      [before](const Situation& after,
               const std::string& successor) -> std::optional<std::string> {
        if (after.store().derivation(successor).attribute("stdenv") == before)
          return "it is still built with the same compiler";
        return std::nullopt;
      });
  for (const auto& place : places_of(situation, failure.drv)) {
    if (place.kind != Place::Kind::builder)
      continue;
    const auto& source = situation.source(place.file);
    const auto range = stdenv_of(source, place.expr);
    Namer namer(situation, place.file, place.expr, nullptr);
    const auto spelled =
        range ? namer.spell({SetRef::From::top, name}) : std::nullopt;
    if (!spelled)
      continue;
    Proposal proposal = draft;
    proposal.where = "at its builder";
    auto& edits = proposal.edits[place.file];
    edits = namer.edits();
    edits.push_back({*range, *spelled});
    offer.proposals.push_back(std::move(proposal));
  }
  DerivationChange change;
  change.arguments.push_back(
      {"stdenv", top_ref(name), comment_for(failure, failure.diagnosis.why)});
  for (auto& proposal : place_change(situation, failure.drv, change, draft))
    offer.proposals.push_back(std::move(proposal));
  return offer;
}

}  // namespace autopin::fix
