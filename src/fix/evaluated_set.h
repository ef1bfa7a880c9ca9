#pragma once
// The Python package set of a nixpkgs that no draft is there for: what `autopin
// resolve --against` compares with. Asked by evaluation, many names at a time.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fix/tables.h"
#include "nix/evaluator.h"
#include "python/package_set.h"
#include "python/target.h"

namespace autopin::fix {

/// An interpreter of the set: "python36", "3.6.8".
struct SetInterpreter {
  std::string attribute;
  std::string version;
  std::string implementation;
  python::Target target;
};

class EvaluatedSet final : public python::PackageSet {
 public:
  /// `expression` is a package set, a function that gives one, a Python package
  /// set or an interpreter; see `set_expression`. `python` chooses among a
  /// package set's interpreters ("3.6", "pypy3.9"); empty: its default one.
  /// Throws Error where it cannot be evaluated or has no such interpreter.
  EvaluatedSet(nix::Evaluator& evaluator, const Tables& tables,
               std::string expression, const std::string& python);

  const SetInterpreter& interpreter() const { return interpreter_; }
  /// All that the package set has.
  const std::vector<SetInterpreter>& interpreters() const {
    return interpreters_;
  }

  std::vector<python::SetPackage> candidates(const std::string& name) override;
  std::vector<python::Demand> demands_on(const std::string&) override {
    return {};
  }
  void expect(const std::vector<std::string>& names) override;

 private:
  void find_interpreters(const std::string& python);
  void choose(const std::string& python, const SetInterpreter& usual);
  std::string ask(const std::string& function);

  nix::Evaluator& evaluator_;
  const Tables& tables_;
  std::string expression_;
  std::string packages_;  ///< Nix: the Python set.
  SetInterpreter interpreter_;
  std::vector<SetInterpreter> interpreters_;
  std::map<std::string, std::vector<python::SetPackage>> known_;
};

/// What a Nix user calls a package set, as an expression and the flags that it
/// needs: "nixpkgs" and "<nixpkgs>" (the search path), a path, a URL of a
/// tarball or "channel:NAME", else an expression.
struct SetExpression {
  std::string expression;
  std::vector<std::string> flags;
};
SetExpression set_expression(const std::string& words);

}  // namespace autopin::fix
