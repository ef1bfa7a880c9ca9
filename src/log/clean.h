#pragma once
// Builders write for a terminal, and logs travel through CI pages, pagers and
// chat before they are read here. What those add is taken off in one place, so
// that no rule ever sees a colour code, a time stamp or a frame.

#include <optional>
#include <string>
#include <string_view>

namespace autopin {

/// `line` without ANSI escape sequences (ECMA-48 CSI and OSC) and other control
/// characters but tab; NULs go too. `scratch` holds the result where something
/// was taken out, otherwise the answer points into `line`.
std::string_view strip_escapes(std::string_view line, std::string& scratch);

/// `line` without colours whose ESC was lost on the way, as web forms lose it:
/// "[31;1merror:[0m". `scratch` as above.
std::string_view strip_bare_colours(std::string_view line,
                                    std::string& scratch);

/// `line` without the bytes at its ends that are not UTF-8. In its middle they
/// stay: to a rule they are characters like others.
std::string_view strip_odd_ends(std::string_view line);

/// GitLab's time stamp; a runner that sees a line in pieces stamps each.
struct GitlabStamp {
  std::size_t length = 0;
  bool goes_on = false;  ///< The text belongs to the line before.
};
std::optional<GitlabStamp> gitlab_stamp(std::string_view line);

/// Without what a CI system or a monitor puts before a line: RFC 3339 time
/// stamps, `##[group]`-like markers, nix-output-monitor's frame.
std::string_view strip_decoration(std::string_view line);

/// True for a line that holds nothing but the viewer's own furniture: frames,
/// progress bars, fold markers, Markdown links to line numbers.
bool is_furniture(std::string_view line);

/// What a look from afar goes by: false where no line that holds these three
/// bytes is changed by strip_escapes(), strip_bare_colours() or
/// strip_decoration() for the sake of `c`, has HTML tags, or is one with a
/// prefix ("name> text").
bool needs_cleaning(char before, char c, char next);

/// The same for the begin of a line, up to as much of it as can be seen;
/// strip_odd_ends() and is_furniture() too.
bool may_be_decorated(std::string_view line);

/// The same for the byte that ends a line, and strip_odd_ends().
bool may_be_odd_end(char c);

/// Undoes the five HTML entities that escape text.
std::string unescape_html(std::string_view text);

/// What lies between the first pair of quotes at or after `from`: '…', ‘…’,
/// `…' and "…", as the generations of Nix have them; "" where there is none.
std::string_view quoted(std::string_view text, std::size_t from = 0);

}  // namespace autopin
