#pragma once
// Reading members of zip and tar archives in memory, with bounds: archives
// come from an index and are hostile. Nothing is ever unpacked to disk.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace autopin::python {

struct ArchiveMember {
  std::string name;
  std::uint64_t size = 0;
  // Zip only.
  std::uint64_t compressed_size = 0;
  std::uint64_t header_offset = 0;
  std::uint32_t crc32 = 0;
  std::uint16_t method = 0;
};

/// More than this out of one archive ends in an Error.
struct ArchiveLimits {
  std::uint64_t member_bytes = 64U << 20U;
  std::uint64_t unpacked_bytes = 2ULL << 30U;
  std::size_t members = 200000;
};

/// Gives `length` bytes at `offset` of a file of known size; ranged requests
/// and whole files look alike behind it.
using ReadAt =
    std::function<std::string(std::uint64_t offset, std::uint64_t length)>;

/// The central directory of a zip of `size` bytes. Throws Error (naming
/// `where`) where it is broken or a member's path leaves the archive.
std::vector<ArchiveMember> list_zip(const ReadAt& read, std::uint64_t size,
                                    std::string_view where,
                                    const ArchiveLimits& limits = {});

/// One member's bytes, checked against its size and CRC-32.
std::string read_zip_member(const ReadAt& read, std::uint64_t size,
                            const ArchiveMember& member, std::string_view where,
                            const ArchiveLimits& limits = {});

/// The members of a tar (plain, or gzip, bzip2, xz) that `wanted` accepts by
/// name, with their bytes. Throws Error as above.
struct TarFile {
  std::string name;
  std::string content;
};
std::vector<TarFile> read_tar(
    std::string_view archive,
    const std::function<bool(const std::string&)>& wanted,
    std::string_view where, const ArchiveLimits& limits = {});

/// A ReadAt over bytes in memory, which must outlive it.
ReadAt read_from(std::string_view bytes);

}  // namespace autopin::python
