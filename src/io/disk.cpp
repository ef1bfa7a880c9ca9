#include "io/disk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "base/error.h"

namespace autopin {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(std::string_view what, const fs::path& path,
                       int error = errno) {
  throw Error(what, path.string(), std::generic_category().message(error));
}

class Descriptor {
 public:
  Descriptor(int fd, std::string_view what, const fs::path& path) : fd_(fd) {
    if (fd == -1)
      fail(what, path);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(fd_); }
  int get() const { return fd_; }

 private:
  int fd_;
};

void write_all(const Descriptor& file, std::string_view content,
               const fs::path& path) {
  while (!content.empty()) {
    const ssize_t size = ::write(file.get(), content.data(), content.size());
    if (size < 0 && errno != EINTR)
      fail("cannot write", path);
    if (size > 0)
      content.remove_prefix(static_cast<std::size_t>(size));
  }
  if (::fsync(file.get()) != 0 && errno != EINVAL)  // a pipe or /dev/null
    fail("cannot write", path);
}

fs::path folder_of(const fs::path& path) {
  const fs::path folder = path.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

/// A rename or a new file is durable once its folder is (fsync(2), NOTES).
void sync_folder(const fs::path& folder) {
  const Descriptor handle(
      ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC),
      "cannot write", folder);
  if (::fsync(handle.get()) != 0 && errno != EINVAL)
    fail("cannot write", folder);
}

/// A draft that is a symbolic link stays one: its target is replaced.
fs::path behind_links(const fs::path& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error))
    return path;
  fs::path target = fs::canonical(path, error);
  if (error)
    fail("cannot write", path, error.value());
  return target;
}

/// Removes the temporary file of a write that failed.
class Leftover {
 public:
  explicit Leftover(fs::path path) : path_(std::move(path)) {}
  Leftover(const Leftover&) = delete;
  Leftover& operator=(const Leftover&) = delete;
  ~Leftover() {
    if (!path_.empty())
      ::unlink(path_.c_str());
  }
  void keep() { path_.clear(); }

 private:
  fs::path path_;
};

/// The mode and, where we may, the owner of the file that is replaced; else
/// what a new file gets.
void take_over(const Descriptor& file, const fs::path& target) {
  struct stat old {};
  if (::stat(target.c_str(), &old) == 0) {
    [[maybe_unused]] const int owner =
        ::fchown(file.get(), old.st_uid, old.st_gid);
    ::fchmod(file.get(), old.st_mode & 07777U);
    return;
  }
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(file.get(), 0666U & ~mask);
}

}  // namespace

std::optional<std::string> DiskFiles::read(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd == -1 && (errno == ENOENT || errno == ENOTDIR))
    return std::nullopt;
  const Descriptor file(fd, "cannot read", path);
  std::string content;
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t size = ::read(file.get(), buffer.data(), buffer.size());
    if (size == 0)
      return content;
    if (size < 0 && errno != EINTR)
      fail("cannot read", path);
    if (size > 0)
      content.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

void DiskFiles::write(const fs::path& path, std::string_view content) {
  const fs::path target = behind_links(path);
  const fs::path folder = folder_of(target);
  std::string name =
      (folder / ("." + target.filename().string() + ".XXXXXX")).string();
  const int fd = ::mkostemp(name.data(), O_CLOEXEC);
  const Descriptor file(fd, "cannot write", path);
  Leftover leftover(name);
  take_over(file, target);
  write_all(file, content, path);
  if (::rename(name.c_str(), target.c_str()) != 0)
    fail("cannot write", path);
  leftover.keep();
  sync_folder(folder);
}

void DiskFiles::append(const fs::path& path, std::string_view content) {
  const fs::path folder = folder_of(path);
  make_folders(folder);
  const bool is_new = !exists(path);
  const Descriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666),
      "cannot write", path);
  write_all(file, content, path);
  if (is_new)
    sync_folder(folder);
}

bool DiskFiles::exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

void DiskFiles::remove(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error)
    fail("cannot remove", path, error.value());
}

void DiskFiles::make_folders(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error && !fs::is_directory(path))
    fail("cannot make folder", path, error.value());
}

fs::path DiskFiles::make_temporary_folder() {
  std::error_code error;
  fs::path base = fs::temp_directory_path(error);
  if (error)
    base = P_tmpdir;
  std::string name = (base / "autopin-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    fail("cannot make folder", name);
  return name;
}

std::vector<std::string> DiskFiles::list(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator i(folder, error), end; !error && i != end;
       i.increment(error))
    names.push_back(i->path().filename().string());
  if (error && error != std::errc::no_such_file_or_directory &&
      error != std::errc::not_a_directory)
    fail("cannot read", folder, error.value());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace autopin
