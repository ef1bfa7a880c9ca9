// Transforms: a placeholder hash -> the one that the download had.
// Offered when: the hash in the draft is a placeholder (zeros, fakeHash, "").
// Not offered when: it is a real one. That is a moved tag or an attack; only
//   the user can say which (--accept-changed-hash).

#include "base/hash.h"
#include "fix/fixes.h"
#include "fix/hash_literal.h"
#include "fix/scope.h"

namespace autopin::fix {
namespace {

using nix::ExprId;
using nix::ExprKind;

struct Literal {
  std::filesystem::path file;
  ExprId expr = nix::no_expr;
  std::string spelled;  ///< As the draft has it; "fakeHash" for lib.fakeHash.
  bool sri = false;     ///< The attribute takes SRI.
};

bool is_fake(const nix::Source& source, ExprId id, std::string& name) {
  const auto& expr = source.at(id);
  if (expr.kind == ExprKind::select && !expr.attrpath.empty())
    name = expr.attrpath.back().text;
  else if (expr.kind == ExprKind::variable)
    name = expr.name;
  return name == "fakeHash" || name == "fakeSha256";
}

/// How often a name is said where `binder` binds it.
std::size_t uses_of(const nix::Source& source, ExprId binder,
                    const std::string& name) {
  std::size_t uses = 0;
  for (ExprId id = 0; id < source.size(); ++id) {
    const auto& expr = source.at(id);
    if (expr.kind == ExprKind::variable && expr.name == name &&
        binder_of(source, id, name).at == binder)
      ++uses;
    for (const auto& binding : expr.bindings)
      if (binding.is_inherit && binding.inherit_from == nix::no_expr)
        for (const auto& part : binding.path)
          if (part.text == name)
            ++uses;
  }
  return uses;
}

/// What a `let` binds a name to, as seen from `place`, and where.
std::pair<ExprId, ExprId> bound_value(const nix::Source& source, ExprId place,
                                      const std::string& name) {
  const auto binder = binder_of(source, place, name);
  const auto* binding = binder.kind == Binder::Kind::let
                            ? source.find_binding(binder.at, name)
                            : nullptr;
  return binding == nullptr || binding->is_inherit
             ? std::pair{nix::no_expr, nix::no_expr}
             : std::pair{source.strip(binding->value), binder.at};
}

/// Hashes in a range of a file that are the specified one.
std::vector<Literal> literals_in(const Situation& situation,
                                 const std::filesystem::path& file,
                                 const nix::Range& range,
                                 const std::string& specified) {
  std::vector<Literal> found;
  const auto& source = situation.source(file);
  for (ExprId id = 0; id < source.size(); ++id) {
    const auto& expr = source.at(id);
    if (!range.contains(expr.range))
      continue;
    const auto look = [&](ExprId value, ExprId written,
                          const std::string& name) {
      const auto& text = source.at(value);
      Literal literal{file, written, {}, takes_sri(name)};
      if (is_fake(source, value, literal.spelled) &&
          is_placeholder(specified)) {
        found.push_back(literal);
      } else if (text.kind == ExprKind::string && text.literal &&
                 names_hash(name)) {
        const auto raw = parse_sha256(*text.literal);
        literal.spelled = *text.literal;
        if ((raw && *raw == specified) ||
            (text.literal->empty() && is_placeholder(specified)))
          found.push_back(literal);
      }
    };
    const std::string name = bound_to(source, id);
    look(id, id, name);
    // `hash = fake;` and `inherit hash;`: what a `let` has by that name.
    if (expr.kind == ExprKind::variable && names_hash(name)) {
      const auto [value, binder] = bound_value(source, id, expr.name);
      if (value != nix::no_expr && !range.contains(source.at(value).range))
        look(value, uses_of(source, binder, expr.name) == 1 ? value : id, name);
    }
    for (const auto& binding : expr.bindings)
      if (binding.is_inherit && binding.inherit_from == nix::no_expr)
        for (const auto& part : binding.path)
          if (names_hash(part.text)) {
            const auto [value, binder] = bound_value(source, id, part.text);
            if (value != nix::no_expr &&
                !range.contains(source.at(value).range) &&
                uses_of(source, binder, part.text) == 1)
              look(value, value, part.text);
          }
  }
  return found;
}

/// Where the hash of a fixed-output derivation stands: in the call that made
/// it, else in that of the nearest package that the draft makes of it.
std::vector<Literal> find_literals(const Situation& situation,
                                   const std::string& drv,
                                   const std::string& specified) {
  const auto in_makers = [&](const std::string& of) {
    std::vector<Literal> found;
    for (const auto* node : situation.probe().makers(of)) {
      auto here = literals_in(situation, node->file, node->range, specified);
      if (!here.empty() && (found.empty() || here.size() < found.size()))
        found = std::move(here);
    }
    return found;
  };
  auto found = in_makers(drv);
  if (!found.empty())
    return found;
  for (const auto& root : situation.roots())
    for (const auto& chain : situation.store().chains(root, drv))
      for (auto link = chain.rbegin(); link != chain.rend(); ++link)
        if (found = in_makers(*link); !found.empty())
          return found;
  // Given to a function, or read from a set of sources: said once, it is that.
  for (const auto& file : situation.draft().files()) {
    const auto& source = situation.source(file);
    for (ExprId id = 0; id < source.size(); ++id) {
      const auto& expr = source.at(id);
      if (expr.kind != ExprKind::string || !expr.literal)
        continue;
      const auto raw = parse_sha256(*expr.literal);
      if (raw && *raw == specified)
        found.push_back(
            {file, id, *expr.literal, takes_sri(bound_to(source, id))});
    }
  }
  return found;
}

std::string spell(const Literal& literal, const std::string& raw) {
  if (literal.spelled.starts_with("sha256-") || literal.spelled == "fakeHash" ||
      (literal.sri && literal.spelled.size() != 52))
    return to_sri(raw);
  if (literal.spelled.size() == 64)
    return to_hex(raw);
  return to_nix_base32(raw);
}

}  // namespace

Offer use_hash(const Failure& failure, const Situation& situation,
               const Permissions& permissions) {
  const auto got = parse_sha256(failure.diagnosis.param("got"));
  const auto specified = parse_sha256(failure.diagnosis.param("specified"));
  if (!got || !specified)
    return not_offered("use-hash",
                       "the log does not give both hashes as SHA-256");
  const bool placeholder = is_placeholder(*specified);
  if (!placeholder && !permissions.accept_changed_hash)
    return not_offered(
        "use-hash",
        "the download is not what the draft's hash says: " +
            to_sri(*specified) + " was expected and " + to_sri(*got) +
            " came. Either the file was replaced at its source or somebody is "
            "tampering with it; find out which, then run again with "
            "--accept-changed-hash",
        true);
  const auto literals = find_literals(situation, failure.drv, *specified);
  if (literals.size() != 1)
    return not_offered(
        "use-hash",
        literals.empty()
            ? "the hash does not stand in the draft's own files"
            : "the hash stands in several places, and the log does not "
              "say which is meant");
  const Literal& literal = literals.front();
  const auto& source = situation.source(literal.file);
  Proposal proposal;
  proposal.fix = "use-hash";
  proposal.risk = Risk::trust;
  proposal.summary = "take the hash " + to_sri(*got);
  proposal.why = failure.diagnosis.why;
  proposal.where = "where the placeholder stands";
  proposal.edits[literal.file].push_back(nix::replace_expr(
      source, literal.expr, nix::quote(spell(literal, *got))));
  proposal.sources.push_back({"", "", to_sri(*got)});
  proposal.check = asks_for_hash(failure.drv, *got);
  return {{std::move(proposal)}, {}};
}

}  // namespace autopin::fix
