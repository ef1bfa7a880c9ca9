#pragma once
// `autopin build` and `autopin replay`: the loop, for real or from a tape.

#include "cli/cli.h"

namespace autopin {

void add_build_command(CLI::App& app, int& exit_code);
void add_replay_command(CLI::App& app, int& exit_code);

}  // namespace autopin
