#pragma once
// Most lines of a log match no rule, and a short look can tell: a line cannot
// match "error: unable to find library -l(\S+)" without that text. A guard is
// such text, found in the pattern itself; see Scout for how it is looked for.

#include <string>
#include <string_view>
#include <vector>

namespace autopin {

struct Guard {
  /// Every line that matches holds one of these, where the line is seen with a
  /// line feed before and behind it. Empty: no such texts are known.
  std::vector<std::string> texts;
  bool fold = false;  ///< The texts are lower case; the line's case is ignored.
  /// Every construct of the pattern was understood, so that RE2 takes it too.
  bool understood = false;

  /// Lines in a million of an ordinary log that hold one of the texts, roughly.
  double cost = 1e6;
  /// So many do that it pays to try the pattern before the line is looked at.
  bool is_ordinary() const { return cost >= 1000; }
};

/// The rarest guard of `pattern` (RE2 syntax, Latin-1). Errs on the side of no
/// guard. Sound where the line itself holds no line feed.
Guard guard_of(std::string_view pattern);

}  // namespace autopin
