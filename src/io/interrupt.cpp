#include "io/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace autopin {
namespace {

// Touched by the signal handler, hence plain and global (signal-safety(7)).
volatile std::sig_atomic_t requested = 0;
std::array<int, 2> wake_up{-1, -1};

void on_signal(int signal) {
  if (requested != 0) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  requested = 1;
  const int saved = errno;
  // A full pipe is readable all the same.
  [[maybe_unused]] const ssize_t written = ::write(wake_up[1], "!", 1);
  errno = saved;
}

}  // namespace

void watch_interrupts() {
  if (wake_up[0] == -1 && ::pipe2(wake_up.data(), O_CLOEXEC | O_NONBLOCK) != 0)
    std::abort();  // no descriptors left at the very start
  struct sigaction action {};
  action.sa_handler = on_signal;
  ::sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // What nohup(1) or a shell's background job ignores stays ignored.
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN)
      ::sigaction(signal, &action, nullptr);
  }
}

bool interrupted() {
  return requested != 0;
}

void stop_if_interrupted() {
  if (interrupted())
    throw Interrupted();
}

int interrupt_descriptor() {
  return wake_up[0];
}

void forget_interrupts() {
  requested = 0;
  std::array<char, 16> bytes{};
  while (wake_up[0] != -1 &&
         ::read(wake_up[0], bytes.data(), bytes.size()) > 0) {
  }
}

}  // namespace autopin
