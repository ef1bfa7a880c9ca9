#pragma once
// A set of states that one package can be in: left out, or one of its finitely
// many candidates. Real candidates instead of version ranges make every PEP 440
// operator exact, and set algebra a few words of bits. Private to this folder.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace autopin::python {

class Choices {
 public:
  /// State 0 is "left out", state i + 1 the candidate i.
  static constexpr std::size_t left_out = 0;

  Choices() = default;
  explicit Choices(std::size_t states, bool all = false)
      : states_(states),
        words_((states + 63) / 64, all ? ~std::uint64_t{0} : 0) {
    trim_tail();
  }

  std::size_t states() const { return states_; }
  bool has(std::size_t state) const {
    return (words_[state / 64] >> (state % 64) & 1U) != 0;
  }
  void add(std::size_t state) {
    words_[state / 64] |= std::uint64_t{1} << (state % 64);
  }

  bool empty() const {
    return std::all_of(words_.begin(), words_.end(),
                       [](std::uint64_t w) { return w == 0; });
  }
  bool is_all() const { return (~*this).empty(); }
  std::size_t count() const {
    std::size_t out = 0;
    for (const std::uint64_t word : words_)
      out += static_cast<std::size_t>(std::popcount(word));
    return out;
  }
  /// The first candidate's state; `states()` where there is none.
  std::size_t first_candidate() const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::uint64_t word =
          i == 0 ? words_[0] & ~std::uint64_t{1} : words_[i];
      if (word != 0)
        return i * 64 + static_cast<std::size_t>(std::countr_zero(word));
    }
    return states_;
  }

  bool within(const Choices& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & ~other.words_[i]) != 0)
        return false;
    }
    return true;
  }
  bool meets(const Choices& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & other.words_[i]) != 0)
        return true;
    }
    return false;
  }

  Choices operator&(const Choices& other) const {
    Choices out = *this;
    for (std::size_t i = 0; i < words_.size(); ++i)
      out.words_[i] &= other.words_[i];
    return out;
  }
  Choices operator|(const Choices& other) const {
    Choices out = *this;
    for (std::size_t i = 0; i < words_.size(); ++i)
      out.words_[i] |= other.words_[i];
    return out;
  }
  Choices operator~() const {
    Choices out = *this;
    for (std::uint64_t& word : out.words_)
      word = ~word;
    out.trim_tail();
    return out;
  }
  bool operator==(const Choices&) const = default;

 private:
  void trim_tail() {
    if (states_ % 64 != 0)
      words_.back() &= (std::uint64_t{1} << states_ % 64) - 1;
  }

  std::size_t states_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace autopin::python
