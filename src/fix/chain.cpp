#include "fix/chain.h"

#include <algorithm>
#include <array>

namespace autopin::fix {
namespace {

using nix::Expr;
using nix::ExprId;
using nix::ExprKind;
using nix::Source;

Layer layer_of(const Source& source, ExprId call, std::string function) {
  Layer layer;
  layer.function = std::move(function);
  layer.call = call;
  layer.argument = source.strip(source.at(call).argument);
  if (const auto body = literal_body(source, layer.argument)) {
    layer.attrset = body->attrset;
    // `final: prev:` has the previous attributes second, `old:` first.
    if (!body->parameters.empty())
      layer.previous = body->parameters.back();
  }
  return layer;
}

}  // namespace

bool is_override_function(std::string_view name) {
  constexpr std::array<std::string_view, 4> names{
      "override", "overrideAttrs", "overrideDerivation", "overridePythonAttrs"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<LiteralBody> literal_body(const Source& source, ExprId id) {
  LiteralBody found;
  while (id != nix::no_expr) {
    const Expr& expr = source.at(id);
    switch (expr.kind) {
      case ExprKind::attrset:
        found.attrset = id;
        return found;
      case ExprKind::function:
        found.parameters.push_back(expr.name);
        id = expr.body;
        break;
      case ExprKind::parenthesized:
      case ExprKind::let:
      case ExprKind::with:
      case ExprKind::assertion:
        id = expr.body;
        break;
      default:
        return std::nullopt;
    }
  }
  return std::nullopt;
}

Chain chain_of(const Source& source, ExprId id) {
  Chain chain;
  id = source.strip(id);
  for (;;) {
    const Expr& call = source.at(id);
    chain.base = call.range;
    chain.base_expr = id;
    if (call.kind != ExprKind::apply)
      break;
    const Expr& function = source.at(source.strip(call.function));
    if (function.kind != ExprKind::select || function.attrpath.empty() ||
        function.fallback != nix::no_expr ||
        !is_override_function(function.attrpath.back().text))
      break;
    chain.layers.push_back(layer_of(source, id, function.attrpath.back().text));
    if (function.attrpath.size() > 1) {
      const auto& before = function.attrpath[function.attrpath.size() - 2];
      chain.base = {function.range.begin, before.range.end};
      chain.base_expr.reset();
      break;
    }
    id = source.strip(function.base);
  }
  std::reverse(chain.layers.begin(), chain.layers.end());
  return chain;
}

}  // namespace autopin::fix
