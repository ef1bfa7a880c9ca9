#pragma once
// What can be said of the text that a piece of a regular expression matches,
// and how it adds up where pieces follow, alternate and repeat.

#include <string>
#include <vector>

namespace autopin {

using Texts = std::vector<std::string>;

/// A guard that stops at so few lines in a million is good enough.
constexpr double good_cost = 20;

/// What is known of the text that a piece of a pattern matches. No texts: it
/// may be anything; of an exact piece: it is empty.
struct Known {
  bool exact = true;
  Texts begin;   ///< It begins with one of these; if exact, is one of these.
  Texts end;     ///< It ends with one of these; not used if exact.
  Texts inside;  ///< It holds one of these.

  bool is_nothing() const { return exact && begin.empty(); }
};

Known anything();
Known one_of(Texts texts);
Known concatenate(const std::vector<Known>& pieces);
Known alternate(const std::vector<Known>& branches);
/// `piece` from `least` to `most` times; -1: without end.
Known repeat(const Known& piece, int least, int most);

/// Without texts that hold another of them: those add nothing.
Texts shortest_of(Texts texts);

}  // namespace autopin
