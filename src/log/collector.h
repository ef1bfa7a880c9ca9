#pragma once
// Runs the rules over the lines as they come and keeps what matched, with the
// context above and the block below that a rule asks for. State is per stream,
// so that interleaved builders do not disturb each other.

#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "log/captures.h"
#include "log/finding.h"
#include "log/log_reader.h"
#include "log/rule_set.h"

namespace autopin {

class Collector : public LogSink {
 public:
  explicit Collector(const RuleSet& rules) : rules_(rules) {}

  /// The reader whose streams the lines speak of.
  void watch(const LogReader& reader) { reader_ = &reader; }

  void on_line(const LogLine& line) override;
  void on_phase(std::size_t stream, long number) override;
  void on_success(std::size_t stream) override;
  void on_outcome(const Outcome& outcome) override;
  const Scout* scout() const override { return &rules_.scout(); }
  long passable(std::size_t stream, long number) const override;
  bool confirms(std::uint32_t owner, std::string_view line) const override {
    return rules_.matches(owner, line);
  }
  void on_passed_lines(std::size_t stream, long count) override;

  /// Closes what is open. To be called once, after the reader's finish().
  void finish();

  std::vector<Finding>& findings() { return findings_; }
  const std::vector<Outcome>& outcomes() const { return outcomes_; }

 private:
  struct ContextHit {
    long at = 0;  ///< Line count of the stream.
    Captures captures;
    EvidenceLine line;
  };
  struct OpenBlock {
    Finding finding;
    Captures captures;
    Captures item;         ///< Of the current item, where the block has items.
    std::size_t rule = 0;  ///< Its index.
    long lines = 0;
  };
  struct StreamState {
    long lines = 0;
    /// Up to here a rule whose context was seen may match any line.
    long waits_until = 0;
    std::vector<OpenBlock> blocks;
    std::map<std::pair<std::size_t, std::size_t>, ContextHit> contexts;
    std::vector<std::size_t> current_findings;  ///< Of the phase that runs.
    std::string last_phase;
  };

  struct SameRule {
    std::vector<std::size_t> findings;
    /// Where all have the same key params, those that are equal are found by
    /// what they hold.
    bool uniform = true;
    std::string names;
    std::unordered_map<std::string, std::size_t> by_signature;
  };

  void feed_blocks(StreamState& state, const LogLine& line);
  void feed_block(OpenBlock& block, const LogLine& line);
  void close_block(StreamState& state, std::size_t index);
  /// False: the hit says nothing here. One that `only_adds` makes no finding of
  /// its own.
  bool trigger(StreamState& state, const LogLine& line, const RuleSet::Hit& hit,
               bool only_adds);
  bool gather_context(StreamState& state, std::size_t rule, Finding& finding,
                      Captures& captures) const;
  void flush_item(OpenBlock& block) const;
  void close(StreamState& state, OpenBlock&& block);
  void supersede(StreamState& state);
  /// False: the rule needs more than the captures hold.
  bool keep(StreamState& state, Finding finding, const Captures& captures,
            bool only_adds);
  /// The finding of before that says the same, if there is one.
  Finding* find_same(SameRule& same, const Finding& finding,
                     std::string& signature);

  const RuleSet& rules_;
  const LogReader* reader_ = nullptr;
  std::vector<Finding> findings_;
  std::vector<Outcome> outcomes_;
  std::unordered_map<std::size_t, StreamState> streams_;
  /// To merge repetitions as they come, by rule and stream.
  std::map<std::pair<const Rule*, std::size_t>, SameRule> same_;
  std::vector<RuleSet::Hit> hits_;
};

/// True where `other` is the same failure: no key param differs. The kind must
/// be the same.
bool same_failure(const RuleSet& rules, const std::string& kind,
                  const Params& one, const Params& other);

/// Adds what `from` knows more: list values, missing params, evidence.
void merge_into(const RuleSet& rules, const std::string& kind, Params& into,
                const Params& from);
void merge_evidence(std::vector<EvidenceLine>& into,
                    const std::vector<EvidenceLine>& from);

}  // namespace autopin
