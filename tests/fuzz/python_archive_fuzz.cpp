// Any bytes as a zip and as a tar: an Error or members within the bounds.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "python/archive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace autopin::python;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  ArchiveLimits limits;
  limits.member_bytes = 1U << 20U;
  limits.unpacked_bytes = 4U << 20U;
  limits.members = 1000;
  try {
    const ReadAt read = read_from(bytes);
    for (const ArchiveMember& member : list_zip(read, size, "zip", limits)) {
      const auto content = read_zip_member(read, size, member, "zip", limits);
      if (content.size() > limits.member_bytes)
        std::abort();
    }
  } catch (const autopin::Error&) {
  }
  try {
    const auto all = [](const std::string&) { return true; };
    for (const TarFile& file : read_tar(bytes, all, "tar", limits)) {
      if (file.content.size() > limits.member_bytes)
        std::abort();
    }
  } catch (const autopin::Error&) {
  }
  return 0;
}
