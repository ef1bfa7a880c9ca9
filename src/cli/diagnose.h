#pragma once
// `autopin diagnose`: why a build failed, from its log alone.

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "cli/cli.h"

namespace autopin {

enum class DiagnoseFormat { text, json, github };

struct DiagnoseOptions {
  std::string log = "-";  ///< A file, or "-" for standard input.
  DiagnoseFormat format = DiagnoseFormat::text;
  bool all = false;      ///< Consequences too.
  bool explain = false;  ///< Why this rule, and what it explains.
  bool colour = false;
  std::vector<std::filesystem::path> rules;  ///< Folders beside the usual ones.
};

void add_diagnose_command(CLI::App& app, int& exit_code);

/// Exit code 0 whenever the log could be read. Throws Error where not.
int run_diagnose(const DiagnoseOptions& options, std::ostream& out);

}  // namespace autopin
