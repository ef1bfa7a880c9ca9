#pragma once
// A resolution for people, for programs, and as a Nix expression to paste.

#include <string>

#include "python/resolve.h"

namespace autopin {

std::string to_text(const python::Resolution& resolution);

/// {"schema": 1, "outcome": "resolved", "pins": […], "kept": […], "notes": […]}
std::string to_json(const python::Resolution& resolution);

/// {"schema": 1, "outcome": "no-solution", "why": …, "names": […]}
std::string to_json(const python::NoSolution& none);

/// A function for `packageOverrides` of a Python interpreter.
std::string to_nix(const python::Resolution& resolution);

}  // namespace autopin
