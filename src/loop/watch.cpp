#include "loop/watch.h"

namespace autopin {

BuildWatch::BuildWatch(report::Progress& progress)
    : progress_(progress), reader_(*this) {}

void BuildWatch::on_line(const LogLine& line) {
  if (line.origin == Origin::builder && line.stream != 0)
    progress_.log_line(reader_.stream(line.stream).label, line.text);
}

void BuildWatch::on_start(std::size_t stream) {
  progress_.phase(reader_.stream(stream).label, "");
}

void BuildWatch::on_phase(std::size_t stream, long) {
  const auto& about = reader_.stream(stream);
  progress_.phase(about.label, about.phase);
}

void BuildWatch::on_outcome(const Outcome& outcome) {
  if (outcome.kind == Outcome::Kind::failed)
    progress_.build_ended(outcome.derivation, true);
}

}  // namespace autopin
