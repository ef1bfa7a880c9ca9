// Transforms: callPackage ./x.nix { } whose function wants an argument that the
//   set does not have by that name -> the argument given by the name that it
//   has, or the call made in the set that has it; a file that uses a name
//   without taking it -> the name among its arguments, or read from pkgs.
// Offered when: the draft itself holds the call, or the file.
// Not offered when: neither; what a package set has is not for a draft to mend.

#include <algorithm>
#include <array>

#include "base/text.h"
#include "fix/fixes.h"
#include "fix/named.h"
#include "fix/scope.h"

namespace autopin::fix {
namespace {

using nix::Expr;
using nix::ExprId;
using nix::ExprKind;
using nix::Source;

/// `pkgs.callPackage ./x.nix { … }` in the draft.
struct Call {
  std::filesystem::path file;
  ExprId head = nix::no_expr;     ///< `pkgs.callPackage`
  std::string prefix;             ///< "pkgs." or ""
  std::optional<ExprId> attrset;  ///< The literal { } given.
};

/// Calls of the functions in files of the draft that take `argument`.
std::vector<Call> calls_with(const Situation& situation,
                             const std::string& argument) {
  std::vector<Call> calls;
  for (const auto& file : situation.draft().files()) {
    const Source& source = situation.source(file);
    for (ExprId id = 0; id < source.size(); ++id) {
      const Expr& outer = source.at(id);
      if (outer.kind != ExprKind::apply)
        continue;
      const Expr& inner = source.at(source.strip(outer.function));
      if (inner.kind != ExprKind::apply)
        continue;
      const Expr& path = source.at(source.strip(inner.argument));
      const ExprId head = source.strip(inner.function);
      const Expr& callee = source.at(head);
      const bool calls_package =
          (callee.kind == ExprKind::variable && callee.name == "callPackage") ||
          (callee.kind == ExprKind::select && !callee.attrpath.empty() &&
           callee.attrpath.back().text == "callPackage");
      if (!calls_package || path.kind != ExprKind::path || !path.literal)
        continue;
      std::filesystem::path target =
          (file.parent_path() / *path.literal).lexically_normal();
      if (!situation.draft().has(target))
        target /= "default.nix";
      if (!situation.draft().has(target))
        continue;
      const Source& called = situation.source(target);
      const Expr& function = called.at(called.strip(called.root()));
      if (std::none_of(function.formals.begin(), function.formals.end(),
                       [&](const auto& f) { return f.name == argument; }))
        continue;
      Call call{file, head, {}, std::nullopt};
      if (callee.kind == ExprKind::select)
        call.prefix = source.text_of(
            {callee.range.begin, callee.attrpath.back().range.begin});
      const ExprId given = source.strip(outer.argument);
      if (source.at(given).kind == ExprKind::attrset)
        call.attrset = given;
      calls.push_back(std::move(call));
    }
  }
  return calls;
}

Proposal draft_of(const Failure& failure, std::string summary,
                  std::string where) {
  Proposal proposal;
  proposal.fix = "add-argument";
  proposal.summary = std::move(summary);
  proposal.where = std::move(where);
  proposal.why = failure.diagnosis.why;
  proposal.check = [](const Situation& after) -> std::optional<std::string> {
    if (after.roots().empty())
      return "no derivation comes out";
    return std::nullopt;
  };
  return proposal;
}

void give_argument(const Situation& situation, const Failure& failure,
                   const Call& call, const std::string& argument,
                   Offer& offer) {
  auto names = other_spellings(situation.parts().tables, argument);
  if (const auto found = failure.diagnosis.params.find("suggestions");
      found != failure.diagnosis.params.end())
    for (const auto& name : found->second)
      if (same_but_spelling(name, argument) && nix::is_identifier(name))
        names.insert(names.begin(), name);
  if (!call.attrset)
    return;
  for (const auto& name : names) {
    auto proposal = draft_of(failure, "pass " + argument + " = " + name,
                             "at the call of the function");
    proposal.edits[call.file].push_back(nix::add_binding(
        situation.source(call.file), *call.attrset,
        {nix::attr_name(argument) + " = " + call.prefix + name + ";",
         comment_for(failure, "its name in this package set")}));
    offer.proposals.push_back(std::move(proposal));
  }
}

/// Sets within the package set that have a callPackage, and the ending of the
/// names that tell that a function is for them. Any of them is tried; what does
/// not evaluate is dropped.
constexpr std::array<std::string_view, 6> inner_sets{
    "python3Packages", "perlPackages",  "qt6Packages",
    "libsForQt5",      "ocamlPackages", "xorg"};

/// Names of the draft that are sets of Python packages, dotted as written.
std::vector<std::string> python_sets_named(const Situation& situation) {
  std::vector<std::string> names;
  for (const auto& file : situation.draft().files()) {
    const Source& source = situation.source(file);
    const auto add = [&](const std::string& text) {
      if (text.starts_with("python") && text.ends_with("Packages") &&
          nix::is_identifier(text) &&
          std::find(names.begin(), names.end(), text) == names.end())
        names.push_back(text);
    };
    for (ExprId id = 0; id < source.size(); ++id) {
      const Expr& expr = source.at(id);
      if (expr.kind == ExprKind::variable)
        add(expr.name);
      for (const auto& part : expr.attrpath)
        add(part.text);
    }
  }
  return names;
}

void call_elsewhere(const Situation& situation, const Failure& failure,
                    const Call& call, Offer& offer) {
  auto sets = python_sets_named(situation);
  for (const auto& set : inner_sets)
    if (std::find(sets.begin(), sets.end(), set) == sets.end())
      sets.emplace_back(set);
  for (const auto& set : sets) {
    auto proposal = draft_of(failure, "call the function from " + set,
                             "at its callPackage");
    proposal.edits[call.file].push_back(
        nix::replace_expr(situation.source(call.file), call.head,
                          call.prefix + set + ".callPackage"));
    offer.proposals.push_back(std::move(proposal));
  }
}

void take_variable(const Situation& situation, const Failure& failure,
                   const std::string& variable, Offer& offer) {
  const auto references = references_to(situation, variable);
  for (const auto& reference : references) {
    if (reference.form != NamedReference::Form::variable)
      continue;
    const Source& source = situation.source(reference.file);
    if (const auto function = enclosing_formals(source, reference.expr)) {
      auto proposal = draft_of(failure, "take " + variable + " as an argument",
                               "in the function's arguments");
      proposal.edits[reference.file].push_back(
          nix::add_formal(source, *function, variable));
      offer.proposals.push_back(std::move(proposal));
    }
    std::vector<std::string> prefixes{"pkgs.", "lib.", "pkgs.lib."};
    for (const auto& set : python_sets_named(situation))
      for (const char* root : {"pkgs.", ""})
        prefixes.push_back(root + set + ".");
    for (const auto& prefix : prefixes) {
      const std::string base = prefix.substr(0, prefix.find('.'));
      if (binder_of(source, reference.expr, base).kind == Binder::Kind::global)
        continue;
      auto proposal =
          draft_of(failure, "say " + prefix + variable, "where it is used");
      for (const auto& other : references)
        if (other.form == NamedReference::Form::variable &&
            other.file == reference.file)
          proposal.edits[other.file].push_back(
              {other.range, prefix + variable});
      offer.proposals.push_back(std::move(proposal));
    }
    return;
  }
}

}  // namespace

Offer add_argument(const Failure& failure, const Situation& situation,
                   const Permissions&) {
  const auto& diagnosis = failure.diagnosis;
  Offer offer;
  if (const auto variable = diagnosis.param("variable"); !variable.empty()) {
    if (nix::is_identifier(variable))
      take_variable(situation, failure, variable, offer);
  } else if (const auto argument = diagnosis.param("argument");
             nix::is_identifier(argument)) {
    for (const auto& call : calls_with(situation, argument)) {
      give_argument(situation, failure, call, argument, offer);
      call_elsewhere(situation, failure, call, offer);
    }
  }
  if (offer.proposals.empty())
    offer.why_not.push_back({"add-argument",
                             "the draft does not hold the call that lacks it",
                             false});
  return offer;
}

// Transforms: an attribute given to a builder that no longer takes it -> the
//   same by the name that the builder's own message gives.
// Offered when: the message names both.
// Not offered when: no replacement is named; a thing that somebody wrote is not
//   thrown away.
Offer rename_argument(const Failure& failure, const Situation& situation,
                      const Permissions&) {
  const std::string name = failure.diagnosis.param("argument");
  const std::string other = failure.diagnosis.param("replacement");
  Offer offer;
  auto proposal =
      draft_of(failure, "give " + name + " as " + other, "where it is given");
  proposal.fix = "rename-argument";
  if (nix::is_identifier(other))
    for (const auto& file : situation.draft().files()) {
      const nix::Source& source = situation.source(file);
      for (ExprId id = 0; id < source.size(); ++id)
        for (const auto& binding : source.at(id).bindings)
          if (!binding.is_inherit && binding.path.size() == 1 &&
              binding.path.front().text == name &&
              source.find_binding(id, other) == nullptr)
            proposal.edits[file].push_back({binding.path.front().range, other});
    }
  if (proposal.edits.empty())
    offer.why_not.push_back({"rename-argument",
                             "no other name for " + name +
                                 " is known, or the "
                                 "draft does not give it",
                             false});
  else
    offer.proposals.push_back(std::move(proposal));
  return offer;
}

}  // namespace autopin::fix
