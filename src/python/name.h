#pragma once
// Names of Python projects: one project has many spellings (zope.interface,
// zope_interface, Zope-Interface) and is one name to every comparison here.

#include <string>
#include <string_view>

namespace autopin::python {

/// PEP 503: lower case, runs of "-", "_" and "." become one "-".
std::string normalize_name(std::string_view name);

/// PEP 508's grammar for names; what fails it is never put into an expression.
bool is_valid_name(std::string_view name);

}  // namespace autopin::python
