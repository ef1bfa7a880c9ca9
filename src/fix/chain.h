#pragma once
// An override chain taken apart:
//   (base.override { … }).overridePythonAttrs (old: { … })
// into its base and its layers, innermost first. Fixes extend a layer that is
// there instead of putting another one on top.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nix/source.h"

namespace autopin::fix {

struct Layer {
  std::string function;                 ///< "override", "overrideAttrs", …
  nix::ExprId call = nix::no_expr;      ///< The apply of this layer.
  nix::ExprId argument = nix::no_expr;  ///< As written, parentheses stripped.
  /// The literal { } that the layer gives, where it is one.
  std::optional<nix::ExprId> attrset;
  /// How the layer's function calls what was before ("old" of `old: …`, "prev"
  /// of `final: prev: …`); empty where it is a plain { }.
  std::string previous;
};

struct Chain {
  /// What the first layer is applied to, without parentheses around it: a
  /// range, since `a.b.override` has no node for `a.b`.
  nix::Range base;
  /// The base as a node of its own, where it is one.
  std::optional<nix::ExprId> base_expr;
  std::vector<Layer> layers;
};

bool is_override_function(std::string_view name);

/// The chain that ends in `id` (parentheses stripped); no layers where `id` is
/// no override call, and then the base is the whole of it.
Chain chain_of(const nix::Source& source, nix::ExprId id);

/// The attrset at the end of a function's parameters, `let`s, `with`s and
/// parentheses: the { } of `old: let … in { }`. Gives the parameters passed.
struct LiteralBody {
  nix::ExprId attrset = nix::no_expr;
  std::vector<std::string> parameters;
};
std::optional<LiteralBody> literal_body(const nix::Source& source,
                                        nix::ExprId id);

}  // namespace autopin::fix
