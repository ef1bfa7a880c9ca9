#pragma once
// Words of a check phase that the draft writes out itself.

#include <string>
#include <vector>

#include "fix/fix.h"

namespace autopin::fix {

/// Proposals that take the words out of the check phase, at each place of the
/// draft where it is written out and calls pytest with all of them on one line.
std::vector<Proposal> without_phase_words(const Situation& situation,
                                          const std::string& drv,
                                          const std::vector<std::string>& words,
                                          const Proposal& draft);

/// True where each of the words stands by itself in a check phase that the
/// builder sees.
bool phase_says(const Situation& situation, const std::string& drv,
                const std::vector<std::string>& words);

}  // namespace autopin::fix
