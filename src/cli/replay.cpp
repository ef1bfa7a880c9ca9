#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "base/printable.h"
#include "cli/build.h"
#include "cli/recording.h"
#include "report/views.h"

namespace autopin {
namespace {

struct ReplayOptions {
  std::string folder;
  std::vector<std::string> rules;
  bool json = false;
};

int run_replay(const ReplayOptions& options) {
  const auto progress = report::silent_progress();
  const auto replayed = replay(
      options.folder, {options.rules.begin(), options.rules.end()}, *progress);
  if (options.json)
    std::cout << replayed.log;
  else
    std::cout << report::summary(replayed.ended.log);
  if (replayed.difference) {
    std::cerr << "autopin: the replay departs from the recording: "
              << printable(*replayed.difference) << '\n';
    return static_cast<int>(ExitCode::usage);
  }
  return 0;
}

}  // namespace

void add_replay_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* command = app.add_subcommand(
      "replay", "Run a recording again, without Nix and network");
  command->add_option("folder", options->folder, "What --record wrote")
      ->required()
      ->type_name("DIR");
  command->add_option("--rules", options->rules, "A folder with further rules")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command->add_flag("--json", options->json, "Print the patch log");
  command->callback(
      [options, &exit_code] { exit_code = run_replay(*options); });
}

}  // namespace autopin
