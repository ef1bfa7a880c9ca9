#include "fix/place.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"

namespace autopin::fix {
namespace {

using nix::Expr;
using nix::ExprId;
using nix::ExprKind;
using nix::Source;

/// The last name of what an apply calls: "buildPythonPackage" of
/// `py.buildPythonPackage rec { … }`, through curried arguments.
std::string called_name(const Source& source, ExprId apply) {
  ExprId id = apply;
  while (source.at(id).kind == ExprKind::apply)
    id = source.strip(source.at(id).function);
  const Expr& head = source.at(id);
  if (head.kind == ExprKind::variable)
    return head.name;
  if (head.kind == ExprKind::select && !head.attrpath.empty())
    return head.attrpath.back().text;
  return {};
}

bool looks_like_builder(const Source& source, const std::string& function,
                        ExprId attrset) {
  constexpr std::array<std::string_view, 3> loaders{"callPackage", "import",
                                                    "callPackageWith"};
  if (std::find(loaders.begin(), loaders.end(), function) != loaders.end())
    return false;
  if (function.starts_with("build") || function.starts_with("mk") ||
      function.starts_with("runCommand"))
    return true;
  return source.find_binding(attrset, "pname") != nullptr ||
         source.find_binding(attrset, "name") != nullptr ||
         source.find_binding(attrset, "src") != nullptr;
}

/// What a builder is given.
struct Given {
  ExprId attrset = nix::no_expr;
  std::string merged;  ///< `common` of `common // { … }`.
};

/// The literal { } among the arguments of a builder's call.
std::optional<Given> builder_attrset(const Source& source, ExprId apply) {
  const std::string function = called_name(source, apply);
  for (ExprId id = apply; source.at(id).kind == ExprKind::apply;
       id = source.strip(source.at(id).function)) {
    Given given;
    ExprId argument = source.strip(source.at(id).argument);
    if (const Expr& both = source.at(argument); both.kind == ExprKind::binary &&
                                                both.op == "//" &&
                                                both.children.size() == 2) {
      const ExprId left = source.strip(both.children[0]);
      if (source.at(left).kind != ExprKind::variable &&
          source.at(left).kind != ExprKind::select)
        continue;
      given.merged = source.text_of(left);
      argument = source.strip(both.children[1]);
    }
    const auto body = literal_body(source, argument);
    if (!body || !looks_like_builder(source, function, body->attrset))
      continue;
    given.attrset = body->attrset;
    return given;
  }
  return std::nullopt;
}

std::optional<Place> place_at(const Situation& situation, const nix::Node& node,
                              const std::string& drv) {
  if (node.form != nix::NodeForm::expression)
    return std::nullopt;
  const Source& source = situation.source(node.file);
  Place place;
  place.file = node.file;
  place.expr = source.strip(node.expr);
  for (const auto& record : node.records)
    if (record.drv == drv)
      place.record = record;
  const Expr& expr = source.at(place.expr);
  place.chain = chain_of(source, place.expr);
  if (!place.chain.layers.empty()) {
    const Layer& last = place.chain.layers.back();
    place.function = last.function;
    place.kind = Place::Kind::reference;
    if (last.attrset && last.function != "override") {
      place.kind = Place::Kind::layer;
      place.attrset = *last.attrset;
      place.previous = last.previous;
    }
    return place;
  }
  if (expr.kind == ExprKind::apply) {
    const auto given = builder_attrset(source, place.expr);
    if (!given) {
      if (called_name(source, place.expr) == "callPackage")
        return place;
      return std::nullopt;
    }
    place.kind = Place::Kind::builder;
    place.attrset = given->attrset;
    place.previous = given->merged;
    place.function = called_name(source, place.expr);
    return place;
  }
  if (expr.kind == ExprKind::variable || expr.kind == ExprKind::select)
    return place;
  return std::nullopt;
}

/// A variable whose `let` or formal merely passes on what another node made.
int order_of(const Place& place) {
  switch (place.kind) {
    case Place::Kind::builder:
      return 0;
    case Place::Kind::layer:
      return 1;
    case Place::Kind::reference:
      return 2;
  }
  return 3;
}

}  // namespace

std::vector<Place> places_of(const Situation& situation,
                             const std::string& drv) {
  std::vector<Place> places;
  std::set<std::pair<std::filesystem::path, ExprId>> seen;
  for (const auto* node : situation.probe().makers(drv)) {
    auto place = place_at(situation, *node, drv);
    if (!place)
      continue;
    const ExprId key =
        place->kind == Place::Kind::reference ? place->expr : place->attrset;
    if (seen.emplace(place->file, key).second)
      places.push_back(std::move(*place));
  }
  std::stable_sort(
      places.begin(), places.end(),
      [](const Place& a, const Place& b) { return order_of(a) < order_of(b); });
  return places;
}

bool is_python_package(const Situation& situation, const std::string& drv) {
  for (const auto* node : situation.probe().makers(drv))
    for (const auto& record : node->records)
      if (record.drv == drv && record.has_override_python_attrs)
        return true;
  for (const auto& place : places_of(situation, drv))
    if (place.function.starts_with("buildPython") ||
        place.function == "overridePythonAttrs")
      return true;
  // What the builders of all ages leave behind, whatever the package is called.
  const auto& derivation = situation.store().derivation(drv);
  if (derivation.attribute("pythonPath") ||
      derivation.attribute("pythonImportsCheck"))
    return true;
  const std::string name = derivation.name();
  return name.starts_with("python") || name.starts_with("pypy");
}

std::vector<std::string> arguments_at(const PythonSet& set,
                                      const Place& place) {
  const std::string base(
      set.situation().source(place.file).text_of(place.chain.base));
  const std::size_t dot = base.rfind('.');
  const auto attribute = set.attribute_named(
      dot == std::string::npos ? base : base.substr(dot + 1));
  return attribute ? attribute->arguments : std::vector<std::string>{};
}

}  // namespace autopin::fix
