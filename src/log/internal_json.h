#pragma once
// One line of `--log-format internal-json` (libutil/logging.cc): an activity
// that starts or stops, a result of one, or a message. Only what a build log
// needs is taken; unknown types and actions are no errors.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace autopin {

struct JsonEvent {
  enum class Kind {
    build_start,
    stop,
    log_line,
    phase,
    message,
    own_phase,
    other
  };
  Kind kind = Kind::other;
  std::uint64_t activity = 0;
  /// The .drv of a build, a log line, a phase, or a message (many lines).
  std::string text;
};

/// `line` begins with "@nix "; nothing where the rest is no JSON object.
std::optional<JsonEvent> parse_internal_json(std::string_view line);

}  // namespace autopin
