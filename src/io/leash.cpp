#include "io/leash.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>

namespace autopin {
namespace {

constexpr int grace_ms = 3000;

long milliseconds_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/// Closes all descriptors but one, so that the command's pipes end with it.
void close_all_but(int kept) {
  const auto close_between = [](unsigned first, unsigned last) {
    if (first > last)
      return;
    if (::syscall(SYS_close_range, first, last, 0) == 0)
      return;
    for (unsigned fd = first; fd <= last && fd < 4096;
         ++fd)  // before Linux 5.9
      ::close(static_cast<int>(fd));
  };
  const auto fd = static_cast<unsigned>(kept);
  if (fd > 0)
    close_between(0, fd - 1);
  close_between(fd + 1, ~0U);
}

/// Sends a signal to each child of this process; /proc lists them (proc(5),
/// CONFIG_PROC_CHILDREN).
void signal_children(int signal) {
  const int file = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (file == -1)
    return;
  std::array<char, 4096> bytes{};
  pid_t pid = 0;
  ssize_t size = 0;
  while ((size = ::read(file, bytes.data(), bytes.size())) > 0) {
    for (ssize_t i = 0; i < size; ++i) {
      const char c = bytes[static_cast<std::size_t>(i)];
      if (c >= '0' && c <= '9') {
        pid = pid * 10 + (c - '0');
      } else if (pid != 0) {
        ::kill(pid, signal);
        pid = 0;
      }
    }
  }
  ::close(file);
}

/// Reaps what ended; true while children are left. Tells the command's status.
bool reap(pid_t command, int& status) {
  for (;;) {
    int ended = 0;
    const pid_t pid = ::waitpid(-1, &ended, WNOHANG);
    if (pid == command)
      status = ended;
    if (pid == 0)
      return true;
    if (pid == -1 && errno != EINTR)
      return false;
  }
}

/// Kills all children, and theirs as they fall to this process, until none is
/// left or, with something unkillable below (stuck in the kernel), time is up.
void kill_all(pid_t command, int& status) {
  const long limit = milliseconds_now() + grace_ms;
  while (reap(command, status) && milliseconds_now() < limit) {
    signal_children(SIGKILL);
    ::kill(-command, SIGKILL);
    ::poll(nullptr, 0, 5);
  }
}

void end_gently(pid_t command, int& status, int signals) {
  ::kill(-command, SIGTERM);
  ::kill(-command, SIGCONT);
  signal_children(SIGTERM);
  const long limit = milliseconds_now() + grace_ms;
  while (reap(command, status)) {
    const long left = limit - milliseconds_now();
    if (left <= 0)
      break;
    pollfd wait{signals, POLLIN, 0};
    ::poll(&wait, 1, static_cast<int>(left));
    signalfd_siginfo info{};
    [[maybe_unused]] const ssize_t got = ::read(signals, &info, sizeof info);
  }
}

[[noreturn]] void be_the_leash(pid_t command, int socket,
                               const sigset_t& child_signal) {
  close_all_but(socket);
  ::prctl(PR_SET_NAME, "autopin-leash");
  const int signals = ::signalfd(-1, &child_signal, SFD_CLOEXEC | SFD_NONBLOCK);
  int status = -1;
  for (;;) {
    reap(command, status);
    if (status != -1)
      break;
    std::array<pollfd, 2> waits{{{socket, POLLIN, 0}, {signals, POLLIN, 0}}};
    // Without a signalfd, children are looked at now and then.
    if (::poll(waits.data(), 2, signals == -1 ? 20 : -1) < 0)
      continue;
    signalfd_siginfo info{};
    while (::read(signals, &info, sizeof info) > 0) {
    }
    if (waits[0].revents != 0) {
      end_gently(command, status, signals);
      break;
    }
  }
  kill_all(command, status);
  ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

}  // namespace

void put_on_leash(int socket) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::setpgid(0, 0);  // ^C is autopin's to pass on
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
    ::signal(signal, SIG_IGN);
  sigset_t child_signal;
  sigset_t before;
  ::sigemptyset(&child_signal);
  ::sigaddset(&child_signal, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &child_signal, &before);
  const pid_t leash = ::getpid();
  const pid_t command = ::fork();
  if (command == -1)
    ::_exit(126);
  if (command != 0) {
    ::setpgid(command, command);
    be_the_leash(command, socket, child_signal);
  }
  ::setpgid(0, 0);
  // Should the leash itself be killed: SIGTERM, which Nix answers by ending its
  // builders, where SIGKILL would leave them.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != leash)
    ::_exit(126);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD})
    ::signal(signal, SIG_DFL);
  ::sigemptyset(&before);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace autopin
