#pragma once
// One run per draft: the state folder has a lock, and a second run waits for it
// and says so. The lock is the kernel's, so that a killed run leaves none.

#include <filesystem>
#include <functional>
#include <string_view>

namespace autopin {

class RunLock {
 public:
  /// Makes the folder. Throws Error where it cannot, Interrupted while waiting.
  RunLock(const std::filesystem::path& folder,
          const std::function<void(std::string_view)>& tell);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace autopin
