#include "fix/namer.h"

#include <algorithm>

#include "base/text.h"
#include "fix/scope.h"
#include "fix/top_set.h"

namespace autopin::fix {
namespace {

using nix::Expr;
using nix::ExprId;
using nix::ExprKind;

/// "a.b" of an item `a.b.c`; "" of a bare name; nothing of other items.
std::optional<std::string> qualifier_of(const nix::Source& source, ExprId id) {
  const Expr& item = source.at(source.strip(id));
  if (item.kind == ExprKind::variable)
    return std::string();
  if (item.kind != ExprKind::select || item.attrpath.empty())
    return std::nullopt;
  const std::size_t end =
      item.attrpath.size() > 1
          ? item.attrpath[item.attrpath.size() - 2].range.end
          : source.at(item.base).range.end;
  return std::string(source.text_of({item.range.begin, end}));
}

bool can_qualify(const nix::Source& source, const nix::Node& node) {
  if (node.form == nix::NodeForm::inherited)
    return false;
  const Expr& expr = source.at(source.strip(node.expr));
  return expr.kind == ExprKind::variable || expr.kind == ExprKind::select;
}

std::string first_name(const std::string& attribute) {
  return attribute.substr(0, attribute.find('.'));
}

}  // namespace

Namer::Namer(const Situation& situation, std::filesystem::path file,
             ExprId place, const PythonSet* python)
    : situation_(situation),
      file_(std::move(file)),
      place_(place),
      python_(python) {}

/// Expressions in scope that mean the set, each with how often the list's own
/// items are spelled through it.
std::vector<Namer::Door> Namer::doors_to(SetRef::From from) const {
  const auto& source = situation_.source(file_);
  const Expr& place = source.at(place_);
  std::vector<Door> doors;
  const auto add = [&](const std::string& text, int base) {
    Door door{text, base};
    for (const ExprId item : place.items)
      if (qualifier_of(source, item) == text)
        door.rank += 10;
    doors.push_back(door);
  };
  const auto withs = enclosing_withs(source, place_);
  const auto visit = [&](const nix::Node& node, const std::string& suffix) {
    if (node.file != file_)
      return;
    const bool open = suffix.empty() &&
                      node.form == nix::NodeForm::expression &&
                      std::any_of(withs.begin(), withs.end(), [&](ExprId head) {
                        return source.strip(head) == source.strip(node.expr);
                      });
    if (open)
      add("", 3);
    if (can_qualify(source, node) &&
        means_the_same_at(source, node.expr, place_))
      // The set itself reads better than the way through its interpreter.
      add(std::string(source.text_of(node.range)) + suffix,
          suffix.empty() ? 2 : 1);
  };
  if (from == SetRef::From::python && python_ != nullptr)
    for (const auto* node : python_->doors())
      visit(*node, node->is(nix::Role::python_packages) ? "" : ".pkgs");
  if (from == SetRef::From::top)
    for (const auto* node : top_sets(situation_))
      visit(*node, "");
  return doors;
}

bool Namer::shadowed(const std::string& name,
                     const std::vector<ExprId>& withs_needed) const {
  const auto& source = situation_.source(file_);
  const Binder binder = binder_of(source, place_, name);
  if (binder.kind != Binder::Kind::with)
    return true;
  for (const ExprId head : binder.withs) {
    const bool is_door = std::any_of(
        withs_needed.begin(), withs_needed.end(), [&](ExprId needed) {
          return source.strip(needed) == source.strip(head);
        });
    if (is_door)
      return false;
    // An inner `with` of another set: known to lack the name, or in the way.
    const bool is_python =
        python_ != nullptr &&
        std::any_of(python_->doors().begin(), python_->doors().end(),
                    [&](const nix::Node* node) {
                      return node->file == file_ &&
                             node->is(nix::Role::python_packages) &&
                             source.strip(node->expr) == source.strip(head);
                    });
    if (!is_python || !python_->has({name}).empty())
      return true;
  }
  return true;
}

std::optional<std::string> Namer::by_formal(const SetRef& ref) {
  const auto& source = situation_.source(file_);
  const std::string name = first_name(ref.attribute);
  const auto function = enclosing_formals(source, place_);
  if (!function || !nix::is_identifier(name))
    return std::nullopt;
  const Expr& expr = source.at(*function);
  for (const auto& formal : expr.formals) {
    if (formal.name == name)
      return ref.attribute;
    // `{ pkgs ? import … }`: nobody fills further formals.
    if (formal.name == "pkgs")
      return std::nullopt;
  }
  if (binder_of(source, place_, name).at != nix::no_expr)
    return std::nullopt;
  const nix::Edit edit = nix::add_formal(source, *function, name);
  if (std::find(edits_.begin(), edits_.end(), edit) == edits_.end())
    edits_.push_back(edit);
  return ref.attribute;
}

std::optional<std::string> Namer::spell(const SetRef& ref) {
  const auto& source = situation_.source(file_);
  auto doors = doors_to(ref.from);
  std::stable_sort(doors.begin(), doors.end(),
                   [](const Door& a, const Door& b) {
                     return a.rank != b.rank ? a.rank > b.rank
                                             : a.text.size() < b.text.size();
                   });
  std::vector<ExprId> heads;
  const auto collect = [&](const nix::Node& node, nix::Role role) {
    if (node.file == file_ && node.is(role))
      heads.push_back(node.expr);
  };
  if (ref.from == SetRef::From::python && python_ != nullptr)
    for (const auto* node : python_->doors())
      collect(*node, nix::Role::python_packages);
  if (ref.from == SetRef::From::top)
    for (const auto* node : top_sets(situation_))
      collect(*node, nix::Role::package_set);

  const std::string name = first_name(ref.attribute);
  const Expr& place = source.at(place_);
  const bool siblings_are_formals =
      std::any_of(place.items.begin(), place.items.end(), [&](ExprId item) {
        const Expr& expr = source.at(source.strip(item));
        return expr.kind == ExprKind::variable &&
               binder_of(source, place_, expr.name).kind ==
                   Binder::Kind::parameter;
      });
  if (siblings_are_formals && (doors.empty() || doors.front().rank < 10))
    if (auto spelled = by_formal(ref))
      return spelled;
  for (const Door& door : doors) {
    if (door.text.empty()) {
      if (nix::is_identifier(name) && !shadowed(name, heads))
        return ref.attribute;
      continue;
    }
    return door.text + "." + ref.attribute;
  }
  if (auto spelled = by_formal(ref))
    return spelled;
  if (ref.from == SetRef::From::python && python_ != nullptr)
    // Through the whole set, where that is at hand.
    return Namer(situation_, file_, place_, nullptr)
        .spell({SetRef::From::top,
                python_->attribute() + "Packages." + ref.attribute});
  return std::nullopt;
}

}  // namespace autopin::fix
