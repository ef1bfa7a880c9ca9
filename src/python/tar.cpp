// Tar archives, plain or compressed, read in one pass and never as a whole: a
// source distribution of 100 MB is scanned for three small files.

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "python/archive.h"
#include "python/unpack.h"

namespace autopin::python {

namespace {

constexpr std::size_t block = 512;

[[noreturn]] void fail(std::string_view where, std::string_view why) {
  throw Error("read the archive", where, why);
}

/// Gives the unpacked bytes in order, up to a bound.
class Stream {
 public:
  Stream(std::string_view data, std::string_view where, std::uint64_t limit)
      : in_(make_unpacker(data, where)), where_(where), limit_(limit) {}

  /// Fills `out` wholly, or false at the end of the data.
  bool read(char* out, std::size_t size) {
    spend(size);
    return in_->read(out, size) == size;
  }

  bool skip(std::uint64_t size) {
    // Told before the work is done.
    if (size > limit_ - given_)
      spend(size);
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
  void spend(std::uint64_t size) {
    if (size > limit_ - given_)
      fail(where_, "it unpacks to too much");
    given_ += size;
  }

  std::unique_ptr<Unpacker> in_;
  std::string_view where_;
  std::uint64_t limit_;
  std::uint64_t given_ = 0;
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
        long_name_ = content(size);
        long_name_.resize(std::min(long_name_.size(), long_name_.find('\0')));
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
    if (is_file && wanted(name))
      out.push_back({name, content(size)});
    else if (!in_.skip(size) || !skip_padding(size))
      fail(where_, "it ends in the middle of a member");
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
