#pragma once
// How a file is laid out around a place: what an edit looks at so that what it
// inserts reads as if it had been there.

#include <string>
#include <string_view>

#include "nix/edit.h"
#include "nix/source.h"

namespace autopin::nix {

/// A line that was this long or shorter is not made longer by an edit that
/// could use lines of its own instead.
inline constexpr std::size_t line_width = 100;

bool has_line_end(std::string_view text);

/// The line end that most lines of a text have.
std::string line_end_of(std::string_view text);

/// First byte of the line that holds `byte`, and the first of its line end (or
/// the end of the file).
std::size_t line_begin(const Source& source, std::size_t byte);
std::size_t line_stop(const Source& source, std::size_t byte);

/// Is there nothing but blanks before `byte` on its line?
bool starts_line(const Source& source, std::size_t byte);

/// The end of the comments that follow `byte` on its line, before `limit`
/// (itself where none do). A comment that goes on over further lines is not
/// taken.
std::size_t after_comments(const Source& source, std::size_t byte,
                           std::size_t limit);

/// The end of the last comment between `begin` and `limit`; `begin` where there
/// is none. Only blanks and comments may be there.
std::size_t after_all_comments(const Source& source, std::size_t begin,
                               std::size_t limit);

/// Whether the comment that ends at `byte` runs to the end of its line.
bool ends_in_line_comment(const Source& source, std::size_t begin,
                          std::size_t end);

/// The byte after the next `,` at or after `byte`, comments skipped, before
/// `limit`; `byte` where there is none.
std::size_t after_comma(const Source& source, std::size_t byte,
                        std::size_t limit);

/// Comment and text as lines, each with `indent` before it and joined by the
/// file's line end; none at either end. Blank lines get no indentation.
std::string as_lines(const Source& source, const Insertion& insertion,
                     std::string_view indent);

/// "/* comment */ text", or just the text.
std::string as_words(const Insertion& insertion);

/// The comment on one line, with nothing that would end it.
std::string one_line(std::string_view comment);

/// Whether `extra` more columns on the line of `byte` still read well: it stays
/// within line_width, or was beyond it before.
bool fits_line(const Source& source, std::size_t byte, std::size_t extra);

}  // namespace autopin::nix
