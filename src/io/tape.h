#pragma once
// Record and replay of the impure edge, at the bytes: a replay runs all the
// real parsers and needs neither Nix nor network.
//
// A tape is a folder: `events.jsonl`, one event a line in the order they
// happened, and `blobs/<sha256>` for what is long or no text. Each line ends in
// a digest of itself and the line before; so no byte can change unnoticed.
// Paths of the machine are placeholders (scrub.h); what opens a door is gone.
// HTTP bodies are as they came, but for signatures in the links of index pages.

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "io/scrub.h"
#include "io/world.h"

namespace autopin {

/// A replay asked for something else than the recording did. Not an Error, so
/// that nobody takes it for a fault of the world and goes on without.
class Departure : public std::runtime_error {
 public:
  Departure(std::string_view what, std::string_view where, std::string_view why)
      : std::runtime_error(std::string(what) + ": " + std::string(where) +
                           ": " + std::string(why)) {}
};

/// Writes down what `real` is asked and answers. The run itself sees all
/// answers as they are.
class Recorder {
 public:
  /// `folder` must not exist or be empty. Throws Error.
  Recorder(const std::filesystem::path& folder, ScrubRules rules, World& real);
  ~Recorder();
  World& world();
  /// Ends the tape; one that was not ended cannot be replayed.
  void close();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Which writes of a replay also happen for real, and by whom.
struct Mirror {
  Files* files = nullptr;
  std::vector<std::filesystem::path> folders;
};

/// Answers as the tape has it. Each interface is strictly in order; a request
/// that is not the recorded one is an Error that says where it departs.
class Player {
 public:
  /// `rules` has the same placeholders as the recording's, with the paths of
  /// this run. Throws Error where a byte of the tape was changed.
  Player(const std::filesystem::path& folder, ScrubRules rules,
         Mirror mirror = {});
  ~Player();
  World& world();
  /// To be called at the end: Error where the tape has more than was asked.
  void finish();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

struct RecordedCommand {
  int event = 0;
  std::vector<std::string> argv;  ///< With placeholders.
  int exit_code = 0;
};

/// The commands of a tape that ended with another exit code than 0, in order.
std::vector<RecordedCommand> failing_commands(
    const std::filesystem::path& folder);

/// Where two texts first differ, for a person: 'byte 12 (line 2): "…x…" where
/// "…y…" was expected'; "" where they do not.
std::string first_difference(std::string_view expected,
                             std::string_view actual);

}  // namespace autopin
