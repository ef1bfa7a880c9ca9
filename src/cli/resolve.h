#pragma once
// `autopin resolve`: what the loop does with a missing version, by hand. From
// requirements to the pins that make them hold, with reasons and hashes.

#include <iosfwd>
#include <string>
#include <vector>

#include "cli/network_options.h"
#include "io/world.h"
#include "python/resolve.h"

namespace CLI {
class App;
}

namespace autopin {

enum class ResolutionFormat { text, json, nix };

struct ResolveCommand {
  std::vector<std::string> requirements;
  std::string python;    ///< Empty: the set's default one, else 3.11.
  std::string platform;  ///< Empty: the set's, else x86_64-linux.
  std::string against;   ///< A package set; see fix::set_expression.
  std::vector<std::string> evaluation_flags;
  std::string index_url;
  std::vector<std::string> extra_index_urls;
  std::vector<std::string> find_links;
  NetworkOptions network;
  std::vector<std::string> wheels;  ///< Projects to take as wheels.
  bool all_wheels = false;
  bool prereleases = false;
  bool no_tests = false;  ///< Leave build and test needs aside.
  ResolutionFormat format = ResolutionFormat::text;
};

void add_resolve_command(CLI::App& app, int& exit_code);

/// Exit code cannot_fix where there is no solution; the text then says why.
/// Throws Error for what is no requirement or target, and for failing indexes.
int run_resolve(const ResolveCommand& command, World& world, std::ostream& out);

}  // namespace autopin
