#include "fix/scope.h"

#include <algorithm>

namespace autopin::fix {
namespace {

using nix::Binding;
using nix::Expr;
using nix::ExprId;
using nix::ExprKind;
using nix::Source;

bool binds(const Expr& expr, std::string_view name) {
  return std::any_of(
      expr.bindings.begin(), expr.bindings.end(), [&](const Binding& binding) {
        if (binding.is_inherit)
          return std::any_of(binding.path.begin(), binding.path.end(),
                             [&](const auto& n) { return n.text == name; });
        return !binding.path.empty() && binding.path.front().text == name;
      });
}

bool takes(const Expr& function, std::string_view name) {
  // A function with formals alone has no name of its own to bind.
  return (!name.empty() && function.name == name) ||
         std::any_of(function.formals.begin(), function.formals.end(),
                     [&](const auto& formal) { return formal.name == name; });
}

/// `inherit x;` in a rec set or let looks outside of it.
bool inside_plain_inherit(const Source& source, const Expr& set, ExprId child) {
  const nix::Range range = source.at(child).range;
  return std::any_of(
      set.bindings.begin(), set.bindings.end(), [&](const Binding& binding) {
        return binding.is_inherit && binding.inherit_from == nix::no_expr &&
               binding.range.contains(range);
      });
}

/// True where the scope that `parent` opens holds for its child `child`.
bool opens_for(const Source& source, ExprId parent, ExprId child) {
  const Expr& expr = source.at(parent);
  switch (expr.kind) {
    case ExprKind::let:
      return !inside_plain_inherit(source, expr, child);
    case ExprKind::attrset:
      return expr.is_rec && !inside_plain_inherit(source, expr, child);
    case ExprKind::function:
      return true;
    case ExprKind::with:
      return child == expr.body;
    default:
      return false;
  }
}

}  // namespace

Binder binder_of(const Source& source, ExprId place, std::string_view name) {
  Binder binder;
  for (ExprId child = place; source.at(child).parent != nix::no_expr;) {
    const ExprId parent = source.at(child).parent;
    const Expr& expr = source.at(parent);
    if (opens_for(source, parent, child)) {
      if (expr.kind == ExprKind::with)
        binder.withs.push_back(expr.base);
      else if (expr.kind == ExprKind::function ? takes(expr, name)
                                               : binds(expr, name))
        return {expr.kind == ExprKind::function ? Binder::Kind::parameter
                                                : Binder::Kind::let,
                parent,
                {}};
    }
    child = parent;
  }
  if (!binder.withs.empty())
    binder.kind = Binder::Kind::with;
  return binder;
}

std::vector<ExprId> enclosing_withs(const Source& source, ExprId place) {
  return binder_of(source, place, "").withs;
}

std::optional<ExprId> enclosing_formals(const Source& source, ExprId place) {
  for (ExprId id = place; id != nix::no_expr; id = source.at(id).parent)
    if (source.at(id).kind == ExprKind::function && source.at(id).has_formals)
      return id;
  return std::nullopt;
}

bool encloses(const Source& source, ExprId ancestor, ExprId id) {
  for (; id != nix::no_expr; id = source.at(id).parent)
    if (id == ancestor)
      return true;
  return false;
}

bool means_the_same_at(const Source& source, ExprId expression, ExprId place) {
  std::vector<ExprId> pending{expression};
  while (!pending.empty()) {
    const ExprId id = pending.back();
    pending.pop_back();
    const Expr& expr = source.at(id);
    pending.insert(pending.end(), expr.children.begin(), expr.children.end());
    if (expr.kind != ExprKind::variable)
      continue;
    const Binder here = binder_of(source, id, expr.name);
    if (here.at != nix::no_expr && encloses(source, expression, here.at))
      continue;  // bound inside of it
    if (here != binder_of(source, place, expr.name))
      return false;
  }
  return true;
}

}  // namespace autopin::fix
