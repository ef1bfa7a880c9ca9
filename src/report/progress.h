#pragma once
// What a person sees while a run goes on, on standard error. The loop tells
// what happens; how it looks depends on whether a terminal is there.

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/risk.h"

namespace autopin::report {

class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  virtual ~Progress() = default;

  virtual void round_started(int number) = 0;
  /// What autopin itself is busy with: "evaluating", "reading the index".
  virtual void busy(std::string_view what) = 0;
  /// A build began, or came to a phase ("" at its start).
  virtual void phase(std::string_view derivation, std::string_view phase) = 0;
  virtual void log_line(std::string_view derivation, std::string_view line) = 0;
  virtual void build_ended(std::string_view derivation, bool failed) = 0;
  /// A cause was found.
  virtual void diagnosed(std::string_view derivation, std::string_view why) = 0;
  virtual void step(int number, Risk risk, std::string_view summary) = 0;
  virtual void taken_back(int number, std::string_view why) = 0;
  virtual void round_ended(int number, std::string_view outcome,
                           double seconds) = 0;
  virtual void note(std::string_view text) = 0;
  virtual void warning(std::string_view text) = 0;
};

struct ProgressOptions {
  bool terminal = false;  ///< A status line that is drawn over and over.
  bool colour = false;
  std::size_t width = 80;
  /// For elapsed times on the status line; tests give their own.
  std::function<std::chrono::steady_clock::time_point()> now;
};

/// A terminal that can do more than print lines: TERM is neither unset nor
/// dumb.
bool is_terminal(int descriptor);
/// Such a terminal, where NO_COLOR (no-color.org) is unset or empty.
bool wants_colour(int descriptor);

/// What standard error is.
ProgressOptions options_for_stderr();

using Output = std::function<void(std::string_view)>;
std::unique_ptr<Progress> make_progress(const ProgressOptions& options,
                                        Output output);
/// Says nothing: --quiet, tests.
std::unique_ptr<Progress> silent_progress();

}  // namespace autopin::report
