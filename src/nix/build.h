#pragma once
// Builds what was instantiated, as nix-build would, and shells as nix-shell
// would: their inputs, not themselves, since under nix-build they fail by
// design.

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "io/world.h"
#include "nix/invocation.h"
#include "nix/shell.h"
#include "nix/store.h"

namespace autopin::nix {

/// What to realise; Builder::plan makes it.
struct BuildPlan {
  std::vector<std::string> targets;  ///< "….drv" or "….drv!output"
  bool shell = false;                ///< The draft's own drvs are shells.
  std::string why_shell;             ///< For the reader; "" unless a shell.
};

struct BuildResult {
  int exit_code = 0;
  bool timed_out = false;
  /// Standard error: internal-json, one event a line, and what else was said.
  std::string log;
  std::vector<std::string> out_paths;
  /// Links that were made, absolute.
  std::vector<std::filesystem::path> out_links;
  bool ok() const { return exit_code == 0; }
};

class Builder {
 public:
  Builder(World& world, Invocation invocation);

  /// Shells among the targets are replaced by their inputs.
  BuildPlan plan(Store& store, const std::vector<std::string>& targets) const;
  /// `nix-build --log-format internal-json -v --keep-going`. Bytes go to `sink`
  /// as they come. For a shell no out-link is made.
  BuildResult build(const BuildPlan& plan, const OutputSink& sink,
                    std::chrono::milliseconds timeout);

 private:
  World& world_;
  Invocation invocation_;
};

}  // namespace autopin::nix
