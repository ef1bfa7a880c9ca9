#include "python/archive.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/text.h"

namespace autopin::python {

namespace {

[[noreturn]] void fail(std::string_view where, std::string_view why) {
  throw Error("read the archive", where, why);
}

/// Little-endian numbers at checked offsets (APPNOTE.TXT, 4.3).
class Bytes {
 public:
  Bytes(std::string_view data, std::string_view where)
      : data_(data), where_(where) {}

  std::uint64_t number(std::size_t at, std::size_t size) const {
    if (at > data_.size() || data_.size() - at < size)
      fail(where_, "it ends in the middle of a record");
    std::uint64_t out = 0;
    for (std::size_t i = size; i-- > 0;)
      out = out << 8U | static_cast<unsigned char>(data_[at + i]);
    return out;
  }
  std::uint16_t u16(std::size_t at) const {
    return static_cast<std::uint16_t>(number(at, 2));
  }
  std::uint32_t u32(std::size_t at) const {
    return static_cast<std::uint32_t>(number(at, 4));
  }
  std::uint64_t u64(std::size_t at) const { return number(at, 8); }
  std::string_view slice(std::size_t at, std::size_t size) const {
    if (at > data_.size() || data_.size() - at < size)
      fail(where_, "it ends in the middle of a record");
    return data_.substr(at, size);
  }
  std::size_t size() const { return data_.size(); }

 private:
  std::string_view data_;
  std::string_view where_;
};

/// Absolute, or with a ".." or a backslash: nothing that we read by name would
/// be called so, and whoever unpacks it later would be led astray.
void check_path(std::string_view name, std::string_view where) {
  bool bad = name.empty() || name.front() == '/' ||
             name.find('\\') != std::string_view::npos ||
             name.find('\0') != std::string_view::npos;
  for (const std::string& part : split(name, '/'))
    bad = bad || part == "..";
  if (bad)
    fail(where, "the path of a member leaves the archive: " + to_utf8(name));
}

struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t count = 0;
};

constexpr std::size_t end_size = 22;
constexpr std::size_t locator_size = 20;
constexpr std::uint32_t full32 = std::numeric_limits<std::uint32_t>::max();

/// The end record, which a comment of up to 64 KiB may follow; the last one
/// whose comment ends at the end of the file counts.
std::size_t find_end(const Bytes& tail, std::string_view where) {
  if (tail.size() < end_size)
    fail(where, "no zip: it is too short");
  for (std::size_t at = tail.size() - end_size + 1; at-- > 0;) {
    if (tail.u32(at) == 0x06054b50 &&
        at + end_size + tail.u16(at + 20) == tail.size())
      return at;
  }
  fail(where, "no zip: the end record is missing");
}

Directory read_end64(const ReadAt& read, std::uint64_t at, std::uint64_t size,
                     std::string_view where) {
  if (at > size || size - at < 56)
    fail(where, "broken zip64 end record");
  const std::string text = read(at, 56);
  const Bytes record(text, where);
  if (record.u32(0) != 0x06064b50)
    fail(where, "broken zip64 end record");
  return {record.u64(48), record.u64(40), record.u64(32)};
}

Directory find_directory(const ReadAt& read, std::uint64_t size,
                         std::string_view where) {
  const std::uint64_t tail_size =
      std::min<std::uint64_t>(size, 0xffff + end_size + locator_size);
  const std::string text = read(size - tail_size, tail_size);
  const Bytes tail(text, where);
  const std::size_t end = find_end(tail, where);
  Directory out{tail.u32(end + 16), tail.u32(end + 12), tail.u16(end + 10)};
  const bool is_zip64 =
      out.offset == full32 || out.size == full32 || out.count == 0xffff;
  if (is_zip64 && end >= locator_size &&
      tail.u32(end - locator_size) == 0x07064b50)
    out = read_end64(read, tail.u64(end - locator_size + 8), size, where);
  if (out.offset > size || size - out.offset < out.size)
    fail(where, "the directory lies outside the file");
  return out;
}

/// The 64-bit sizes of extra field 1, in the order of those that are full.
void read_zip64_extra(const Bytes& extra, ArchiveMember& member) {
  for (std::size_t at = 0; at + 4 <= extra.size();) {
    const std::size_t length = extra.u16(at + 2);
    if (extra.u16(at) == 1) {
      std::size_t field = at + 4;
      for (std::uint64_t* value :
           {&member.size, &member.compressed_size, &member.header_offset}) {
        if (*value != full32)
          continue;
        *value = extra.u64(field);
        field += 8;
      }
    }
    at += 4 + length;
  }
}

std::string inflate_bytes(std::string_view data, std::uint64_t expected,
                          std::string_view where) {
  z_stream stream{};
  // Raw deflate, as zip has it.
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    fail(where, "no memory");
  std::string out(expected, '\0');
  // zlib's interface predates const.
  stream.next_in =
      reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));  // NOLINT
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());  // NOLINT
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (status != Z_STREAM_END || stream.avail_out != 0)
    fail(where, "a member is damaged or larger than it says");
  return out;
}

}  // namespace

ReadAt read_from(std::string_view bytes) {
  return [bytes](std::uint64_t offset, std::uint64_t length) {
    if (offset > bytes.size() || bytes.size() - offset < length)
      fail("bytes in memory", "it ends too early");
    return std::string(bytes.substr(offset, length));
  };
}

std::vector<ArchiveMember> list_zip(const ReadAt& read, std::uint64_t size,
                                    std::string_view where,
                                    const ArchiveLimits& limits) {
  const Directory found = find_directory(read, size, where);
  if (found.count > limits.members || found.size > limits.member_bytes)
    fail(where, "too many members");
  const std::string text = read(found.offset, found.size);
  const Bytes directory(text, where);
  std::vector<ArchiveMember> out;
  for (std::size_t at = 0; out.size() < found.count;) {
    if (directory.u32(at) != 0x02014b50)
      fail(where, "broken directory");
    ArchiveMember member;
    member.method = directory.u16(at + 10);
    member.crc32 = directory.u32(at + 16);
    member.compressed_size = directory.u32(at + 20);
    member.size = directory.u32(at + 24);
    member.header_offset = directory.u32(at + 42);
    const std::size_t name = directory.u16(at + 28);
    const std::size_t extra = directory.u16(at + 30);
    member.name = directory.slice(at + 46, name);
    read_zip64_extra(Bytes(directory.slice(at + 46 + name, extra), where),
                     member);
    check_path(member.name, where);
    at += 46 + name + extra + directory.u16(at + 32);
    out.push_back(std::move(member));
  }
  return out;
}

std::string read_zip_member(const ReadAt& read, std::uint64_t size,
                            const ArchiveMember& member, std::string_view where,
                            const ArchiveLimits& limits) {
  if (member.size > limits.member_bytes ||
      member.compressed_size > limits.member_bytes)
    fail(where, "a member is too large: " + to_utf8(member.name));
  if (member.header_offset > size || size - member.header_offset < 30)
    fail(where, "a member lies outside the file");
  const std::string header_text = read(member.header_offset, 30);
  const Bytes header(header_text, where);
  if (header.u32(0) != 0x04034b50)
    fail(where, "broken member header");
  const std::uint64_t start =
      member.header_offset + 30 + header.u16(26) + header.u16(28);
  if (start > size || size - start < member.compressed_size)
    fail(where, "a member lies outside the file");
  std::string data = read(start, member.compressed_size);
  if (member.method == 8)
    data = inflate_bytes(data, member.size, where);
  else if (member.method != 0)
    fail(where, "a member has a compression that is not deflate");
  const auto crc =
      ::crc32(0, reinterpret_cast<const Bytef*>(data.data()),  // NOLINT
              static_cast<uInt>(data.size()));
  if (data.size() != member.size || crc != member.crc32)
    fail(where,
         "a member does not match its checksum: " + to_utf8(member.name));
  return data;
}

}  // namespace autopin::python
