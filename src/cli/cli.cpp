#include "cli/cli.h"

#include <array>

#include <CLI/CLI.hpp>

#include "cli/build.h"
#include "cli/diagnose.h"
#include "cli/docs.h"
#include "cli/resolve.h"
#include "cli/rules.h"
#include "cli/suggest.h"

namespace autopin {

namespace {

constexpr std::array<AddCommand, 7> commands = {
    add_build_command,  add_suggest_command, add_diagnose_command,
    add_replay_command, add_rules_command,   add_resolve_command,
    add_docs_command,
};

}  // namespace

int run_cli(int argc, const char* const* argv) {
  CLI::App app(
      "Makes a failing Nix expression build, by the smallest changes that "
      "rules know.",
      "autopin");
  app.set_version_flag("--version", "autopin " AUTOPIN_VERSION);
  app.require_subcommand(1);
  int exit_code = 0;
  for (const AddCommand add : commands)
    add(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : 1;
  }
  return exit_code;
}

}  // namespace autopin
