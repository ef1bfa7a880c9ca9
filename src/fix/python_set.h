#pragma once
// The Python package set that a failing derivation belongs to: through which
// expressions of the draft it is reached ("doors"), and what it holds, found by
// evaluation, never by surgery on store names.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fix/situation.h"
#include "python/package_set.h"
#include "python/target.h"

namespace autopin::fix {

/// What the set says of one attribute.
struct SetAttribute {
  std::string attribute;
  std::string drv;
  std::string name;     ///< The distribution's name as the set spells it.
  std::string version;  ///< "" where it has none.
  bool has_override = false;
  bool has_override_python_attrs = false;
  bool has_override_attrs = false;
  /// Argument names of its function; empty where they cannot be known.
  std::vector<std::string> arguments;
  /// Names of what was given to buildPythonPackage ("src", "format", …), as
  /// overridePythonAttrs sees them; empty where it has no such function.
  std::vector<std::string> given;
  std::string format;  ///< "setuptools", "wheel", "pyproject"; "" if unknown.
};

class PythonSet {
 public:
  /// The set that `drv` was built from, if the draft has a door to it.
  static std::optional<PythonSet> of(const Situation& situation,
                                     const std::string& drv);

  const Situation& situation() const { return *situation_; }
  /// Expressions whose value is the set or its interpreter.
  const std::vector<const nix::Node*>& doors() const { return doors_; }
  const nix::Interpreter& interpreter() const { return interpreter_; }
  /// Name of the interpreter's attribute in the whole set: "python36".
  const std::string& attribute() const { return attribute_; }
  python::Target target() const;

  /// Attributes that may hold the distribution: the plain spelling first, then
  /// numbered ones (click_5). Each exists and evaluates.
  std::vector<SetAttribute> find(std::string_view distribution) const;
  /// One attribute by its exact name.
  std::optional<SetAttribute> attribute_named(std::string_view name) const;
  /// Which of the names the set has.
  std::vector<std::string> has(const std::vector<std::string>& names) const;

 private:
  PythonSet(const Situation& situation, const nix::Node& asked)
      : situation_(&situation), asked_(&asked) {}
  std::vector<SetAttribute> query(const std::string& selection) const;
  std::optional<std::string> ask(const std::string& function) const;

  const Situation* situation_;
  const nix::Node* asked_;
  std::vector<const nix::Node*> doors_;
  nix::Interpreter interpreter_;
  std::string attribute_;
};

/// The set as the resolver wants it.
class SetForResolver final : public python::PackageSet {
 public:
  explicit SetForResolver(const PythonSet& set) : set_(set) {}
  std::vector<python::SetPackage> candidates(const std::string& name) override;
  std::vector<python::Demand> demands_on(const std::string& name) override;
  bool runs_tests(const std::string& name) override;

 private:
  const PythonSet& set_;
};

}  // namespace autopin::fix
