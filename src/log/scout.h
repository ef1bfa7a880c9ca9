#pragma once
// Runs ahead through a log at the speed of memory and says where the next line
// stands that may matter: one that holds a text that somebody asked for, or
// something that the reader has to clean off first. It may stop too often; a
// line that it passes over holds none of the texts and is clean as it stands.
//
// How: of each text four bytes in a row, folded to lower case and hashed, are
// marked in a bitmap, at as many offsets as the scout takes steps of; so every
// occurrence is hit by one step, and what is hit is compared in full.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "log/guard.h"

namespace autopin {

class Scout {
 public:
  /// Asks for the texts of a guard in the name of `owner`. The guard has some.
  void add(const Guard& guard, std::uint32_t owner);
  /// Asks for one text of four bytes or more, as a guard's.
  void add(std::string_view text, std::uint32_t owner);
  /// After the last text.
  void compile();

  /// The owners whose texts are in `line`, sorted, each once.
  void find(std::string_view line, std::vector<std::uint32_t>& owners) const;
  bool finds_any(std::string_view line) const;

  struct Passed {
    std::size_t bytes = 0;
    long lines = 0;
  };
  /// Whether a line in which an ordinary text of `owner` stands matters to it.
  using Confirm =
      std::function<bool(std::uint32_t owner, std::string_view line)>;

  /// How far in `text`, which begins with the line feed before its first line,
  /// there are only whole lines that do not matter, at most `most` of them: up
  /// to the line feed before the next line that may matter or cannot be told.
  Passed pass(std::string_view text, long most, const Confirm& confirm) const;

 private:
  struct Text {
    std::string text;
    bool fold = false;
    bool ordinary = false;  ///< To all of its owners.
    std::vector<std::uint32_t> owners;
  };
  /// Four bytes of a text, at `offset` in it.
  struct Window {
    std::uint32_t bytes = 0;
    std::uint32_t text = 0;
    std::uint32_t offset = 0;
    /// The text's first eight bytes, as far as it has so many, or a mask of 0.
    std::uint64_t first = 0;
    std::uint64_t first_mask = 0;
  };

  void add(const std::string& text, bool fold, bool ordinary,
           std::uint32_t owner);
  void mark(std::uint32_t text, std::size_t offset);
  void index_windows(int slot_bits);
  std::uint64_t span_bit(const char* at) const;
  bool may_be_around(const char* at) const;
  static bool occurs(const Text& text, const char* at);
  const char* first_odd(const char* block, const char* begin,
                        std::uint64_t odd_bytes,
                        std::uint64_t line_feeds) const;
  template <class Report>
  void report(std::string_view text, const char* at, Report&& report) const;
  std::vector<Text> texts_;
  std::unordered_map<std::string, std::size_t> by_text_;
  std::array<std::vector<std::uint32_t>, 256> first_bytes_;
  std::array<bool, 256> is_first_byte_{};
  int step_ = 4;
  int shift_ = 32;       ///< hash >> shift_ is the bit of a window.
  int slot_shift_ = 32;  ///< hash >> slot_shift_ is its slot.
  std::vector<std::uint64_t> bits_;
  /// All marked windows of a text are in these bytes; their hash >> span_shift_
  /// is their bit of `spans_`.
  std::uint64_t span_mask_ = 0;
  int span_shift_ = 64;
  std::vector<std::uint64_t> spans_;
  std::vector<std::uint32_t> slots_;  ///< The first window of each, and an end.
  std::vector<Window> windows_;       ///< By slot.
};

}  // namespace autopin
