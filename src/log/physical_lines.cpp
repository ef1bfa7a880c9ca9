#include "log/physical_lines.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <utility>

#include "log/clean.h"

namespace autopin {

namespace {

/// Of a longer physical line the rest is skipped: no rule needs it, and memory
/// stays bounded.
constexpr std::size_t longest_line = 64U << 10;

/// Two drawings of one progress bar: their letters are the same, or more at the
/// end ("Receiving: 99%", "Receiving: 100%, done").
bool is_same_drawing(std::string_view before, std::string_view now) {
  if (before.empty())
    return false;
  const auto letters = [](std::string_view text) {
    std::string kept;
    std::copy_if(text.begin(), text.end(), std::back_inserter(kept),
                 [](unsigned char c) { return std::isalpha(c) != 0; });
    return kept;
  };
  const std::string old_letters = letters(before);
  const std::string new_letters = letters(now);
  return new_letters == old_letters ||
         (old_letters.size() > 3 && now.find('%') != std::string_view::npos &&
          new_letters.compare(0, old_letters.size(), old_letters) == 0);
}

}  // namespace

void PhysicalLines::feed(std::string_view bytes) {
  const char* const begin = bytes.data();
  while (!bytes.empty()) {
    if (bytes.data() != begin && !html_ && pieces_number_ == 0) {
      const Scout::Passed passed =
          taker_.pass_over({bytes.data() - 1, bytes.size() + 1}, number_);
      bytes.remove_prefix(passed.bytes);
      number_ += passed.lines;
    }
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    if (end == std::string_view::npos) {
      keep(piece);
      return;
    }
    bytes.remove_prefix(end + 1);
    if (rest_.empty()) {
      ++number_;
      stamped_line(piece.substr(0, longest_line));
    } else {
      keep(piece);
      flush_rest();
    }
  }
}

void PhysicalLines::finish() {
  flush_rest();
  flush_pieces();
}

void PhysicalLines::keep(std::string_view piece) {
  if (rest_.size() < longest_line)
    rest_ += piece.substr(0, longest_line - rest_.size());
}

void PhysicalLines::flush_rest() {
  if (rest_.empty())
    return;
  ++number_;
  const std::string line = std::exchange(rest_, {});
  stamped_line(line);
}

/// Puts together what GitLab's runner stamped in pieces.
void PhysicalLines::stamped_line(std::string_view line) {
  const std::optional<GitlabStamp> stamp = gitlab_stamp(line);
  if (!stamp) {
    flush_pieces();
    physical_line(line, number_);
    return;
  }
  if (!stamp->goes_on)
    flush_pieces();
  if (pieces_number_ == 0)
    pieces_number_ = number_;
  line.remove_prefix(stamp->length);
  if (pieces_.size() < longest_line)
    pieces_ += line.substr(0, longest_line - pieces_.size());
}

void PhysicalLines::flush_pieces() {
  if (pieces_number_ == 0)
    return;
  const long number = std::exchange(pieces_number_, 0);
  const std::string line = std::exchange(pieces_, {});
  physical_line(line, number);
}

/// Progress bars redraw by CR: each drawing is a line of its own.
void PhysicalLines::physical_line(std::string_view line, long number) {
  if (line.find('\r') == std::string_view::npos) {
    decorated_line(line, number, false);
    return;
  }
  std::string_view drawn;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('\r', begin), line.size());
    if (end > begin) {
      const std::string_view now = line.substr(begin, end - begin);
      const bool more =
          line.find_first_not_of('\r', end) != std::string_view::npos;
      decorated_line(now, number, more || is_same_drawing(drawn, now));
      drawn = now;
    }
    begin = end + 1;
  }
  if (drawn.empty())
    decorated_line({}, number, false);
}

void PhysicalLines::decorated_line(std::string_view line, long number,
                                   bool redrawn) {
  std::string scratch;
  line = strip_odd_ends(strip_escapes(line, scratch));
  line = strip_decoration(line);
  if (is_furniture(line))
    return;
  std::string plain;
  if (line.find('<') != std::string_view::npos && html_tags(line, plain))
    line = plain;
  if (html_ && line.find('&') != std::string_view::npos) {
    plain = unescape_html(line);
    line = plain;
  }
  taker_.take_line(line, number, redrawn);
}

/// A log pasted into an issue: <pre> around, entities within.
bool PhysicalLines::html_tags(std::string_view line, std::string& plain) {
  bool changed = false;
  for (const std::string_view tag : {"<pre>", "</pre>", "<code>", "</code>"}) {
    const std::string_view now = changed ? std::string_view(plain) : line;
    const std::size_t at = now.find(tag);
    if (at == std::string_view::npos)
      continue;
    if (tag == "<pre>")
      html_ = true;
    if (html_ || at == 0) {
      std::string without(now.substr(0, at));
      without += now.substr(at + tag.size());
      plain = std::move(without);
      changed = true;
    }
  }
  return changed;
}

}  // namespace autopin
