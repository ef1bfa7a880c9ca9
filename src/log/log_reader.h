#pragma once
// A build log is many logs in one: several builders' lines, interleaved,
// prefixed, indented or packed in JSON, with Nix's own words between. The
// reader turns any of it (internal-json, and the text of every generation of
// Nix) into clean lines that know whose they are, once, for everybody: the
// diagnosis, the log files per derivation, and the progress display.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace autopin {

class Scout;

/// Where a line was written.
enum class Origin {
  builder,  ///< By the builder, as it ran.
  tail,     ///< Repeated by Nix under an error ("last 10 log lines").
  nix       ///< By Nix itself.
};

struct LogLine {
  long number = 0;        ///< 1-based physical line of the input.
  std::string_view text;  ///< Clean; valid during the call only.
  std::size_t stream = 0;
  Origin origin = Origin::builder;
  /// Drawn over by CR: a progress bar. It does not count as a line between
  /// others.
  bool redrawn = false;
};

/// The lines of one builder as far as they can be told apart. Stream 0 holds
/// what has no known origin.
struct LogStream {
  std::string label;  ///< .drv path, output path, or bare name, as first seen.
  std::string phase;
  bool exclusive = false;  ///< Each line carries its origin (JSON, prefix).
  bool stopped = false;    ///< internal-json said that the activity ended.
};

/// What Nix says became of a derivation.
struct Outcome {
  enum class Kind { failed, dependency_failed } kind = Kind::failed;
  std::string
      derivation;  ///< .drv path, or output path where only that is named.
  long number = 0;
  std::string text;
};

class LogSink {
 public:
  LogSink() = default;
  LogSink(const LogSink&) = delete;
  LogSink& operator=(const LogSink&) = delete;
  virtual ~LogSink() = default;

  virtual void on_line(const LogLine& line) = 0;
  /// A build began; `stream` is where its lines will be.
  virtual void on_start(std::size_t /*stream*/) {}
  /// internal-json only: the activity ended.
  virtual void on_stop(std::size_t /*stream*/) {}
  /// The phase of `stream` changed; the reader's stream holds the new one.
  virtual void on_phase(std::size_t /*stream*/, long /*number*/) {}
  /// A tool said that all went well: what `stream` printed before it did not
  /// stop the build.
  virtual void on_success(std::size_t /*stream*/) {}
  virtual void on_outcome(const Outcome& /*outcome*/) {}

  /// What finds the lines that matter to this sink, and those that hold one of
  /// nix_words(); nothing: all matter. Outlives the reader.
  virtual const Scout* scout() const { return nullptr; }
  /// After physical line `number` so many lines of `stream` need not come, if
  /// the scout sees nothing in them.
  virtual long passable(std::size_t /*stream*/, long /*number*/) const {
    return 0;
  }
  /// Whether a line matters in which the scout saw an ordinary text.
  virtual bool confirms(std::uint32_t /*owner*/,
                        std::string_view /*line*/) const {
    return true;
  }
  /// Of lines that are passed over so many come all the same, the last.
  virtual long comes_after_passing() const { return 0; }
  /// So many lines came by that the scout passed over.
  virtual void on_passed_lines(std::size_t /*stream*/, long /*count*/) {}
};

class LogReader {
 public:
  explicit LogReader(LogSink& sink);
  ~LogReader();
  LogReader(const LogReader&) = delete;
  LogReader& operator=(const LogReader&) = delete;

  /// Takes any piece of the log; lines may be split between calls. Memory is
  /// bounded: of a longer line, its first 64 KiB are read.
  void feed(std::string_view bytes);
  /// The input has ended; an unterminated last line counts.
  void finish();

  const LogStream& stream(std::size_t index) const;
  std::size_t stream_count() const;
  /// Physical lines read so far.
  long line_count() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace autopin
