#pragma once
// What a project page came down to, as the cache keeps it: a tenth of the
// page's bytes and of the time to read them. It never leaves the machine.

#include <string>
#include <string_view>

#include "python/index.h"

namespace autopin::python {

/// The content type that a kept digest has; its number is the form's.
std::string digest_type();

std::string digest_of(const Project& page);

/// Throws Error where it is none.
Project read_digest(std::string_view text, std::string_view name);

}  // namespace autopin::python
