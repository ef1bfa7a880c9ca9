#include "io/cache_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <system_error>
#include <vector>

#include "base/hash.h"
#include "base/text.h"

namespace autopin {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::hours a_day{24};
constexpr std::size_t hex_digits = 64;

/// A note's first line is the hash of the rest.
std::optional<std::string> checked_note(std::string_view text) {
  if (text.size() <= hex_digits || text[hex_digits] != '\n')
    return std::nullopt;
  const std::string_view rest = text.substr(hex_digits + 1);
  if (to_hex(sha256(rest)) != text.substr(0, hex_digits))
    return std::nullopt;
  return std::string(rest);
}

std::optional<std::string> read_file(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd == -1)
    return std::nullopt;
  struct stat known {};
  ::fstat(fd, &known);
  std::string out(static_cast<std::size_t>(known.st_size), '\0');
  std::size_t have = 0;
  while (have < out.size()) {
    const ssize_t got = ::read(fd, out.data() + have, out.size() - have);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    have += static_cast<std::size_t>(got);
  }
  ::close(fd);
  return have == out.size() ? std::optional(std::move(out)) : std::nullopt;
}

bool write_file(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::write(fd, text.data(), text.size());
    if (size < 0 && errno != EINTR)
      return false;
    if (size > 0)
      text.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

fs::file_time_type time_of(const fs::path& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  return error ? fs::file_time_type::min() : time;
}

bool is_older_than_a_day(const fs::path& path) {
  return fs::file_time_type::clock::now() - time_of(path) > a_day;
}

void touch(const fs::path& path) {
  ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
}

}  // namespace

CacheFolder::CacheFolder(fs::path folder, std::uint64_t max_bytes)
    : folder_(std::move(folder)), max_bytes_(max_bytes) {}

CacheFolder::~CacheFolder() {
  const fs::path stamp = folder_ / "tidied";
  if (!wrote_ || (fs::exists(stamp) && !is_older_than_a_day(stamp)))
    return;
  tidy();
  write(stamp, "");
}

fs::path CacheFolder::path_of_bytes(const std::string& sha256) const {
  return folder_ / "bytes" / sha256.substr(0, 2) / sha256;
}

fs::path CacheFolder::path_of_note(const std::string& key) const {
  const std::string name = to_hex(sha256(key));
  return folder_ / "notes" / name.substr(0, 2) / name;
}

bool CacheFolder::has_bytes(const std::string& sha256) const {
  return ::access(path_of_bytes(sha256).c_str(), R_OK) == 0;
}

std::optional<std::string> CacheFolder::bytes(const std::string& sha256) {
  const fs::path path = path_of_bytes(sha256);
  auto out = read_file(path);
  if (out && to_hex(autopin::sha256(*out)) != sha256) {
    ::unlink(path.c_str());
    return std::nullopt;
  }
  if (out && is_older_than_a_day(path))
    touch(path);
  return out;
}

std::string CacheFolder::keep_bytes(std::string_view bytes) {
  std::string name = to_hex(sha256(bytes));
  const fs::path path = path_of_bytes(name);
  struct stat known {};
  // Of another size: damaged, and found out when it is read.
  if (::stat(path.c_str(), &known) != 0 ||
      static_cast<std::size_t>(known.st_size) != bytes.size())
    write(path, bytes);
  return name;
}

std::optional<std::string> CacheFolder::note(const std::string& key) {
  const auto text = read_file(path_of_note(key));
  return text ? checked_note(*text) : std::nullopt;
}

void CacheFolder::keep_note(const std::string& key, std::string_view text) {
  write(path_of_note(key), to_hex(sha256(text)) + '\n' + std::string(text));
}

/// No fsync: after a power failure a file may be empty, and is then not taken.
void CacheFolder::write(const fs::path& path, std::string_view text) {
  std::error_code error;
  if (!fs::exists(folder_, error)) {
    fs::create_directories(folder_, error);
    fs::permissions(folder_, fs::perms::owner_all, error);
  }
  fs::create_directories(path.parent_path(), error);
  std::string aside = path.string() + ".XXXXXX";
  const int fd = ::mkostemp(aside.data(), O_CLOEXEC);
  if (fd == -1)
    return;
  const bool whole = write_file(fd, text);
  const bool closed = ::close(fd) == 0;
  if (!whole || !closed || ::rename(aside.c_str(), path.c_str()) != 0)
    ::unlink(aside.c_str());
  wrote_ = true;
}

/// Removes what killed runs left aside, and the oldest above the bound.
void CacheFolder::tidy() const {
  struct Kept {
    fs::path path;
    fs::file_time_type time;
    std::uint64_t size = 0;
  };
  std::vector<Kept> all;
  std::uint64_t total = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder_, error), end;
       !error && at != end; at.increment(error)) {
    if (!at->is_regular_file(error))
      continue;
    Kept file{at->path(), time_of(at->path()), at->file_size(error)};
    if (file.path.filename().string().size() == hex_digits) {
      total += file.size;
      all.push_back(std::move(file));
    } else if (is_older_than_a_day(file.path)) {
      ::unlink(file.path.c_str());
    }
  }
  std::sort(all.begin(), all.end(), [](const Kept& left, const Kept& right) {
    return left.time < right.time;
  });
  for (const Kept& file : all) {
    if (total <= max_bytes_)
      break;
    ::unlink(file.path.c_str());
    total -= file.size;
  }
}

}  // namespace autopin
