#pragma once
// What a source tree asks for in its own build files. setup.py is read by
// parsing and never run: lists of literal strings are facts, and what would
// have to be computed is called opaque, so that nobody takes an empty list for
// "needs nothing". Old packages say their test needs only here.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace autopin::python {

/// Requirement texts as written. A list that is absent from the file, or is
/// wholly computed, is not set. One that is computed in part holds what is
/// literal. Each that is computed, wholly or in part, is named in `opaque`.
struct DeclaredRequirements {
  using List = std::vector<std::string>;
  std::optional<List> install_requires;
  std::optional<List> setup_requires;
  std::optional<List> tests_require;
  std::optional<std::map<std::string, List>> extras_require;
  /// build-system.requires of pyproject.toml.
  std::optional<List> build_requires;
  std::string python_requires;
  /// Keywords whose value, or part of it, would have to be computed.
  std::vector<std::string> opaque;
};

DeclaredRequirements read_setup_py(std::string_view source);
DeclaredRequirements read_setup_cfg(std::string_view text);
/// build-system.requires, and of [project] dependencies, optional-dependencies
/// and requires-python (PEP 518, 621).
DeclaredRequirements read_pyproject(std::string_view text);
/// requirements*.txt: requirement lines only; options and URLs are left out.
DeclaredRequirements::List read_requirements_txt(std::string_view text);

/// `over` wins where both declare a list (pyproject over setup.cfg over
/// setup.py, as setuptools has it).
DeclaredRequirements merge(DeclaredRequirements base,
                           const DeclaredRequirements& over);

}  // namespace autopin::python
