#pragma once
// What may be asked over the network, for the commands that ask an index.

#include <CLI/App.hpp>

namespace autopin {

struct NetworkOptions {
  bool offline = false;
  bool no_cache = false;
};

/// `options` must outlive `command`.
void add_network_options(CLI::App& command, NetworkOptions& options);

}  // namespace autopin
