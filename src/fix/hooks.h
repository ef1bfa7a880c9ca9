#pragma once
// Small changes that several fixes share, and the checks that go with them.

#include <string>
#include <vector>

#include "fix/fix.h"

namespace autopin::fix {

/// More items of shell words for a list, each quoted.
AttrChange more_words(std::string attribute,
                      const std::vector<std::string>& words,
                      std::string comment);
/// More lines for a hook.
AttrChange more_lines(std::string hook, std::vector<std::string> lines,
                      std::string comment);

/// A variable that the builder sees: `value`, or one more word in it.
AttrChange set_variable(std::string name, NixText value, std::string comment);
AttrChange more_in_variable(std::string name, std::string word,
                            std::string comment);
/// place_change for such a variable: in `env` where the package set's builders
/// take that, beside the other attributes where they do not.
std::vector<Proposal> place_variable(const Situation& situation,
                                     const std::string& drv,
                                     const AttrChange& variable,
                                     const Proposal& draft);

/// The successor's `attribute` holds the text.
Check attribute_says(const Situation& before, const std::string& drv,
                     std::string attribute, std::string text);

/// All of the .drvs are inputs of the successor.
Check all_are_inputs(const Situation& before, const std::string& drv,
                     std::vector<std::string> wanted);

/// The hook that runs before the phase that a diagnosis speaks of.
std::string hook_before(const Diagnosis& diagnosis);

}  // namespace autopin::fix
