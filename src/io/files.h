#pragma once
// The files that a run reads and writes outside the draft's own result: the
// draft, .drv files, logs. Behind an interface so that replay needs no store.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace autopin {

class Files {
 public:
  Files() = default;
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  virtual ~Files() = default;

  /// The whole file, or nothing where there is none. Throws Error where it is
  /// there and cannot be read.
  virtual std::optional<std::string> read(
      const std::filesystem::path& path) = 0;

  /// Replaces the file in one step: a temporary file beside it, fsync, rename;
  /// the mode of an existing file is kept. Throws Error.
  virtual void write(const std::filesystem::path& path,
                     std::string_view content) = 0;

  /// Appends and fsyncs, creating the file and its folders. Throws Error.
  virtual void append(const std::filesystem::path& path,
                      std::string_view content) = 0;

  virtual bool exists(const std::filesystem::path& path) = 0;
  /// A file, or a folder with all below it; nothing there is no error.
  virtual void remove(const std::filesystem::path& path) = 0;
  virtual void make_folders(const std::filesystem::path& path) = 0;

  /// A fresh private folder, removed by nobody: the caller owns it. Its name
  /// goes through the tape, so that a replay sees the same one.
  virtual std::filesystem::path make_temporary_folder() = 0;

  /// Names in a folder, sorted; empty where there is no such folder.
  virtual std::vector<std::string> list(
      const std::filesystem::path& folder) = 0;
};

}  // namespace autopin
