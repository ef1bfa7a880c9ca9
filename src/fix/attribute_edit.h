#pragma once
// How one attribute of a derivation is written into a { } of the draft: into
// the binding that is there, else as a new one.

#include <string>
#include <vector>

#include "fix/place.h"

namespace autopin::fix {

/// The attribute as the function that is called reads it: what only the Python
/// builder does (doCheck) becomes what mkDerivation does (doInstallCheck).
std::string attribute_for(const std::string& attribute,
                          const std::string& function, bool is_python);

/// "# comment\n", or nothing.
std::string comment_lines(const std::string& comment);

/// `attribute = …;` for a { } that does not have it. `previous` names the old
/// attributes, "" where there are none.
NixText new_binding(const AttrChange& change, const std::string& attribute,
                    const std::string& previous);

/// True where `change`, as a new binding, speaks of the old attributes.
bool needs_previous(const AttrChange& change);

/// Says the wanted change in the place's own { }. False where it cannot be
/// said.
bool edit_attribute(const Situation& situation, const Place& place,
                    const AttrChange& wanted, const PythonSet* python,
                    const std::string& previous, std::vector<nix::Edit>& edits);

}  // namespace autopin::fix
