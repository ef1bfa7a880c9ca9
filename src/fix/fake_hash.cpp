// Transforms: a hash that is none ("xxx"), or one of vendored dependencies that
//   belongs to another lock file -> the placeholder of zeros, at which Nix
//   tells the hash that came (use-hash).
// Offered when: what stands there is no more than a placeholder; or the user
//   has said that hashes may change (--accept-changed-hash).
// Not offered when: it may be a real hash that was cut off or is out of date.
//   Whoever wrote it checked something by it; that is not undone silently.

#include <algorithm>

#include "base/hash.h"
#include "fix/fixes.h"
#include "fix/hash_literal.h"

namespace autopin::fix {
namespace {

using nix::ExprId;
using nix::ExprKind;

const std::string zeros(32, '\0');

/// Attributes by which the years' builders take the hash of what they vendor,
/// or the fetcher that has it.
bool names_vendored(const std::string& attribute) {
  static const std::vector<std::string> all{
      "cargoHash",    "cargoSha256", "cargoDeps",       "vendorHash",
      "vendorSha256", "modSha256",   "goModules",       "npmDepsHash",
      "npmDeps",      "pnpmDeps",    "yarnOfflineCache"};
  return std::find(all.begin(), all.end(), attribute) != all.end();
}

/// As short as nobody's hash, or one character over and over.
bool is_stand_in(const std::string& text) {
  const std::string hash =
      text.starts_with("sha256")
          ? text.substr(std::min<std::size_t>(text.size(), 7))
          : text;
  return hash.size() < 20 ||
         hash.find_first_not_of(hash[0]) == std::string::npos;
}

struct Found {
  std::filesystem::path file;
  ExprId expr = nix::no_expr;
};

/// Strings of the draft that are given as a hash and satisfy `is_it`.
template <typename Predicate>
std::vector<Found> hashes_of_draft(const Situation& situation,
                                   const Predicate& is_it) {
  std::vector<Found> found;
  for (const auto& file : situation.draft().files()) {
    const auto& source = situation.source(file);
    for (ExprId id = 0; id < source.size(); ++id)
      if (source.at(id).kind == ExprKind::string && source.at(id).literal &&
          names_hash(bound_to(source, id)) && is_it(file, id))
        found.push_back({file, id});
  }
  return found;
}

/// Those that the failing package's own call gives for what it vendors.
std::vector<Found> vendored(const Situation& situation,
                            const std::string& drv) {
  std::vector<Found> found;
  for (const auto& place : places_of(situation, drv)) {
    if (place.kind == Place::Kind::reference)
      continue;
    const auto& source = situation.source(place.file);
    for (const auto& binding : source.at(place.attrset).bindings)
      if (!binding.is_inherit && names_vendored(binding.path.front().text))
        for (auto& hash :
             hashes_of_draft(situation, [&](const auto&file, ExprId id) {
               return file == place.file &&
                      binding.range.contains(source.at(id).range) &&
                      parse_sha256(*source.at(id).literal);
             }))
          found.push_back(std::move(hash));
    if (!found.empty())
      break;
  }
  return found;
}

}  // namespace

Offer use_fake_hash(const Failure& failure, const Situation& situation,
                    const Permissions& permissions) {
  const bool invalid = failure.diagnosis.kind == "hash-invalid";
  const std::string text = failure.diagnosis.param("hash");
  const auto found =
      invalid ? hashes_of_draft(
                    situation,
                    [&](const auto& file, ExprId id) {
                      return *situation.source(file).at(id).literal == text;
                    })
              : vendored(situation, failure.drv);
  if (found.size() != 1)
    return not_offered(
        "use-fake-hash",
        found.empty() ? "the hash does not stand in the draft's own files"
                      : "it stands in several places, and the log does not say "
                        "which is meant");
  if (!permissions.accept_changed_hash && invalid && !is_stand_in(text))
    return not_offered(
        "use-fake-hash",
        "it may be a real hash that was not copied whole: copy it "
        "again; or, to take what comes, run again with "
        "--accept-changed-hash",
        true);
  if (!permissions.accept_changed_hash && !invalid)
    return not_offered(
        "use-fake-hash",
        "the hash of what is vendored has to be taken anew, and only "
        "you can say that what comes is to be trusted: run again with "
        "--accept-changed-hash",
        true);
  const auto& [file, expr] = found.front();
  const auto& source = situation.source(file);
  Proposal proposal;
  proposal.fix = "use-fake-hash";
  proposal.risk = Risk::trust;
  proposal.summary = "put a placeholder for the hash";
  proposal.why = failure.diagnosis.why;
  proposal.where = "where the hash stands";
  proposal.edits[file].push_back(nix::replace_expr(
      source, expr,
      nix::quote(takes_sri(bound_to(source, expr)) ? to_sri(zeros)
                                                   : to_nix_base32(zeros))));
  proposal.check = asks_for_hash(failure.drv, zeros);
  return {{std::move(proposal)}, {}};
}

}  // namespace autopin::fix
