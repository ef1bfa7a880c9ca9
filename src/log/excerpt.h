#pragma once
// What stands around the lines that a diagnosis rests on. Taken in a second
// pass over the log, which runs no rules, so that the first keeps nothing but
// what matched.

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "log/diagnosis.h"
#include "log/log_reader.h"
#include "log/rule.h"

namespace autopin {

struct ExcerptLine {
  long number = 0;  ///< 1-based, in the log that was read.
  std::string text;
  bool matched = false;
  /// The builder that wrote it, and which of its lines it is: numbers of lines
  /// that follow each other differ by more than one where builders interleave.
  std::size_t stream = 0;
  long ordinal = 0;

  bool follows(const ExcerptLine& before) const {
    return stream == before.stream && ordinal == before.ordinal + 1;
  }
};

using Excerpt = std::vector<ExcerptLine>;

/// Keeps the lines wanted, two of the same builder above and below each, and
/// the last lines of the log. Memory grows with what is wanted only.
class ExcerptReader : public LogSink {
 public:
  /// Each line of `diagnoses` is wanted. `line_count` is that of the log, if it
  /// is known: then what is far from all that is wanted is passed over.
  explicit ExcerptReader(const std::vector<Diagnosis>& diagnoses,
                         long line_count = 0);

  /// Wants one more line, whatever its text.
  void want(long number);

  void feed(std::string_view bytes) { reader_.feed(bytes); }
  void finish() { reader_.finish(); }

  /// The lines of `diagnosis` with what stands around them, in order.
  Excerpt around(const Diagnosis& diagnosis) const;
  /// A line that was wanted by number alone; empty where the log ends before.
  Excerpt around(long number) const;
  /// The last lines that hold something.
  std::vector<EvidenceLine> last_lines() const;

  void on_line(const LogLine& line) override;
  const Scout* scout() const override;
  long passable(std::size_t stream, long number) const override;
  long comes_after_passing() const override;
  void on_passed_lines(std::size_t stream, long count) override;

 private:
  /// As it was read; made text only where it is wanted.
  struct RawLine {
    long number = 0;
    long ordinal = 0;
    std::string bytes;
  };
  /// The last so many lines, in slots that are used again: most of a log passes
  /// through and is never wanted.
  template <std::size_t size>
  struct Ring {
    std::array<RawLine, size> slots;
    std::size_t count = 0;

    void push(const LogLine& line, long ordinal);
    template <typename Visit>
    void each(const Visit& visit) const {
      for (std::size_t i = count - std::min(count, size); i < count; ++i)
        visit(slots[i % size]);
    }
  };
  struct Stream {
    long lines = 0;
    Ring<2> above;
    std::vector<std::size_t> waits;  ///< Passages that lack lines below.
  };
  struct Passage {
    Excerpt lines;
    int below = 0;
  };
  /// "" as the text: any.
  using Key = std::pair<long, std::string>;

  const Passage* passage(const Key& key) const;
  bool is_wanted(const LogLine& line, Key& key) const;
  /// A line in or below a passage; `key` where it begins one.
  void keep(Stream& stream, const LogLine& line, const Key* key);

  LogReader reader_;
  long line_count_;
  std::map<Key, std::size_t>
      wanted_;  ///< To one past the passage; 0: not seen.
  std::vector<Passage> passages_;
  std::unordered_map<std::size_t, Stream> streams_;
  Ring<8> last_lines_;
};

/// Of a line that `rule` matched the part that one of its patterns matched:
/// offset and length. Length 0 where none of them did.
std::pair<std::size_t, std::size_t> matched_part(const Rule& rule,
                                                 std::string_view line);

}  // namespace autopin
