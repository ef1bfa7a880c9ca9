#include "fix/doors.h"

#include <algorithm>

#include "fix/chain.h"
#include "fix/scope.h"
#include "nix/edit.h"

namespace autopin::fix {
namespace {

using nix::Expr;
using nix::ExprId;
using nix::ExprKind;
using nix::Source;

constexpr std::string_view packages = "Packages";

/// The variable at the left of `a.b.c`, or of `a`.
ExprId leftmost(const Source& source, ExprId id) {
  while (source.at(id).kind == ExprKind::select)
    id = source.at(id).base;
  return id;
}

/// A name that the draft itself binds: not a door but a passage.
bool is_bound_here(const Source& source, ExprId id) {
  const Expr& expr = source.at(id);
  return expr.kind == ExprKind::variable &&
         binder_of(source, id, expr.name).kind != Binder::Kind::with;
}

std::optional<Door> door_at(const Situation& situation, const nix::Node& node) {
  const Source& source = situation.source(node.file);
  if (node.form == nix::NodeForm::inherited)
    return std::nullopt;
  const ExprId id = source.strip(node.expr);
  const Expr& expr = source.at(id);
  if (expr.kind != ExprKind::variable && expr.kind != ExprKind::select)
    return std::nullopt;
  if (expr.kind == ExprKind::variable && is_bound_here(source, id))
    return std::nullopt;

  Door door;
  door.file = node.file;
  door.expr = id;
  door.is_set = node.is(nix::Role::python_packages);
  door.range =
      node.form == nix::NodeForm::select_prefix ? node.range : expr.range;
  std::string text(source.text_of(door.range));
  // The set by way of its interpreter: the interpreter is the door.
  if (door.is_set && text.ends_with(".pkgs")) {
    text.resize(text.size() - std::string_view(".pkgs").size());
    door.range.end = door.range.begin + text.size();
    door.is_set = false;
  }
  const std::size_t dot = text.rfind('.');
  door.root = dot == std::string::npos ? "" : text.substr(0, dot + 1);
  door.name = dot == std::string::npos ? text : text.substr(dot + 1);
  const bool fits = nix::is_identifier(door.name) &&
                    (!door.is_set || door.name.ends_with(packages));
  if (!fits)
    return std::nullopt;
  // `python36` where that is a name the draft bound, `self`, `ps`, …
  const ExprId first = leftmost(source, id);
  if (door.root.empty() && is_bound_here(source, first))
    return std::nullopt;
  return door;
}

/// `py.python` of a set `py`: the interpreter again, by way of another door.
bool leads_through_set(const PythonSet& set, const Door& door) {
  const auto& nodes = set.doors();
  return std::any_of(nodes.begin(), nodes.end(), [&](const nix::Node* node) {
    return node->is(nix::Role::python_packages) && node->file == door.file &&
           node->range.begin == door.range.begin &&
           node->range.end < door.range.end;
  });
}

ExprId common_ancestor(const Source& source, const std::vector<Door>& doors) {
  ExprId common = doors.front().expr;
  for (const Door& door : doors)
    while (!encloses(source, common, door.expr))
      common = source.at(common).parent;
  return common;
}

}  // namespace

std::string Door::interpreter_name() const {
  return is_set ? name.substr(0, name.size() - packages.size()) : name;
}

std::vector<Door> root_doors(const Situation& situation, const PythonSet& set) {
  std::vector<Door> doors;
  for (const auto* node : set.doors()) {
    const auto door = door_at(situation, *node);
    if (!door || leads_through_set(set, *door))
      continue;
    const bool known =
        std::any_of(doors.begin(), doors.end(), [&](const Door& other) {
          return other.file == door->file && other.range == door->range;
        });
    if (!known)
      doors.push_back(*door);
  }
  std::sort(doors.begin(), doors.end(), [](const Door& a, const Door& b) {
    return a.file != b.file ? a.file < b.file : a.range.begin < b.range.begin;
  });
  return doors;
}

std::optional<OverriddenInterpreter> overridden_interpreter(
    const Situation& situation, const PythonSet& set) {
  for (const auto* node : set.doors()) {
    if (!node->is(nix::Role::interpreter) ||
        node->form != nix::NodeForm::expression)
      continue;
    const Source& source = situation.source(node->file);
    for (const Layer& layer : chain_of(source, node->expr).layers) {
      if (layer.function != "override" || !layer.attrset)
        continue;
      const auto* binding =
          source.find_binding(*layer.attrset, "packageOverrides");
      if (binding == nullptr || binding->is_inherit)
        continue;
      OverriddenInterpreter found;
      found.file = node->file;
      found.value = source.strip(binding->value);
      const auto body = literal_body(source, found.value);
      if (body && body->parameters.size() == 2) {
        found.attrset = body->attrset;
        found.self = body->parameters[0];
        found.super = body->parameters[1];
      }
      return found;
    }
  }
  return std::nullopt;
}

std::optional<LetHost> let_host(const Source& source,
                                const std::vector<Door>& doors) {
  const ExprId common = common_ancestor(source, doors);
  const ExprId first = leftmost(source, doors.front().expr);
  const Expr& variable = source.at(first);
  if (variable.kind != ExprKind::variable)
    return std::nullopt;
  const Binder binder = binder_of(source, first, variable.name);
  LetHost host;
  switch (binder.kind) {
    case Binder::Kind::let:
      if (source.at(binder.at).kind != ExprKind::let)
        return std::nullopt;  // a rec set: a binding there would be a package
      host.let = binder.at;
      host.body = source.at(binder.at).body;
      return host;
    case Binder::Kind::parameter:
      host.body = source.at(binder.at).body;
      break;
    case Binder::Kind::with: {
      // The outermost `with` is the one over the whole set.
      const ExprId head = binder.withs.back();
      host.body = source.at(source.at(head).parent).body;
      break;
    }
    case Binder::Kind::global:
      return std::nullopt;
  }
  if (!encloses(source, host.body, common))
    return std::nullopt;
  // A `let` right there is extended rather than wrapped in another.
  if (source.at(host.body).kind == ExprKind::let)
    host.let = host.body;
  return host;
}

}  // namespace autopin::fix
