#pragma once
// A folder for one test, gone after it.

#include <filesystem>

#include "io/disk.h"

namespace autopin {

class TemporaryFolder {
 public:
  TemporaryFolder() : path_(DiskFiles().make_temporary_folder()) {}
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace autopin
