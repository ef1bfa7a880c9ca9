#pragma once
// A stranger's text as it may stand in a view: every character shows, and
// nothing opens a door.

#include <string>
#include <string_view>

#include "base/printable.h"
#include "io/scrub.h"

namespace autopin::report {

inline std::string shown(std::string_view text) {
  return printable(redact(text));
}

inline std::string shown_line(std::string_view text) {
  return printable_line(redact(text));
}

/// As a sentence that another may follow.
inline std::string sentence(std::string text) {
  if (!text.empty() &&
      std::string_view(".!?:").find(text.back()) == std::string_view::npos)
    text += '.';
  return text;
}

}  // namespace autopin::report
