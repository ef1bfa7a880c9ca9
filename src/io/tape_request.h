#pragma once
// A call of the edge as the value that a tape keeps, made the same way when it
// is recorded and when it is compared. Only the tape's own files include this.

#include <functional>
#include <string>
#include <string_view>

#include "io/tape_codec.h"
#include "io/world.h"

namespace autopin {

/// The events of one interface are in order among themselves.
enum class TapeTrack { commands, http, files, clock, environment };

/// Kinds of events: "command", "get", "read", "write", "append", "exists",
/// "remove", /// "make-folders", "temporary-folder", "list", "now", "variable".
TapeTrack track_of(std::string_view kind);

TapeJson request_of(const Command& command);
TapeJson request_of(const HttpRequest& request);
TapeJson request_of(const std::filesystem::path& path);
TapeJson request_of(const std::filesystem::path& path,
                    std::string_view content);

/// Headers that say something of the body or the way to it; the others
/// (cookies, servers' names) never reach the tape.
bool is_kept_header(const std::string& name);

using TextChange = std::function<std::string(std::string_view)>;
/// `value` with every string in it changed.
TapeJson changed(const TapeJson& value, const TextChange& change);

/// "command nix-build -A x", "read @DRAFT@/draft.nix": one line for messages.
std::string title(const std::string& kind, const TapeJson& request);

/// In words where `actual` differs from `expected`; "" where it does not.
std::string difference(const TapeJson& expected, const TapeJson& actual);

}  // namespace autopin
