#pragma once
// The command line: one row per subcommand. A subcommand is a file of its own
// that adds its options and, when chosen, leaves its exit code.

namespace CLI {
class App;
}

namespace autopin {

/// Adds one subcommand to `app`; when it is the one given, it runs during
/// parsing and stores its exit code.
using AddCommand = void (*)(CLI::App& app, int& exit_code);

/// The whole program but for the catch-all. Returns the exit code.
int run_cli(int argc, const char* const* argv);

}  // namespace autopin
