#include "cli/run_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include "base/error.h"
#include "io/interrupt.h"

namespace autopin {

RunLock::RunLock(const std::filesystem::path& folder,
                 const std::function<void(std::string_view)>& tell) {
  std::filesystem::create_directories(folder);
  const std::string name = (folder / "lock").string();
  descriptor_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor_ < 0)
    throw Error("locking the draft's state", name, std::strerror(errno));
  bool told = false;
  while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK)
      throw Error("locking the draft's state", name, std::strerror(errno));
    if (!told) {
      std::string holder(32, '\0');
      const ssize_t size =
          ::pread(descriptor_, holder.data(), holder.size(), 0);
      holder.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
      tell("another autopin (process " + holder +
           ") works on this draft; waiting for it");
      told = true;
    }
    stop_if_interrupted();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  const std::string own = std::to_string(::getpid());
  if (::ftruncate(descriptor_, 0) != 0 ||
      ::pwrite(descriptor_, own.data(), own.size(), 0) < 0)
    throw Error("locking the draft's state", name, std::strerror(errno));
}

RunLock::~RunLock() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

}  // namespace autopin
