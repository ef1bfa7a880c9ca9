#pragma once
// Which expression of the draft made which derivation. Text search cannot know;
// the evaluator can: each candidate expression is wrapped in a function that
// emits a trace line when the derivation it became is used, and the copy so
// instrumented is instantiated once. Nothing is forced that the draft does not
// force, and the drvPaths are checked to be those of the plain evaluation.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "nix/evaluator.h"

namespace autopin::nix {

/// What a value of an expression was.
enum class Role {
  derivation,
  python_packages,  ///< A set with buildPythonPackage and python.
  interpreter,      ///< A Python that has pkgs and withPackages.
  package_set       ///< A whole set: stdenv, callPackage and path.
};

/// Attribute-name checks on a derivation, and what it says of itself.
struct DerivationRecord {
  /// "" where the draft only overrode the derivation and built another from it:
  /// then the has_… are known, and nothing else.
  std::string drv;
  std::string output;  ///< The output that was used: "out", "dev", …
  std::string name;
  std::string pname;     ///< "" where it has none.
  std::string version;   ///< "" where it has none.
  std::string position;  ///< meta.position, "FILE:LINE", or "".
  bool has_override = false;
  bool has_override_attrs = false;
  bool has_override_python_attrs = false;
  bool has_override_derivation = false;
  bool is_interpreter = false;
};

/// How the node stands in the source.
enum class NodeForm {
  expression,     ///< range is that of an Expr.
  select_prefix,  ///< `a.b` of `a.b.c`: range ends before the last names.
  inherited       ///< a name in `inherit (e) …;` or `inherit …;`
};

struct Node {
  std::filesystem::path file;
  Range range;
  NodeForm form = NodeForm::expression;
  /// The Expr with this range; for the other forms the select, or the attrset
  /// or let that holds the inherit.
  ExprId expr = no_expr;
  std::vector<Role> roles;  ///< Each that some value of it had.
  /// One for each derivation and output that it made; several where it stands
  /// in a function that is called more than once.
  std::vector<DerivationRecord> records;

  bool is(Role role) const;
  bool made(std::string_view drv) const;
};

struct ProbeResult {
  /// In source order, an outer node before those within; only nodes whose value
  /// was a derivation or one of the sets.
  std::vector<Node> nodes;
  std::size_t candidates = 0;
  /// The instrumented evaluation's end: its drvs, or how it failed (then nodes
  /// are those met before the failure).
  Evaluation evaluation;
  /// False where no instrumentation kept the drvPaths; nodes is then empty.
  bool faithful = true;
  /// Files left out since instrumenting them changed a drvPath.
  std::vector<std::filesystem::path> left_out;

  /// Nodes that made `drv`, outermost first.
  std::vector<const Node*> makers(std::string_view drv) const;
  const Node* outermost(std::string_view drv) const;
  const Node* innermost(std::string_view drv) const;
  std::vector<const Node*> with_role(Role role) const;
  /// Every .drv that some node made.
  std::vector<std::string> drvs() const;
};

/// `plain` are the drvs of the plain evaluation, where it succeeded.
ProbeResult probe(Evaluator& evaluator, const Draft& draft,
                  const std::vector<std::string>& plain);

/// What an override at a node may name. Asked separately, as it evaluates more.
struct OverrideArguments {
  std::vector<std::string> names;
  /// True where they are the function's formals: another argument is refused,
  /// or without effect. False where the function takes whatever it is given (as
  /// what stands inline in an old Python set does); there are no names then.
  bool closed = false;
};
std::vector<std::optional<OverrideArguments>> override_arguments(
    Evaluator& evaluator, const Draft& draft,
    const std::vector<const Node*>& nodes);

/// The interpreter behind a set, an interpreter or a Python package: two doors
/// lead to one set where `drv` is the same.
struct Interpreter {
  std::string drv;
  std::string version;         ///< "3.11"
  std::string implementation;  ///< "cpython", or "" where it does not say.
};
std::vector<std::optional<Interpreter>> interpreters(
    Evaluator& evaluator, const Draft& draft,
    const std::vector<const Node*>& nodes);

}  // namespace autopin::nix
