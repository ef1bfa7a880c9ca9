#pragma once
// The file system itself; see files.h for what is promised.

#include "io/files.h"

namespace autopin {

class DiskFiles : public Files {
 public:
  std::optional<std::string> read(const std::filesystem::path& path) override;
  void write(const std::filesystem::path& path,
             std::string_view content) override;
  void append(const std::filesystem::path& path,
              std::string_view content) override;
  bool exists(const std::filesystem::path& path) override;
  void remove(const std::filesystem::path& path) override;
  void make_folders(const std::filesystem::path& path) override;
  std::filesystem::path make_temporary_folder() override;
  std::vector<std::string> list(const std::filesystem::path& folder) override;
};

}  // namespace autopin
