#pragma once
// What the manual page and the shell completions both want to know of a
// CLI::App, so that hidden things stay hidden in both.

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace autopin {

/// Subcommands in the order they were added, without hidden ones.
std::vector<const CLI::App*> visible_commands(const CLI::App& app);

/// Options and positionals in the order they were added, without hidden ones
/// and without the --help that every subcommand has.
std::vector<const CLI::Option*> visible_options(const CLI::App& app);

/// `-A`, `--attr`: with dashes, short ones first; empty for a positional.
std::vector<std::string> option_names(const CLI::Option& option);

/// What stands for the value, e.g. `FILE`; empty for a flag.
std::string option_value(const CLI::Option& option);

}  // namespace autopin
