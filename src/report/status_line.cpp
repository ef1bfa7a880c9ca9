#include "report/status_line.h"

#include <fmt/format.h>

#include "base/derivation_name.h"
#include "base/printable.h"

namespace autopin::report {
namespace {

constexpr auto redraw_after = std::chrono::milliseconds(100);

std::size_t length_of_character(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

/// Blocks that terminals draw two columns wide (Unicode's East Asian Width),
/// roughly: a column too many only cuts the line a little earlier.
std::size_t width_of(std::string_view character) {
  return character.size() == 4 ||
                 (character.size() == 3 && character >= "\xE1\x84\x80" &&
                  (character < "\xE2\x80\x80" || character >= "\xE2\xBA\x80"))
             ? 2
             : 1;
}

std::string elapsed(std::chrono::steady_clock::duration time) {
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(time).count();
  if (seconds < 60)
    return fmt::format("{}s", seconds);
  if (seconds < 3600)
    return fmt::format("{}m{:02}s", seconds / 60, seconds % 60);
  return fmt::format("{}h{:02}m", seconds / 3600, seconds / 60 % 60);
}

}  // namespace

std::string short_name(std::string_view derivation) {
  return printable_line(derivation_name(derivation));
}

std::string fitted(std::string_view text, std::size_t columns) {
  std::size_t used = 0;
  std::size_t fits = 0;  // bytes that leave room for "…"
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character =
        text.substr(at, length_of_character(text[at]));
    used += width_of(character);
    if (used > columns)
      return std::string(text.substr(0, fits)) + (columns > 0 ? "…" : "");
    at += character.size();
    if (used + 1 <= columns)
      fits = at;
  }
  return std::string(text);
}

StatusLine::StatusLine(ProgressOptions options)
    : options_(std::move(options)) {}

StatusLine::Time StatusLine::now() const {
  return options_.now ? options_.now() : Time{};
}

void StatusLine::set_activity(std::string what, std::string phase) {
  if (what != what_)
    line_.clear();
  if (!what.empty())
    since_.try_emplace(what, now());
  what_ = std::move(what);
  phase_ = std::move(phase);
}

void StatusLine::set_line(std::string what, std::string line) {
  if (what != what_)
    set_activity(std::move(what), {});
  line_ = std::move(line);
}

void StatusLine::forget(const std::string& what) {
  since_.erase(what);
  if (what == what_)
    set_activity({}, {});
}

bool StatusLine::is_due() const {
  return now() - drawn_ >= redraw_after;
}

std::string StatusLine::text() {
  drawn_ = now();
  if (what_.empty())
    return {};
  std::string text;
  if (round > 0)
    text += fmt::format("[{}] ", round);
  text += what_;
  if (!phase_.empty())
    text += " " + phase_;
  text += " " + elapsed(now() - since_.at(what_));
  if (!line_.empty())
    text += " | " + line_;
  // The last column stays free: some terminals wrap when it is filled.
  return fitted(text, options_.width > 0 ? options_.width - 1 : 0);
}

}  // namespace autopin::report
