#pragma once
// What a distribution file's own contents say, as bytes -> facts. Separate from
// the index client, so that files in the store or on disk are read alike.

#include <cstdint>
#include <string>
#include <string_view>

#include "python/index.h"

namespace autopin::python {

/// A wheel's METADATA; `read` may be a range of a remote file.
FileFacts read_wheel(const ReadAt& read, std::uint64_t size,
                     std::string_view filename);

/// PKG-INFO, requires.txt and the build files of a source distribution.
FileFacts read_sdist(std::string_view bytes, std::string_view filename,
                     std::string_view project);

/// Throws Error where the metadata is that of another project or version.
void check_metadata(const Metadata& metadata, const IndexFile& file);

}  // namespace autopin::python
