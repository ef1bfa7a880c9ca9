#pragma once
// A build as it runs, for whoever watches: phases and last lines out of the
// log's bytes.

#include <string_view>

#include "log/log_reader.h"
#include "report/progress.h"

namespace autopin {

class BuildWatch final : private LogSink {
 public:
  explicit BuildWatch(report::Progress& progress);
  void feed(std::string_view bytes) { reader_.feed(bytes); }
  void finish() { reader_.finish(); }

 private:
  void on_line(const LogLine& line) override;
  void on_start(std::size_t stream) override;
  void on_phase(std::size_t stream, long number) override;
  void on_outcome(const Outcome& outcome) override;

  report::Progress& progress_;
  LogReader reader_;
};

}  // namespace autopin
