#pragma once
// `autopin diagnose`: why a build failed, from its log alone.

#include <filesystem>
#include <iosfwd>
#include <vector>

#include "cli/cli.h"
#include "cli/diagnosis_text.h"
#include "cli/log_input.h"

namespace autopin {

enum class DiagnoseFormat { text, json, github };

struct DiagnoseOptions {
  LogRequest log;
  DiagnoseFormat format = DiagnoseFormat::text;
  TextStyle style;
  std::vector<std::filesystem::path> rules;  ///< Folders beside the usual ones.
};

void add_diagnose_command(CLI::App& app, int& exit_code);

/// Exit code 0 whenever the log could be read, whatever is in it. `notes` hears
/// which log is taken where that is not the one asked for. Throws Error.
int run_diagnose(World& world, const DiagnoseOptions& options,
                 std::ostream& out, std::ostream& notes);

/// What rules find in one log, with the lines around; those are left out where
/// nobody will see them.
LogFindings read_findings(const RuleSet& rules, const LogInput& log,
                          bool with_excerpts);

/// The usual rules and those in further folders. Throws Error where there are
/// none.
RuleSet rules_for(const std::vector<std::filesystem::path>& extra);

}  // namespace autopin
