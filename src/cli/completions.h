#pragma once
// Shell completions from the same CLI::App as --help and the manual page.

#include <CLI/App.hpp>
#include <string>
#include <string_view>

namespace autopin {

/// A completion script for `bash`, `zsh` or `fish`; throws Error for another.
std::string completions(const CLI::App& app, std::string_view shell);

}  // namespace autopin
