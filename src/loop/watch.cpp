#include "loop/watch.h"

#include "nix/derivation.h"

namespace autopin {
namespace {

std::string_view short_name(std::string_view label) {
  auto name = nix::store_name(label);
  if (name.ends_with(".drv"))
    name.remove_suffix(4);
  return name.empty() ? label : name;
}

}  // namespace

BuildWatch::BuildWatch(report::Progress& progress)
    : progress_(progress), reader_(*this) {}

void BuildWatch::on_line(const LogLine& line) {
  if (line.origin == Origin::builder && line.stream != 0)
    progress_.log_line(short_name(reader_.stream(line.stream).label),
                       line.text);
}

void BuildWatch::on_start(std::size_t stream) {
  progress_.phase(short_name(reader_.stream(stream).label), "");
}

void BuildWatch::on_phase(std::size_t stream, long) {
  const auto& about = reader_.stream(stream);
  progress_.phase(short_name(about.label), about.phase);
}

void BuildWatch::on_outcome(const Outcome& outcome) {
  if (outcome.kind == Outcome::Kind::failed)
    progress_.build_ended(short_name(outcome.derivation), true);
}

}  // namespace autopin
