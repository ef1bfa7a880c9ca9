#pragma once
// What the readers of both forms of an index page share. Private to them.

#include <string>
#include <string_view>

#include "python/index_page.h"

namespace autopin::python {

[[noreturn]] void fail_page(const std::string& url, std::string_view why);

/// Throws Error unless it is 1.x or not said.
void check_api_version(const std::string& version, const std::string& url);

/// A SHA-256 in hex, or nothing: other hashes are not used.
std::string checked_sha256(std::string_view text);

/// To the page's files where it is one of the project.
void add_file(IndexFile file, Classifier& classifier, Project& page);

/// A sentence about what is passed over; the first hundred are kept.
void skip(Project& page, std::string_view why);

}  // namespace autopin::python
