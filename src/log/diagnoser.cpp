#include "log/diagnoser.h"

#include "log/collector.h"
#include "log/ranking.h"

namespace autopin {

class Diagnoser::Impl {
 public:
  explicit Impl(const RuleSet& rules)
      : rules_(rules), collector_(rules), reader_(collector_) {
    collector_.watch(reader_);
  }

  void feed(std::string_view bytes) { reader_.feed(bytes); }
  long line_count() const { return reader_.line_count(); }

  std::vector<Diagnosis> finish(std::vector<RankingNote>* notes) {
    reader_.finish();
    collector_.finish();
    return rank_findings(rules_, reader_, std::move(collector_.findings()),
                         collector_.outcomes(), notes);
  }

 private:
  const RuleSet& rules_;
  Collector collector_;
  LogReader reader_;
};

Diagnoser::Diagnoser(const RuleSet& rules)
    : impl_(std::make_unique<Impl>(rules)) {}
Diagnoser::~Diagnoser() = default;
void Diagnoser::feed(std::string_view bytes) {
  impl_->feed(bytes);
}
long Diagnoser::line_count() const {
  return impl_->line_count();
}
std::vector<Diagnosis> Diagnoser::finish(std::vector<RankingNote>* notes) {
  return impl_->finish(notes);
}

std::vector<Diagnosis> diagnose(const RuleSet& rules, std::string_view log) {
  Diagnoser diagnoser(rules);
  diagnoser.feed(log);
  return diagnoser.finish();
}

}  // namespace autopin
