#pragma once
// `autopin docs`: the manual page and the shell completions, for whoever
// packages the program (CMake's install does). Hidden from --help.

namespace CLI {
class App;
}

namespace autopin {

/// A row for the table of subcommands in cli.cpp.
void add_docs_command(CLI::App& app, int& exit_code);

}  // namespace autopin
