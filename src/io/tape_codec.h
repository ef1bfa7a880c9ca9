#pragma once
// How the events of a tape (tape.h) are written down and read back. Only the
// tape's own files include this.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace autopin {

/// Strings in it may hold any bytes.
using TapeJson = nlohmann::ordered_json;

struct TapeEvent {
  int number = 0;  ///< From 1.
  std::string kind;
  TapeJson request;
  TapeJson result;
};

class TapeWriter {
 public:
  /// Throws Error where there is something in `folder`.
  explicit TapeWriter(std::filesystem::path folder);
  /// Synced before it returns.
  void add(const std::string& kind, const TapeJson& request,
           const TapeJson& result);
  void close();

 private:
  void add_line(const TapeJson& line);
  TapeJson packed(const TapeJson& value);

  std::filesystem::path folder_;
  std::string digest_;
  int events_ = 0;
};

/// All events, every byte of them checked. Throws Error.
std::vector<TapeEvent> read_tape(const std::filesystem::path& folder);

}  // namespace autopin
