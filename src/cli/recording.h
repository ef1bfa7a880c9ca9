#pragma once
// A recorded run as a folder: before.nix (and the draft's other files),
// expected.nix, tape/, log.json, run.json with what was asked. `replay` runs it
// again from the tape alone.

#include <filesystem>
#include <memory>

#include "io/tape.h"
#include "loop/session.h"

namespace autopin {

class Recording {
 public:
  /// The folder may hold a fixture's draft already; its old tape is replaced.
  Recording(std::filesystem::path folder, const Session& session, World& real);
  World& world();
  /// Writes what the run ended with.
  void close(const Session& session, const SessionEnd& ended);

 private:
  std::filesystem::path folder_;
  ScrubRules rules_;
  std::unique_ptr<Recorder> recorder_;
};

/// Replays a folder. Nothing where the patch log came out byte for byte as
/// recorded; else where it departs.
std::optional<std::string> replay(
    const std::filesystem::path& folder,
    const std::vector<std::filesystem::path>& rules, report::Progress& progress,
    SessionEnd& ended);

}  // namespace autopin
