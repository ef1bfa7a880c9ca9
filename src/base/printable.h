#pragma once
// Text of logs and indexes is a stranger's: on a terminal it could move the
// cursor, in a report it could reorder what stands beside it. Whatever is shown
// to a person passes through here.

#include <string>
#include <string_view>

namespace autopin {

/// `text` as valid UTF-8 in which every character shows. Colours are dropped;
/// other control characters appear as their pictures ("␛"), invisible and
/// direction-changing ones as "<U+202E>". Line ends and tabs stay; "\r\n" is a
/// line end.
std::string printable(std::string_view text);

/// The same on one line: line ends and tabs become blanks.
std::string printable_line(std::string_view text);

}  // namespace autopin
