#include "base/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

namespace autopin {
namespace {

using Lines = std::vector<std::string_view>;

/// A run of lines that differ; either side may be empty.
struct Change {
  std::size_t old_begin = 0;
  std::size_t old_end = 0;
  std::size_t new_begin = 0;
  std::size_t new_end = 0;
};

/// With their line ends.
Lines whole_lines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t length =
        end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

/// E. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), section
/// 4b: in linear space, by the snake in the middle of the shortest path.
class Comparison {
 public:
  Comparison(std::vector<int> a, std::vector<int> b)
      : a_(std::move(a)), b_(std::move(b)) {
    const std::size_t width = a_.size() + b_.size() + 3;
    forward_.resize(2 * width);
    backward_.resize(2 * width);
    middle_ = static_cast<long>(width);
  }

  std::vector<Change> run() {
    std::vector<Box> boxes = {
        {0, static_cast<long>(a_.size()), 0, static_cast<long>(b_.size())}};
    while (!boxes.empty()) {
      Box box = boxes.back();
      boxes.pop_back();
      trim(box);
      if (box.left == box.right || box.top == box.bottom) {
        add(box);
        continue;
      }
      const Snake snake = middle_snake(box);
      // The second half is pushed first: changes come out in order.
      boxes.push_back({snake.end_x, box.right, snake.end_y, box.bottom});
      boxes.push_back({box.left, snake.x, box.top, snake.y});
    }
    return std::move(changes_);
  }

 private:
  struct Box {
    long left, right, top, bottom;
  };
  struct Snake {
    long x, y, end_x, end_y;
  };

  bool same(long x, long y) const {
    return a_[static_cast<std::size_t>(x)] == b_[static_cast<std::size_t>(y)];
  }

  long& at(std::vector<long>& reach, long diagonal) const {
    return reach[static_cast<std::size_t>(middle_ + diagonal)];
  }

  void trim(Box& box) const {
    while (box.left < box.right && box.top < box.bottom &&
           same(box.left, box.top)) {
      ++box.left;
      ++box.top;
    }
    while (box.left < box.right && box.top < box.bottom &&
           same(box.right - 1, box.bottom - 1)) {
      --box.right;
      --box.bottom;
    }
  }

  void add(const Box& box) {
    if (box.left == box.right && box.top == box.bottom)
      return;
    const Change change = {static_cast<std::size_t>(box.left),
                           static_cast<std::size_t>(box.right),
                           static_cast<std::size_t>(box.top),
                           static_cast<std::size_t>(box.bottom)};
    if (!changes_.empty() && changes_.back().old_end == change.old_begin &&
        changes_.back().new_end == change.new_begin) {
      changes_.back().old_end = change.old_end;
      changes_.back().new_end = change.new_end;
    } else {
      changes_.push_back(change);
    }
  }

  /// `box` has both sides and neither its first nor its last lines agree.
  Snake middle_snake(const Box& box) {
    const long width = box.right - box.left;
    const long height = box.bottom - box.top;
    const long delta = width - height;
    at(forward_, 1) = 0;
    at(backward_, 1) = 0;
    for (long d = 0;; ++d) {
      if (const auto snake = forward_step(box, d, delta))
        return *snake;
      if (const auto snake = backward_step(box, d, delta))
        return *snake;
    }
  }

  std::optional<Snake> forward_step(const Box& box, long d, long delta) {
    const long width = box.right - box.left;
    const long height = box.bottom - box.top;
    for (long k = -d; k <= d; k += 2) {
      const bool down =
          k == -d || (k != d && at(forward_, k - 1) < at(forward_, k + 1));
      long x = down ? at(forward_, k + 1) : at(forward_, k - 1) + 1;
      long y = x - k;
      const long begin_x = x;
      const long begin_y = y;
      while (x < width && y >= 0 && y < height &&
             same(box.left + x, box.top + y)) {
        ++x;
        ++y;
      }
      at(forward_, k) = x;
      const long other = delta - k;
      if (delta % 2 != 0 && other >= -(d - 1) && other <= d - 1 &&
          x + at(backward_, other) >= width)
        return Snake{box.left + begin_x, box.top + begin_y, box.left + x,
                     box.top + y};
    }
    return std::nullopt;
  }

  std::optional<Snake> backward_step(const Box& box, long d, long delta) {
    const long width = box.right - box.left;
    const long height = box.bottom - box.top;
    for (long k = -d; k <= d; k += 2) {
      const bool up =
          k == -d || (k != d && at(backward_, k - 1) < at(backward_, k + 1));
      long x = up ? at(backward_, k + 1) : at(backward_, k - 1) + 1;
      long y = x - k;
      const long begin_x = x;
      const long begin_y = y;
      while (x < width && y >= 0 && y < height &&
             same(box.right - 1 - x, box.bottom - 1 - y)) {
        ++x;
        ++y;
      }
      at(backward_, k) = x;
      const long other = delta - k;
      if (delta % 2 == 0 && other >= -d && other <= d &&
          x + at(forward_, other) >= width)
        return Snake{box.right - x, box.bottom - y, box.right - begin_x,
                     box.bottom - begin_y};
    }
    return std::nullopt;
  }

  std::vector<int> a_;
  std::vector<int> b_;
  std::vector<long> forward_;   ///< Furthest x per diagonal, from the start.
  std::vector<long> backward_;  ///< The same, from the end.
  long middle_ = 0;
  std::vector<Change> changes_;
};

std::vector<Change> compare(const Lines& old_lines, const Lines& new_lines) {
  std::unordered_map<std::string_view, int> ids;
  const auto number = [&ids](const Lines& lines) {
    std::vector<int> numbers;
    numbers.reserve(lines.size());
    for (const std::string_view line : lines)
      numbers.push_back(
          ids.emplace(line, static_cast<int>(ids.size())).first->second);
    return numbers;
  };
  std::vector<int> a = number(old_lines);
  std::vector<int> b = number(new_lines);
  return Comparison(std::move(a), std::move(b)).run();
}

void print(std::string& diff, char mark, std::string_view line) {
  diff += mark;
  diff += line;
  if (!line.ends_with('\n'))
    diff += "\n\\ No newline at end of file\n";
}

/// A range as a hunk's header has it: an empty one names the line before it.
std::string header_range(std::size_t begin, std::size_t end) {
  const std::size_t count = end - begin;
  const std::size_t first = count == 0 ? begin : begin + 1;
  return count == 1 ? fmt::format("{}", first)
                    : fmt::format("{},{}", first, count);
}

/// A name in a header (git, quote.c): quoted where it holds odd bytes; a tab
/// after one with blanks shows where it ends.
std::string header_name(std::string_view name) {
  std::string quoted;
  bool is_odd = false;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    is_odd = is_odd || byte < ' ' || byte == 0x7f || c == '"' || c == '\\';
    if (byte < ' ' || byte == 0x7f)
      quoted += fmt::format("\\{:03o}", byte);
    else if (c == '"' || c == '\\')
      quoted += std::string("\\") + c;
    else
      quoted += c;
  }
  if (is_odd)
    return "\"" + quoted + "\"";
  return quoted.find(' ') == std::string::npos ? quoted : quoted + "\t";
}

constexpr std::size_t context = 3;

void print_hunk(std::string& diff, const Lines& old_lines,
                const Lines& new_lines, const std::vector<Change>& changes,
                std::size_t first, std::size_t last) {
  const std::size_t before = std::min(context, changes[first].old_begin);
  const std::size_t after =
      std::min(context, old_lines.size() - changes[last].old_end);
  const std::size_t old_begin = changes[first].old_begin - before;
  diff += fmt::format("@@ -{} +{} @@\n",
                      header_range(old_begin, changes[last].old_end + after),
                      header_range(changes[first].new_begin - before,
                                   changes[last].new_end + after));
  std::size_t at = old_begin;
  for (std::size_t i = first; i <= last; ++i) {
    for (; at < changes[i].old_begin; ++at)
      print(diff, ' ', old_lines[at]);
    for (; at < changes[i].old_end; ++at)
      print(diff, '-', old_lines[at]);
    for (std::size_t j = changes[i].new_begin; j < changes[i].new_end; ++j)
      print(diff, '+', new_lines[j]);
  }
  for (const std::size_t end = at + after; at < end; ++at)
    print(diff, ' ', old_lines[at]);
}

}  // namespace

std::string unified_diff(std::string_view old_text, std::string_view new_text,
                         std::string_view old_name, std::string_view new_name) {
  const Lines old_lines = whole_lines(old_text);
  const Lines new_lines = whole_lines(new_text);
  const std::vector<Change> changes = compare(old_lines, new_lines);
  if (changes.empty())
    return {};
  std::string diff =
      "--- " + header_name(old_name) + "\n+++ " + header_name(new_name) + "\n";
  for (std::size_t first = 0; first < changes.size();) {
    std::size_t last = first;
    while (last + 1 < changes.size() &&
           changes[last + 1].old_begin - changes[last].old_end <= 2 * context)
      ++last;
    print_hunk(diff, old_lines, new_lines, changes, first, last);
    first = last + 1;
  }
  return diff;
}

}  // namespace autopin
