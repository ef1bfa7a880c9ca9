#pragma once
// The doors of a draft to one interpreter's packages, as they stand in its
// source: `python36Packages`, `pkgs.python36`, `pkgs.python36.pkgs`. What is
// bound to a name by the draft itself is no door of its own: it follows from
// where it was bound.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fix/python_set.h"
#include "fix/situation.h"

namespace autopin::fix {

struct Door {
  std::filesystem::path file;
  nix::Range range;                 ///< "pkgs.python36Packages"
  nix::ExprId expr = nix::no_expr;  ///< The expression that it is (part of).
  std::string root;                 ///< "pkgs." or ""
  std::string name;                 ///< "python36Packages"
  bool is_set = true;               ///< Else the interpreter.

  /// "python36"
  std::string interpreter_name() const;
};

/// In source order, each place once.
std::vector<Door> root_doors(const Situation& situation, const PythonSet& set);

/// `X.override { packageOverrides = …; }` in the draft.
struct OverriddenInterpreter {
  std::filesystem::path file;
  nix::ExprId value = nix::no_expr;  ///< Of packageOverrides.
  /// Where it is `self: super: { … }`: the { } and the names.
  std::optional<nix::ExprId> attrset;
  std::string self;
  std::string super;
};
std::optional<OverriddenInterpreter> overridden_interpreter(
    const Situation& situation, const PythonSet& set);

/// Where a `let` would be seen by all the doors and sees what they rest on.
struct LetHost {
  nix::ExprId let = nix::no_expr;   ///< One that is there, to be extended; or
  nix::ExprId body = nix::no_expr;  ///< the expression to put one before.
};
std::optional<LetHost> let_host(const nix::Source& source,
                                const std::vector<Door>& doors);

}  // namespace autopin::fix
