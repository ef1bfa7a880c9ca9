#pragma once
// `autopin suggest`: one round from a log that somebody already has.

#include "cli/cli.h"

namespace autopin {

void add_suggest_command(CLI::App& app, int& exit_code);

}  // namespace autopin
