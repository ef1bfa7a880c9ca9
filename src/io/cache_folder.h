#pragma once
// A folder of things that can be had again: bytes under their SHA-256, and
// small notes under any key. Any number of processes may share it and may be
// killed at any time: a file is written aside and renamed, and what is read is
// checked. A fault of the disk means that nothing is kept, and is no error.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace autopin {

class CacheFolder {
 public:
  /// Made when first written to, for its user only. Above `max_bytes` the
  /// bytes that were not used for longest go.
  CacheFolder(std::filesystem::path folder, std::uint64_t max_bytes);
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;
  /// Where it wrote and nobody looked for a day: keeps to the bound.
  ~CacheFolder();

  /// The bytes with that hash; damaged ones are removed and are not there.
  std::optional<std::string> bytes(const std::string& sha256);
  bool has_bytes(const std::string& sha256) const;
  /// Gives their hash.
  std::string keep_bytes(std::string_view bytes);

  /// Keys show up as their hash only: nobody reads out of them who asked what.
  std::optional<std::string> note(const std::string& key);
  void keep_note(const std::string& key, std::string_view text);

 private:
  std::filesystem::path path_of_bytes(const std::string& sha256) const;
  std::filesystem::path path_of_note(const std::string& key) const;
  void write(const std::filesystem::path& path, std::string_view text);
  void tidy() const;

  std::filesystem::path folder_;
  std::uint64_t max_bytes_;
  bool wrote_ = false;
};

}  // namespace autopin
