#pragma once
// `autopin rules list|show ID|kinds|check|new`: what the diagnosis knows, the
// proof, and the way to a rule more.

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "cli/log_input.h"

namespace autopin {

void add_rules_command(CLI::App& app, int& exit_code);

/// Each prints JSON where `json` is set.
int run_rules_list(const std::vector<std::filesystem::path>& extra, bool json,
                   std::ostream& out);
int run_rules_show(const std::vector<std::filesystem::path>& extra,
                   const std::string& id, bool json, std::ostream& out);
/// The table of kinds, as rules/README.md has it.
int run_rules_kinds(const std::vector<std::filesystem::path>& extra, bool json,
                    std::ostream& out);
/// Exit code 1 where a rule is wrong; each problem is a line.
int run_rules_check(const std::vector<std::filesystem::path>& extra, bool json,
                    std::ostream& out);

struct NewRule {
  LogRequest from;
  std::string id;  ///< "": made of the line's words.
  long line = 0;   ///< What it is about; 0: the key line of the log.
  std::vector<std::filesystem::path> rules;
};

/// Prints the skeleton of a rule for a log; `notes` hears what is left to do.
/// Throws Error where no line offers itself.
int run_rules_new(World& world, const NewRule& wanted, std::ostream& out,
                  std::ostream& notes);

}  // namespace autopin
