#pragma once
// A recorded run as a folder: before.nix (and the draft's other files),
// expected.nix, tape/, log.json, run.json with what was asked. `replay` runs it
// again from the tape alone.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/tape.h"
#include "loop/session.h"

namespace autopin {

class Recording {
 public:
  /// The folder may hold a fixture's draft already; its old tape is replaced.
  Recording(const std::filesystem::path& folder, const Session& session,
            World& real);
  World& world();
  /// Writes what the run ended with.
  void close(const Session& session, const SessionEnd& ended);

 private:
  std::filesystem::path folder_;
  ScrubRules rules_;
  std::unique_ptr<Recorder> recorder_;
};

struct Replayed {
  SessionEnd ended;
  /// The patch log, in the recording's terms: no path of this machine.
  std::string log;
  /// Nothing where `log` is byte for byte the recorded one; else where it
  /// departs.
  std::optional<std::string> difference;
};

Replayed replay(const std::filesystem::path& given,
                const std::vector<std::filesystem::path>& rules,
                report::Progress& progress);

}  // namespace autopin
