#pragma once
// Lexical scope of Nix source: which binder a name has at a place. A fix may
// reuse a text of the draft elsewhere only where every name in it means the
// same there; this is how it knows.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nix/source.h"

namespace autopin::fix {

/// Who gives a variable its value.
struct Binder {
  enum class Kind {
    let,        ///< `let` or `rec { }`: `at` is that expression.
    parameter,  ///< A function's formal, plain parameter or @ name.
    with,       ///< No lexical binder; `withs` may give it.
    global      ///< Nothing encloses it: a builtin, or an error.
  };
  Kind kind = Kind::global;
  nix::ExprId at = nix::no_expr;
  /// Heads of the enclosing `with`s, innermost first, where `kind` is with.
  std::vector<nix::ExprId> withs;
  bool operator==(const Binder&) const = default;
};

/// The binder of `name` as seen from `place` (an expression).
Binder binder_of(const nix::Source& source, nix::ExprId place,
                 std::string_view name);

/// Heads of the `with`s around `place`, innermost first.
std::vector<nix::ExprId> enclosing_withs(const nix::Source& source,
                                         nix::ExprId place);

/// The innermost function around `place` that has formals, if any.
std::optional<nix::ExprId> enclosing_formals(const nix::Source& source,
                                             nix::ExprId place);

/// True where every free variable of `expression` means the same at `place`.
bool means_the_same_at(const nix::Source& source, nix::ExprId expression,
                       nix::ExprId place);

/// True where `ancestor` is `id` or encloses it.
bool encloses(const nix::Source& source, nix::ExprId ancestor, nix::ExprId id);

}  // namespace autopin::fix
