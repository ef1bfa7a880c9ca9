#pragma once
// A wheel's METADATA out of the end of the file on the server, where the server
// gives ranges: the directory of a zip is its end, and PEP 427 recommends to
// put .dist-info there too. Private to the index client.

#include <variant>

#include "io/http.h"
#include "python/index.h"

namespace autopin::python {

/// What to ask for first.
HttpRequest tail_request(const IndexFile& file, std::int64_t max_bytes);

/// From a server that gives no ranges; not checked.
struct WholeFile {
  HttpResponse response;
};
/// The server refuses, or does not keep to RFC 9110.
struct NoRanges {};

/// Throws Error where no answer comes, or the wheel is broken.
std::variant<FileFacts, WholeFile, NoRanges> read_remote_wheel(
    HttpClient& http, const IndexFile& file, std::int64_t max_bytes);

}  // namespace autopin::python
