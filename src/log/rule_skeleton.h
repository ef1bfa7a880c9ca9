#pragma once
// From a log that no rule knows to the skeleton of a rule that would: what a
// machine can write of it, and TODO where a person has to.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "log/diagnosis.h"
#include "log/excerpt.h"

namespace autopin {

/// What a person is still to write begins so; the check of rules looks for it.
constexpr std::string_view todo = "TODO";

/// True for lines that say that something failed and not what: "make: *** …",
/// Nix's own "builder for … failed".
bool says_only_that_it_failed(std::string_view line);

/// Of the key lines of a log the one that a rule should be about: the last that
/// says what failed. Nothing where none does.
std::optional<EvidenceLine> telling_line(
    const std::vector<EvidenceLine>& key_lines);

/// `line` as an RE2 pattern for the whole line in which numbers, paths and
/// hashes may be others.
std::string pattern_for(std::string_view line);

/// A rules file with one rule, indented JSON. `sample` has the line with those
/// around it.
std::string rule_skeleton(const std::string& id, const std::string& line,
                          const Excerpt& sample);

/// A name for a rule about `line`: its first words.
std::string rule_id_for(std::string_view line);

}  // namespace autopin
