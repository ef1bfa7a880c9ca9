#pragma once
// Environment markers (PEP 508): "; python_version < '3.4'". They are evaluated
// for the interpreter and platform that the derivation builds for, which is
// seldom the Python that happens to run on this machine.

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace autopin::python {

/// The variables of PEP 508, "Environment Markers", by their names there.
struct MarkerEnvironment {
  std::string implementation_name;
  std::string implementation_version;
  std::string os_name;
  std::string platform_machine;
  std::string platform_python_implementation;
  std::string platform_release;
  std::string platform_system;
  std::string platform_version;
  std::string python_full_version;
  std::string python_version;
  std::string sys_platform;

  /// The value of a variable; nothing for a name that is none, "extra"
  /// included.
  const std::string* find(std::string_view variable) const;
};

/// A parsed marker. Cheap to copy; immutable.
class Marker {
 public:
  struct Node;  // in marker_node.h
  using NodePtr = std::shared_ptr<const Node>;
  struct Operand {
    bool is_variable = false;
    std::string text;
    bool is_extra() const { return is_variable && text == "extra"; }
  };

  static std::optional<Marker> parse(std::string_view text);

  /// `extra` is what "extra" means in the expression, "" where none is asked.
  /// Nothing where a comparison is undefined (PEP 508: an operator that is
  /// defined neither for versions nor for strings, such as "~=" on a name).
  std::optional<bool> evaluate(const MarkerEnvironment& environment,
                               std::string_view extra = {}) const;

  /// The names that "extra" is compared with, normalised.
  std::set<std::string> extras() const;

  std::string text() const;

  explicit Marker(NodePtr root) : root_(std::move(root)) {}

 private:
  NodePtr root_;
};

}  // namespace autopin::python
