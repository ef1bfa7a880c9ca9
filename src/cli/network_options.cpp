#include "cli/network_options.h"

#include <CLI/CLI.hpp>

namespace autopin {

void add_network_options(CLI::App& command, NetworkOptions& options) {
  CLI::Option* offline =
      command.add_flag("--offline", options.offline,
                       "Ask no index: what the cache and local indexes have "
                       "must do (Nix's own downloads are not meant)");
  command
      .add_flag("--no-cache", options.no_cache,
                "Neither use nor fill the cache of index pages and files")
      ->excludes(offline);
}

}  // namespace autopin
