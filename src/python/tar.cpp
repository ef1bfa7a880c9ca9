// Tar archives, plain or gzipped, read in one pass and never as a whole: a
// source distribution of 100 MB is scanned for three small files.

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "python/archive.h"

namespace autopin::python {

namespace {

constexpr std::size_t block = 512;

[[noreturn]] void fail(std::string_view where, std::string_view why) {
  throw Error("read the archive", where, why);
}

/// Gives the unpacked bytes in order, gzip or not, up to a bound.
class Stream {
 public:
  Stream(std::string_view data, std::string_view where, std::uint64_t limit)
      : data_(data), where_(where), limit_(limit) {
    packed_ = data.size() > 2 && data[0] == '\x1f' && data[1] == '\x8b';
    // 16: a gzip header is expected.
    if (packed_ && inflateInit2(&zlib_, 16 + MAX_WBITS) != Z_OK)
      fail(where, "no memory");
    zlib_.next_in =
        reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));  // NOLINT
    zlib_.avail_in = static_cast<uInt>(data.size());
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    if (packed_)
      inflateEnd(&zlib_);
  }

  /// Fills `out` wholly, or false at the end of the data.
  bool read(char* out, std::size_t size) {
    given_ += size;
    if (given_ > limit_)
      fail(where_, "it unpacks to too much");
    return packed_ ? unpack(out, size) : copy(out, size);
  }

  bool skip(std::uint64_t size) {
    std::array<char, 1U << 15U> scratch;
    while (size > 0) {
      const auto part = std::min<std::uint64_t>(size, scratch.size());
      if (!read(scratch.data(), part))
        return false;
      size -= part;
    }
    return true;
  }

 private:
  bool copy(char* out, std::size_t size) {
    if (data_.size() - at_ < size)
      return false;
    std::memcpy(out, data_.data() + at_, size);
    at_ += size;
    return true;
  }

  bool unpack(char* out, std::size_t size) {
    zlib_.next_out = reinterpret_cast<Bytef*>(out);  // NOLINT
    zlib_.avail_out = static_cast<uInt>(size);
    while (zlib_.avail_out > 0) {
      const int status = inflate(&zlib_, Z_NO_FLUSH);
      if (status == Z_STREAM_END) {
        // gzip members may follow each other (RFC 1952, 2.2).
        if (zlib_.avail_in == 0 || inflateReset(&zlib_) != Z_OK)
          break;
      } else if (status != Z_OK) {
        if (status == Z_BUF_ERROR && zlib_.avail_in == 0)
          break;
        fail(where_, "the gzip data is damaged");
      }
    }
    return zlib_.avail_out == 0;
  }

  std::string_view data_;
  std::string_view where_;
  std::uint64_t limit_;
  std::uint64_t given_ = 0;
  std::size_t at_ = 0;
  bool packed_ = false;
  z_stream zlib_{};
};

using Header = std::array<char, block>;

std::string text_field(const Header& header, std::size_t at, std::size_t size) {
  const char* start = header.data() + at;
  return {start, static_cast<std::size_t>(std::find(start, start + size, '\0') -
                                          start)};
}

/// Octal digits, or base 256 where the first bit is set (GNU tar).
std::uint64_t number_field(const Header& header, std::size_t at,
                           std::size_t size, std::string_view where) {
  std::uint64_t out = 0;
  const auto first = static_cast<unsigned char>(header[at]);
  if ((first & 0x80U) != 0) {
    for (std::size_t i = at + size - 8; i < at + size; ++i)
      out = out << 8U | static_cast<unsigned char>(header[i]);
    return out;
  }
  for (const char c : text_field(header, at, size)) {
    if (c == ' ')
      continue;
    if (c < '0' || c > '7')
      fail(where, "broken tar header");
    out = out * 8 + static_cast<std::uint64_t>(c - '0');
  }
  return out;
}

void check_sum(const Header& header, std::string_view where) {
  // The checksum's own eight bytes count as spaces (POSIX ustar).
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < block; ++i)
    sum += static_cast<unsigned char>(i >= 148 && i < 156 ? ' ' : header[i]);
  if (sum != number_field(header, 148, 8, where))
    fail(where, "no tar, or a damaged one: a header's checksum is wrong");
}

void check_path(const std::string& name, std::string_view where) {
  bool bad = name.empty() || name.front() == '/';
  for (const std::string& part : split(name, '/'))
    bad = bad || part == "..";
  if (bad)
    fail(where, "the path of a member leaves the archive: " + to_utf8(name));
}

/// "path" and "size" of a pax header: lines "LENGTH KEY=VALUE\n".
std::map<std::string, std::string> read_pax(std::string_view text) {
  std::map<std::string, std::string> out;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::size_t equals = text.find('=');
    const std::size_t end = text.find('\n');
    if (space == std::string_view::npos || equals == std::string_view::npos ||
        end == std::string_view::npos || space > equals || equals > end)
      break;
    out[std::string(text.substr(space + 1, equals - space - 1))] =
        text.substr(equals + 1, end - equals - 1);
    text.remove_prefix(end + 1);
  }
  return out;
}

class Reader {
 public:
  Reader(std::string_view archive, std::string_view where,
         const ArchiveLimits& limits)
      : in_(archive, where, limits.unpacked_bytes),
        where_(where),
        limits_(limits) {}

  std::vector<TarFile> read(
      const std::function<bool(const std::string&)>& wanted) {
    std::vector<TarFile> out;
    Header header{};
    std::size_t members = 0;
    while (in_.read(header.data(), block) && header != Header{}) {
      if (++members > limits_.members)
        fail(where_, "too many members");
      check_sum(header, where_);
      read_member(header, wanted, out);
    }
    if (members == 0)
      fail(where_, "no tar archive");
    return out;
  }

 private:
  std::string content(std::uint64_t size) {
    if (size > limits_.member_bytes)
      fail(where_, "a member is too large");
    std::string out(size, '\0');
    if (!in_.read(out.data(), size) || !skip_padding(size))
      fail(where_, "it ends in the middle of a member");
    return out;
  }

  bool skip_padding(std::uint64_t size) {
    return in_.skip((block - size % block) % block);
  }

  std::string name_of(const Header& header) {
    std::string name = text_field(header, 0, 100);
    const std::string prefix = text_field(header, 345, 155);
    const bool ustar = text_field(header, 257, 5) == "ustar" &&
                       header[262] == '\0';  // GNU's has a blank there
    if (ustar && !prefix.empty())
      name = prefix + '/' + name;
    if (!long_name_.empty())
      name = std::exchange(long_name_, {});
    if (const auto path = pax_.find("path"); path != pax_.end())
      name = path->second;
    return name;
  }

  void read_member(const Header& header,
                   const std::function<bool(const std::string&)>& wanted,
                   std::vector<TarFile>& out) {
    const std::uint64_t size = number_field(header, 124, 12, where_);
    switch (header[156]) {
      case 'L':  // GNU: the next member's name
        long_name_ = content(size).c_str();
        return;
      case 'x':
        pax_ = read_pax(content(size));
        return;
      case 'g':
      case 'K':
        content(size);
        return;
      default:
        break;
    }
    const std::string name = name_of(header);
    pax_.clear();
    const bool is_file = header[156] == '0' || header[156] == '\0';
    if (is_file || header[156] == '5')
      check_path(name, where_);
    if (is_file && wanted(name)) {
      out.push_back({name, content(size)});
    } else if (size > limits_.unpacked_bytes || !in_.skip(size) ||
               !skip_padding(size)) {
      fail(where_, "it ends in the middle of a member");
    }
  }

  Stream in_;
  std::string_view where_;
  ArchiveLimits limits_;
  std::string long_name_;
  std::map<std::string, std::string> pax_;
};

}  // namespace

std::vector<TarFile> read_tar(
    std::string_view archive,
    const std::function<bool(const std::string&)>& wanted,
    std::string_view where, const ArchiveLimits& limits) {
  return Reader(archive, where, limits).read(wanted);
}

}  // namespace autopin::python
