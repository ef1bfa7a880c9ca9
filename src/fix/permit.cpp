// Transforms: import <nixpkgs> { } -> the same with a permission for the one
//   package that is refused (unfree, broken, insecure).
// Offered when: the draft itself calls the package set. Its label is `permits`:
//   the planner takes it only with the user's word (--allow permits).
// Not offered when: the set comes from elsewhere, or the configuration that is
//   there says the opposite in a way that cannot be extended.

#include <algorithm>

#include "base/text.h"
#include "fix/chain.h"
#include "fix/fixes.h"
#include "fix/named.h"
#include "fix/scope.h"

namespace autopin::fix {
namespace {

using nix::Binding;
using nix::Expr;
using nix::ExprId;
using nix::ExprKind;
using nix::Source;

/// What is to stand in `config`: an attribute path and its value. Where the
/// last name is bound to a literal list (in a function's body too), the item
/// is appended instead.
struct Setting {
  std::vector<std::string> path;
  std::string value;
  std::string item;  ///< "" where it is no list.
};

std::string joined(const std::vector<std::string>& path, std::size_t from) {
  std::vector<std::string> names;
  for (auto i = from; i < path.size(); ++i)
    names.push_back(nix::attr_name(path[i]));
  return join(names, ".");
}

/// What a `let` binds the name to, as seen from `place`, or the default of a
/// function's formal; no_expr where neither does.
ExprId value_of(const Source& source, ExprId place, const std::string& name) {
  const auto binder = binder_of(source, place, name);
  if (binder.kind == Binder::Kind::let)
    if (const auto* binding = source.find_binding(binder.at, name);
        binding != nullptr && !binding->is_inherit)
      return source.strip(binding->value);
  if (binder.kind == Binder::Kind::parameter)
    for (const auto& formal : source.at(binder.at).formals)
      if (formal.name == name && formal.fallback != nix::no_expr)
        return source.strip(formal.fallback);
  return nix::no_expr;
}

ExprId through_variable(const Source& source, ExprId id) {
  id = source.strip(id);
  if (source.at(id).kind != ExprKind::variable)
    return id;
  const auto bound = value_of(source, id, source.at(id).name);
  return bound == nix::no_expr ? id : bound;
}

/// The last list of strings within an expression: `x: elem (f x) [ … ]`; else
/// the one that a name in it stands for.
std::optional<ExprId> list_within(const Source& source, ExprId value) {
  std::optional<ExprId> found;
  std::optional<ExprId> named;
  for (ExprId id = value; id < source.size(); ++id) {
    if (!source.at(value).range.contains(source.at(id).range))
      continue;
    if (source.at(id).kind == ExprKind::list)
      found = id;
    const ExprId meant = through_variable(source, id);
    if (meant != id && source.at(meant).kind == ExprKind::list)
      named = meant;
  }
  return found ? found : named;
}

bool put(const Source& source, ExprId attrset, const Setting& setting,
         std::size_t depth, const std::string& comment,
         std::vector<nix::Edit>& edits);

/// `// { setting.path[depth…] = …; }`, for a set that is made elsewhere.
std::string merged(const Setting& setting, std::size_t depth) {
  return " // { " + joined(setting.path, depth) + " = " + setting.value + "; }";
}

bool put_into_inherited(const Source& source, ExprId attrset,
                        const Binding& binding, const Setting& setting,
                        std::size_t depth, const std::string& comment,
                        std::vector<nix::Edit>& edits) {
  const std::string& name = setting.path[depth];
  if (depth + 1 == setting.path.size() || binding.inherit_from != nix::no_expr)
    return false;
  const ExprId value = value_of(source, attrset, name);
  if (value != nix::no_expr &&
      put(source, value, setting, depth + 1, comment, edits))
    return true;
  if (binding.path.size() != 1)
    return false;
  edits.push_back(
      {binding.range, name + " = " + name + merged(setting, depth + 1) + ";"});
  return true;
}

/// Puts `setting.path[depth…]` into an attrset, going into what is there.
bool put(const Source& source, ExprId attrset, const Setting& setting,
         std::size_t depth, const std::string& comment,
         std::vector<nix::Edit>& edits) {
  if (source.at(attrset).kind != ExprKind::attrset)
    return false;
  for (const Binding& binding : source.at(attrset).bindings) {
    // `inherit config;`: what is inherited is to have it.
    if (binding.is_inherit &&
        std::any_of(
            binding.path.begin(), binding.path.end(),
            [&](const auto& part) { return part.text == setting.path[depth]; }))
      return put_into_inherited(source, attrset, binding, setting, depth,
                                comment, edits);
    std::size_t same = 0;
    while (!binding.is_inherit && same < binding.path.size() &&
           depth + same < setting.path.size() &&
           binding.path[same].text == setting.path[depth + same])
      ++same;
    if (same == 0 || same < binding.path.size())
      continue;
    const ExprId value = through_variable(source, binding.value);
    if (depth + same < setting.path.size()) {
      if (put(source, value, setting, depth + same, comment, edits))
        return true;
      // Made elsewhere: `config = import ./config.nix;`.
      const ExprKind kind = source.at(value).kind;
      if (kind != ExprKind::apply && kind != ExprKind::variable &&
          kind != ExprKind::select)
        continue;
      const std::size_t end = source.at(binding.value).range.end;
      edits.push_back({{end, end}, merged(setting, depth + same)});
      return true;
    }
    const auto list =
        setting.item.empty() ? std::nullopt : list_within(source, value);
    if (list)
      edits.push_back(nix::append_item(source, *list, {setting.item, comment}));
    else if (setting.item.empty())
      edits.push_back(nix::replace_expr(source, value, setting.value));
    return list || setting.item.empty();
  }
  edits.push_back(nix::add_binding(
      source, attrset,
      {joined(setting.path, depth) + " = " + setting.value + ";", comment}));
  return true;
}

/// Arguments of `import <nixpkgs> { … }`, wherever the draft calls the set.
std::vector<std::pair<std::filesystem::path, ExprId>> set_calls(
    const Situation& situation) {
  std::vector<std::pair<std::filesystem::path, ExprId>> calls;
  for (const auto& file : situation.draft().files()) {
    const Source& source = situation.source(file);
    for (ExprId id = 0; id < source.size(); ++id) {
      const Expr& outer = source.at(id);
      if (outer.kind != ExprKind::apply)
        continue;
      const Expr& inner = source.at(source.strip(outer.function));
      if (inner.kind != ExprKind::apply)
        continue;
      const Expr& callee = source.at(source.strip(inner.function));
      const bool imports =
          (callee.kind == ExprKind::variable && callee.name == "import") ||
          (callee.kind == ExprKind::select && !callee.attrpath.empty() &&
           callee.attrpath.back().text == "import");
      const ExprId what = through_variable(source, inner.argument);
      const Expr& path = source.at(what);
      if (!imports || (path.kind == ExprKind::path && path.literal &&
                       path.literal->starts_with(".")))
        continue;
      const ExprId given = through_variable(source, outer.argument);
      if (source.at(given).kind == ExprKind::attrset)
        calls.emplace_back(file, given);
    }
  }
  return calls;
}

/// "cuda12.9-cuda_nvcc-12.9.86" -> "cuda12.9-cuda_nvcc", "cuda_nvcc": the name
/// that the set itself goes by has no version, and none of the prefixes that
/// a scope puts before `name`.
std::vector<std::string> names_of(const std::string& package) {
  std::vector<std::string> names;
  std::string plain = package;
  for (std::size_t i = 0; i + 1 < package.size(); ++i)
    if (package[i] == '-' && package[i + 1] >= '0' && package[i + 1] <= '9') {
      plain = package.substr(0, i);
      break;
    }
  for (; !plain.empty(); plain = plain.find('-') == std::string::npos
                                     ? std::string()
                                     : plain.substr(plain.find('-') + 1))
    names.push_back(plain);
  return names;
}

std::vector<Setting> settings_for(const std::string& kind,
                                  const std::string& package) {
  std::vector<Setting> settings;
  if (kind == "package-insecure")
    return {{{"config", "permittedInsecurePackages"},
             "[ " + nix::quote(package) + " ]",
             nix::quote(package)}};
  for (const auto& name : names_of(package)) {
    if (kind == "package-unfree")
      settings.push_back(
          {{"config", "allowUnfreePredicate"},
           "pkg: builtins.elem (pkg.pname or (builtins.parseDrvName "
           "pkg.name).name) [ " +
               nix::quote(name) + " ]",
           nix::quote(name)});
    if (kind == "package-broken")
      settings.push_back(
          {{"config", "problems", "handlers", name, "broken"}, "\"warn\"", ""});
  }
  // Where a set knows no permission for one package there is only this one.
  if (kind == "package-broken")
    settings.push_back({{"config", "allowBroken"}, "true", ""});
  if (kind == "package-unsupported-system")
    settings.push_back({{"config", "allowUnsupportedSystem"}, "true", ""});
  return settings;
}

}  // namespace

Offer permit_package(const Failure& failure, const Situation& situation,
                     const Permissions&) {
  const std::string package = failure.diagnosis.param("package");
  const auto calls = set_calls(situation);
  Offer offer;
  if (package.empty() || calls.empty()) {
    offer.why_not.push_back({"permit",
                             "the draft itself does not call the package set; "
                             "allow the package where its configuration stands",
                             true});
    return offer;
  }
  for (const auto& setting : settings_for(failure.diagnosis.kind, package)) {
    Proposal proposal;
    proposal.fix = "permit";
    proposal.risk = Risk::permits;
    proposal.summary = "permit " + package;
    proposal.why = failure.diagnosis.why;
    proposal.where = "by " + joined(setting.path, 0) +
                     (setting.item.empty() ? "" : " " + setting.item);
    bool all = true;
    for (const auto& [file, given] : calls)
      all = all && put(situation.source(file), given, setting, 0,
                       comment_for(failure, failure.diagnosis.why +
                                                " Permitted by the user"),
                       proposal.edits[file]);
    if (!all)
      continue;
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
