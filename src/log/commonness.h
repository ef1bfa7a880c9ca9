#pragma once
// How ordinary a text is in build logs: a choice between texts to look for.

#include <string>
#include <string_view>
#include <vector>

namespace autopin {

/// Scout looks for four bytes at a time.
constexpr std::size_t shortest_text = 4;

/// What cost_of() is at most: the texts cannot be looked for.
constexpr double no_guard_cost = 1e6;

/// How often `text` stands somewhere in a line of an ordinary log, roughly:
/// from 0 to 1.
double commonness(std::string_view text);

/// In a million lines of an ordinary log those that hold one of `texts`, and
/// something for each text.
double cost_of(const std::vector<std::string>& texts);

}  // namespace autopin
