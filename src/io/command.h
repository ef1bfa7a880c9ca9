#pragma once
// Running other programs, behind an interface so that tests and replay need
// no Nix; see tape.h for the recording and replaying implementations.

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace autopin {

/// One program to run, found in PATH. Nothing passes through a shell.
struct Command {
  std::vector<std::string> argv;
  /// Given on standard input, which is then closed.
  std::string input = {};
  /// Working folder; empty: that of autopin.
  std::filesystem::path folder = {};
  /// Changes to autopin's own environment: a value, or nothing to unset it.
  std::map<std::string, std::optional<std::string>> environment = {};
  /// Killed with its whole process group after this long; zero: no limit.
  std::chrono::milliseconds timeout{0};
};

/// What a finished command left behind. A non-zero exit is data, not an error:
/// a failing build is this tool's input.
struct CommandResult {
  int exit_code = 0;  ///< 128 + signal where a signal ended it, as shells say.
  bool timed_out = false;
  std::string out;
  std::string err;
};

enum class Stream { out, err };

/// Called with bytes as they arrive, in order for each stream.
using OutputSink = std::function<void(Stream, std::string_view)>;

class CommandRunner {
 public:
  CommandRunner() = default;
  CommandRunner(const CommandRunner&) = delete;
  CommandRunner& operator=(const CommandRunner&) = delete;
  virtual ~CommandRunner() = default;

  /// Runs `command` to its end. Throws Error where it cannot be started.
  virtual CommandResult run(const Command& command, const OutputSink& sink) = 0;
  CommandResult run(const Command& command) { return run(command, {}); }
};

}  // namespace autopin
