#include "log/scout.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "log/clean.h"
#include "log/commonness.h"

namespace autopin {

namespace {

constexpr std::size_t width = 4;
constexpr std::size_t block_size = 64;
/// So much of a line's begin is looked at.
constexpr std::size_t longest_decoration = 24;
/// Longer lines are left to the reader, which knows where to cut them.
constexpr std::size_t longest_line = std::size_t{8} * 1024;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::uint32_t load(const char* at) {
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, at, width);
  return bytes | 0x20202020U;
}

std::uint64_t load_eight(const char* at) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

std::uint32_t hash(std::uint32_t bytes) {
  return bytes * 0x9e3779b1U;
}

/// One bit for each byte of a block: line feeds, and what may be odd (control
/// characters, DEL, "<", ">" and "[").
struct Marks {
  std::uint64_t line_feeds = 0;
  std::uint64_t odd = 0;
};

#ifdef __SSE2__
Marks marks_of(const char* block) {
  Marks marks;
  for (int i = 0; i < 4; ++i) {
    const __m128i bytes = _mm_loadu_si128(
        reinterpret_cast<const __m128i*>(block + std::ptrdiff_t{16} * i));
    const __m128i feeds = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n'));
    const __m128i control =
        _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
    const __m128i others =
        _mm_or_si128(_mm_cmpeq_epi8(_mm_or_si128(bytes, _mm_set1_epi8(2)),
                                    _mm_set1_epi8('>')),
                     _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7f)),
                                  _mm_cmpeq_epi8(bytes, _mm_set1_epi8('['))));
    const __m128i odd = _mm_or_si128(_mm_andnot_si128(feeds, control), others);
    marks.line_feeds |= static_cast<std::uint64_t>(_mm_movemask_epi8(feeds))
                        << (16 * i);
    marks.odd |= static_cast<std::uint64_t>(_mm_movemask_epi8(odd)) << (16 * i);
  }
  return marks;
}
#else
Marks marks_of(const char* block) {
  Marks marks;
  for (std::size_t i = 0; i < block_size; ++i) {
    const auto c = static_cast<unsigned char>(block[i]);
    marks.line_feeds |= std::uint64_t{c == '\n'} << i;
    marks.odd |= std::uint64_t{(c < 0x20 && c != '\n') || (c | 2) == '>' ||
                               c == '[' || c == 0x7f}
                 << i;
  }
  return marks;
}
#endif

template <std::size_t step>
inline std::uint64_t windows_at_steps(const char* block,
                                      const std::uint64_t* bits, int shift) {
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < block_size; i += step) {
    const std::uint32_t bit = hash(load(block + i)) >> shift;
    found |= (bits[bit / 64] >> (bit % 64) & 1) << i;
  }
  return found;
}

/// A bit for each step in a block at which a marked window may stand.
std::uint64_t windows_in(const char* block, const std::uint64_t* bits,
                         int shift, int step) {
  switch (step) {
    case 4:
      return windows_at_steps<4>(block, bits, shift);
    case 2:
      return windows_at_steps<2>(block, bits, shift);
    default:
      return windows_at_steps<1>(block, bits, shift);
  }
}

/// Asks once for each line and owner, and not at all of a long line.
class Confirmation {
 public:
  Confirmation(std::string_view text, const Scout::Confirm& confirm)
      : text_(text), confirm_(confirm) {}

  /// `at` stands in the line.
  bool matters(const std::vector<std::uint32_t>& owners, std::size_t at) {
    return std::any_of(owners.begin(), owners.end(),
                       [&](std::uint32_t owner) { return matters(owner, at); });
  }

 private:
  bool matters(std::uint32_t owner, std::size_t at) {
    constexpr std::size_t reach = 2048;
    const std::size_t left = at - std::min(at, reach);
    const std::string_view near = text_.substr(left, at - left + reach);
    const std::size_t begin = at == left ? 0 : near.rfind('\n', at - left - 1);
    const std::size_t end = near.find('\n', at - left);
    if (begin == std::string_view::npos || end == std::string_view::npos)
      return true;
    if (left + begin != line_) {
      line_ = left + begin;
      asked_ = 0;
    }
    if (std::find(owners_.begin(), owners_.begin() + asked_, owner) !=
        owners_.begin() + asked_)
      return false;
    if (asked_ == static_cast<std::ptrdiff_t>(owners_.size()) ||
        confirm_(owner, near.substr(begin + 1, end - begin - 1)))
      return true;
    owners_[static_cast<std::size_t>(asked_++)] = owner;
    return false;
  }

  std::string_view text_;
  const Scout::Confirm& confirm_;
  std::size_t line_ = std::string_view::npos;
  std::array<std::uint32_t, 8> owners_{};  ///< To whom it does not matter.
  std::ptrdiff_t asked_ = 0;
};

}  // namespace

void Scout::add(const Guard& guard, std::uint32_t owner) {
  for (const std::string& text : guard.texts) {
    if (text.size() >= width) {
      add(text, guard.fold, guard.is_ordinary(), owner);
    } else {
      const char first = text[1];
      const char other = guard.fold && first >= 'a' && first <= 'z'
                             ? static_cast<char>(first - 'a' + 'A')
                             : first;
      for (const char c : {first, other}) {
        first_bytes_[static_cast<unsigned char>(c)].push_back(owner);
        is_first_byte_[static_cast<unsigned char>(c)] = true;
      }
    }
  }
}

void Scout::add(std::string_view text, std::uint32_t owner) {
  add(std::string(text), false, false, owner);
}

void Scout::add(const std::string& text, bool fold, bool ordinary,
                std::uint32_t owner) {
  const auto [found, is_new] =
      by_text_.emplace((fold ? 'i' : ' ') + text, texts_.size());
  if (is_new)
    texts_.push_back({text, fold, ordinary, {}});
  Text& mine = texts_[found->second];
  mine.ordinary = mine.ordinary && ordinary;
  if (mine.owners.empty() || mine.owners.back() != owner)
    mine.owners.push_back(owner);
}

void Scout::compile() {
  std::size_t shortest = width + 3;
  for (const Text& text : texts_)
    shortest = std::min(shortest, text.text.size());
  step_ = shortest >= width + 3 ? 4 : shortest >= width + 1 ? 2 : 1;
  const std::size_t count = texts_.size() * static_cast<std::size_t>(step_);
  // One bit in fifty or so, and slots for few collisions.
  const int size = std::max(
      15,
      static_cast<int>(std::bit_width(std::max<std::size_t>(count, 1) * 48)));
  shift_ = 32 - size;
  bits_.assign(std::size_t{1} << (size - 6), 0);
  span_mask_ = ~std::uint64_t{0} >>
               (8 * (8 - width - static_cast<std::size_t>(step_ - 1)));
  span_shift_ = 64 - (size - 2);
  spans_.assign(bits_.size() / 4, 0);
  windows_.reserve(count);
  for (std::uint32_t i = 0; i < texts_.size(); ++i) {
    const std::string& text = texts_[i].text;
    const std::size_t last =
        text.size() - width - static_cast<std::size_t>(step_ - 1);
    std::size_t best = 0;
    double best_cost = 1e9;
    for (std::size_t from = 0; from <= last; ++from) {
      double cost = 0;
      for (int offset = 0; offset < step_; ++offset)
        cost += commonness(std::string_view(text).substr(
            from + static_cast<std::size_t>(offset), width));
      if (cost < best_cost) {
        best_cost = cost;
        best = from;
      }
    }
    for (int offset = 0; offset < step_; ++offset)
      mark(i, best + static_cast<std::size_t>(offset));
    std::string span = text.substr(best, sizeof span_mask_);
    span.resize(sizeof span_mask_);
    const std::uint64_t bit = span_bit(span.data());
    spans_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
  index_windows(size - 4);
}

/// Windows of a slot lie side by side, from its number on to the next one's.
void Scout::index_windows(int slot_bits) {
  slot_shift_ = 32 - slot_bits;
  const auto slot_of = [&](const Window& window) {
    return hash(window.bytes) >> slot_shift_;
  };
  std::stable_sort(windows_.begin(), windows_.end(),
                   [&](const Window& one, const Window& other) {
                     return slot_of(one) < slot_of(other);
                   });
  slots_.assign((std::size_t{1} << slot_bits) + 1, 0);
  for (const Window& window : windows_)
    ++slots_[slot_of(window) + 1];
  std::partial_sum(slots_.begin(), slots_.end(), slots_.begin());
}

void Scout::mark(std::uint32_t text, std::size_t offset) {
  const Text& mine = texts_[text];
  const std::uint32_t bytes = load(mine.text.data() + offset);
  const std::uint32_t bit = hash(bytes) >> shift_;
  bits_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  Window window{bytes, text, static_cast<std::uint32_t>(offset), 0, 0};
  if (!mine.fold) {
    std::string first = mine.text.substr(0, sizeof window.first);
    std::string mask(first.size(), '\xff');
    first.resize(sizeof window.first);
    mask.resize(sizeof window.first);
    window.first = load_eight(first.data());
    window.first_mask = load_eight(mask.data());
  }
  windows_.push_back(window);
}

/// The bit in `spans_` of the bytes from `at` on, folded as those of a window.
/// Eight bytes can be read.
std::uint64_t Scout::span_bit(const char* at) const {
  const std::uint64_t span =
      (load_eight(at) | 0x2020202020202020U) & span_mask_;
  return span * 0x9e3779b97f4a7c15U >> span_shift_;
}

/// Whether all marked windows of a text may stand around `at`, where one does.
/// As many bytes before `at` as the scout takes steps of, and eight after it,
/// can be read.
bool Scout::may_be_around(const char* at) const {
  std::uint64_t found = 0;
  for (std::ptrdiff_t offset = 0; offset < step_; ++offset) {
    const std::uint64_t bit = span_bit(at - offset);
    found |= spans_[bit / 64] >> (bit % 64);
  }
  return (found & 1) != 0;
}

bool Scout::occurs(const Text& text, const char* at) {
  if (!text.fold)
    return std::memcmp(at, text.text.data(), text.text.size()) == 0;
  return std::equal(text.text.begin(), text.text.end(), at,
                    [](char mine, char c) { return mine == lower(c); });
}

/// Calls `report(wanted, begin)` for each text of which a marked window stands
/// at `at` in `text`.
template <class Report>
void Scout::report(std::string_view text, const char* at,
                   Report&& report) const {
  const std::uint32_t bytes = load(at);
  const auto before = static_cast<std::size_t>(at - text.data());
  const std::uint32_t* const slot = &slots_[hash(bytes) >> slot_shift_];
  for (std::uint32_t i = slot[0]; i != slot[1]; ++i) {
    const Window& window = windows_[i];
    if (window.bytes != bytes || window.offset > before)
      continue;
    const std::size_t left = text.size() - (before - window.offset);
    const char* begin = at - window.offset;
    if (left >= sizeof window.first &&
        ((load_eight(begin) ^ window.first) & window.first_mask) != 0)
      continue;
    const Text& wanted = texts_[window.text];
    if (wanted.text.size() > left)
      continue;
    if (occurs(wanted, begin))
      report(wanted, begin);
  }
}

void Scout::find(std::string_view line,
                 std::vector<std::uint32_t>& owners) const {
  owners.clear();
  thread_local std::string framed;
  framed.assign(1, '\n');
  framed += line;
  framed += '\n';
  const auto step = static_cast<std::size_t>(step_);
  for (std::size_t at = 0; at + width <= framed.size(); at += step) {
    const std::uint32_t bit = hash(load(framed.data() + at)) >> shift_;
    if ((bits_[bit / 64] >> (bit % 64) & 1) != 0)
      report(framed, framed.data() + at, [&](const Text& wanted, const char*) {
        owners.insert(owners.end(), wanted.owners.begin(), wanted.owners.end());
      });
  }
  if (!line.empty()) {
    const auto& first = first_bytes_[static_cast<unsigned char>(line[0])];
    owners.insert(owners.end(), first.begin(), first.end());
  }
  std::sort(owners.begin(), owners.end());
  owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
}

bool Scout::finds_any(std::string_view line) const {
  thread_local std::vector<std::uint32_t> owners;
  find(line, owners);
  return !owners.empty();
}

/// Where in the block a line stands that must be read whatever it says: it is
/// to be cleaned first, or a text of one byte may begin it.
const char* Scout::first_odd(const char* block, const char* begin,
                             std::uint64_t odd_bytes,
                             std::uint64_t line_feeds) const {
  const char* stop = nullptr;
  for (std::uint64_t odd = odd_bytes; odd != 0; odd &= odd - 1) {
    const char* at = block + std::countr_zero(odd);
    if (needs_cleaning(at == begin ? '\n' : at[-1], at[0], at[1])) {
      stop = at;
      break;
    }
  }
  for (std::uint64_t feeds = line_feeds; feeds != 0; feeds &= feeds - 1) {
    const char* line = block + std::countr_zero(feeds) + 1;
    if (line - 1 > begin && may_be_odd_end(line[-2]) &&
        (stop == nullptr || line - 2 < stop))
      stop = line - 2;
    if (stop != nullptr && line > stop)
      break;
    if (is_first_byte_[static_cast<unsigned char>(line[0])] ||
        may_be_decorated({line, longest_decoration}))
      return line;
  }
  return stop;
}

Scout::Passed Scout::pass(std::string_view text, long most,
                          const Confirm& confirm) const {
  Confirmation confirmation(text, confirm);
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const char* line_feed = begin;  // The last one seen, before the block.
  long lines = 0;
  for (const char* block = begin;
       end - block > std::ptrdiff_t{block_size + longest_decoration};
       block += block_size) {
    const Marks marks = marks_of(block);
    // Stands in the first line that matters.
    const char* stop = first_odd(block, begin, marks.odd, marks.line_feeds);
    for (std::uint64_t windows = windows_in(block, bits_.data(), shift_, step_);
         windows != 0; windows &= windows - 1) {
      const char* const window = block + std::countr_zero(windows);
      if (window - begin >= step_ && !may_be_around(window))
        continue;
      report(text, window, [&](const Text& wanted, const char* at) {
        if (*at == '\n')
          ++at;
        if ((stop == nullptr || at < stop) &&
            (!wanted.ordinary ||
             confirmation.matters(wanted.owners,
                                  static_cast<std::size_t>(at - begin))))
          stop = at;
      });
    }
    if (stop == nullptr && block - line_feed > std::ptrdiff_t{longest_line})
      stop = line_feed + 1;
    std::uint64_t feeds = marks.line_feeds;
    if (stop != nullptr && stop <= block)
      feeds = 0;
    else if (stop != nullptr && stop - block < std::ptrdiff_t{block_size})
      feeds &= (std::uint64_t{1} << (stop - block)) - 1;
    bool enough = stop != nullptr;
    while (feeds != 0 && lines + std::popcount(feeds) - 1 > most) {
      feeds &= ~(std::uint64_t{1} << (63 - std::countl_zero(feeds)));
      enough = true;
    }
    if (feeds != 0) {
      line_feed = block + 63 - std::countl_zero(feeds);
      lines += std::popcount(feeds);
    }
    if (enough)
      break;
  }
  // The line feed at the begin ends no line of `text`.
  const auto bytes = static_cast<std::size_t>(line_feed - begin);
  return {bytes, bytes == 0 ? 0 : lines - 1};
}

}  // namespace autopin
