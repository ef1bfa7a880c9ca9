#pragma once
// `autopin rules list|show ID|check`: what the diagnosis knows, and the proof.

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "cli/cli.h"

namespace autopin {

void add_rules_command(CLI::App& app, int& exit_code);

int run_rules_list(const std::vector<std::filesystem::path>& extra,
                   std::ostream& out);
int run_rules_show(const std::vector<std::filesystem::path>& extra,
                   const std::string& id, std::ostream& out);
/// Exit code 1 where a rule is wrong; each problem is a line.
int run_rules_check(const std::vector<std::filesystem::path>& extra,
                    std::ostream& out);

}  // namespace autopin
