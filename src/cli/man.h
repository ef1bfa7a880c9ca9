#pragma once
// The manual page autopin(1) comes from the same CLI::App as --help, so the two
// cannot drift apart: what a command takes is written down once.

#include <CLI/App.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace autopin {

/// A section that options do not say: exit codes, files, environment.
struct ManSection {
  std::string title;
  /// Term and explanation, in order.
  std::vector<std::pair<std::string, std::string>> entries;
};

/// The page in roff with the man macros (man(7)). Hidden options and commands
/// (those with an empty group) are left out.
std::string man_page(const CLI::App& app, std::string_view version,
                     const std::vector<ManSection>& sections);

}  // namespace autopin
