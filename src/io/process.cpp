// The only file that includes Boost.Process (v1, as of Boost 1.74).
#include "io/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/process/child.hpp>
#include <boost/process/error.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/io.hpp>
#include <boost/process/pipe.hpp>
#include <boost/process/search_path.hpp>
#include <boost/process/start_dir.hpp>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "base/error.h"
#include "base/text.h"
#include "io/environment.h"
#include "io/interrupt.h"
#include "io/leash.h"

namespace autopin {
namespace {

namespace process = boost::process;
using SteadyClock = std::chrono::steady_clock;

/// Boost.Process's hook between fork and exec.
struct OnLeash : process::extend::handler {
  OnLeash(int end, char** words, char** variables)
      : socket(end), arguments(words), environment(variables) {}
  int socket;
  char** arguments;
  char** environment;

  template <typename Executor>
  void on_setup(Executor& executor) const {
    executor.env = environment;
    // Not by Boost's own `args`, which asks an empty word for its first letter.
    executor.cmd_line = arguments;
  }
  template <typename Executor>
  void on_exec_setup(Executor& /*executor*/) const {
    put_on_leash(socket);
  }
  /// Where exec failed Boost forgets the process; it has ended by then.
  template <typename Executor>
  void on_error(Executor& executor, const std::error_code& /*error*/) const {
    if (executor.pid > 0)
      ::waitpid(executor.pid, nullptr, 0);
  }
};

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  int get() const { return fd_; }
  void close() {
    if (fd_ != -1)
      ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

std::string name_of(const Command& command) {
  return join(command.argv, " ");
}

[[noreturn]] void fail(const Command& command, std::string_view why) {
  throw Error("cannot run", name_of(command), why);
}

std::string find_program(const Command& command) {
  const std::string& name = command.argv.front();
  if (name.find('/') != std::string::npos)
    return name;
  std::optional<std::string> path = ProcessEnvironment().get("PATH");
  const auto own = command.environment.find("PATH");
  if (own != command.environment.end())
    path = own->second;
  std::vector<boost::filesystem::path> folders;
  for (const std::string& folder : split(path.value_or("/usr/bin:/bin"), ':'))
    folders.emplace_back(folder);
  const boost::filesystem::path found = process::search_path(name, folders);
  if (found.empty())
    fail(command, name + " is not in PATH");
  return found.string();
}

/// The command's environment, as execve(2) takes it. Boost.Process 1.74 has a
/// class for that, which reads beyond the end of short variables.
class EnvironmentBlock {
 public:
  explicit EnvironmentBlock(const Command& command) {
    for (char** variable = environ; *variable != nullptr; ++variable) {
      const std::string_view text = *variable;
      const std::string name(text.substr(0, text.find('=')));
      if (!command.environment.contains(name))
        variables_.emplace_back(text);
    }
    for (const auto& [name, value] : command.environment)
      if (value)
        variables_.push_back(name + "=" + *value);
    for (std::string& variable : variables_)
      pointers_.push_back(variable.data());
    pointers_.push_back(nullptr);
  }
  EnvironmentBlock(const EnvironmentBlock&) = delete;
  EnvironmentBlock& operator=(const EnvironmentBlock&) = delete;
  ~EnvironmentBlock() = default;
  char** get() { return pointers_.data(); }

 private:
  std::vector<std::string> variables_;
  std::vector<char*> pointers_;
};

void make_private(process::pipe& pipe) {
  for (const int fd : {pipe.native_source(), pipe.native_sink()})
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/// One running program: its three streams, served until all is over.
class Run {
 public:
  Run(const Command& command, const OutputSink& sink)
      : command_(command), sink_(sink), input_(command.input) {
    std::array<int, 2> pair{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0)
      fail(command, std::generic_category().message(errno));
    leash_.emplace(pair[0]);
    const Descriptor far_end(pair[1]);
    start(far_end.get());
    for (process::pipe* pipe : {&in_, &out_, &err_}) {
      const int fd = pipe == &in_ ? pipe->native_sink() : pipe->native_source();
      ::fcntl(fd, F_SETFL, O_NONBLOCK);
    }
    if (input_.empty())
      in_.close();
  }

  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// A sink that throws leaves nothing running either.
  ~Run() {
    leash_.reset();
    std::error_code error;
    if (child_.valid())
      child_.wait(error);
  }

  CommandResult finish() {
    const bool limited = command_.timeout.count() > 0;
    const auto limit = SteadyClock::now() + command_.timeout;
    while (!over_) {
      int wait = -1;
      if (limited && !ending_) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(
            limit - SteadyClock::now());
        result_.timed_out = left.count() <= 0;
        wait = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
      }
      if ((result_.timed_out || interrupted()) && !ending_)
        end();
      serve(ending_ ? -1 : wait);
    }
    drain();
    std::error_code error;
    child_.wait(error);
    if (interrupted())
      throw Interrupted();
    // The leash itself ends by no signal, unless somebody sent it one.
    if (WIFSIGNALED(child_.native_exit_code()))
      fail(command_, "the process that watches over it was killed");
    result_.exit_code = child_.exit_code();
    return std::move(result_);
  }

 private:
  void start(int far_end) {
    const std::string program = find_program(command_);
    std::vector<std::string> words = command_.argv;
    words.front() = program;
    std::vector<char*> arguments;
    for (std::string& word : words)
      arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const std::string folder =
        command_.folder.empty() ? "." : command_.folder.string();
    // Boost.Process takes a failed chdir for none asked.
    if (!std::filesystem::is_directory(folder))
      fail(command_, folder + " is no folder");
    EnvironmentBlock environment(command_);
    for (process::pipe* pipe : {&in_, &out_, &err_})
      make_private(*pipe);
    std::error_code error;
    auto in = (process::std_in < in_);
    auto out = (process::std_out > out_);
    auto err = (process::std_err > err_);
    child_ = process::child(
        process::exe = program, process::start_dir = folder, in, out, err,
        OnLeash(far_end, arguments.data(), environment.get()),
        process::error = error);
    if (error)
      fail(command_, error.message());
  }

  /// Asks for an end: the leash sees its socket close.
  void end() {
    ending_ = true;
    ::shutdown(leash_->get(), SHUT_WR);
  }

  void serve(int wait) {
    std::array<pollfd, 5> waits{{
        {leash_->get(), POLLIN, 0},
        {out_.native_source(), POLLIN, 0},
        {err_.native_source(), POLLIN, 0},
        {in_.native_sink(), POLLOUT, 0},
        {ending_ ? -1 : interrupt_descriptor(), POLLIN, 0},
    }};
    if (::poll(waits.data(), waits.size(), wait) < 0)
      return;  // a signal came; the loop looks at the flag
    if (waits[1].revents != 0)
      take(Stream::out, out_);
    if (waits[2].revents != 0)
      take(Stream::err, err_);
    if (waits[3].revents != 0)
      give();
    over_ = waits[0].revents != 0;
  }

  /// Reads once. False where there is nothing now, or never again.
  bool take(Stream stream, process::pipe& pipe) {
    if (pipe.native_source() == -1)
      return false;
    const ssize_t size =
        ::read(pipe.native_source(), buffer_.data(), buffer_.size());
    if (size < 0)
      return errno == EINTR;
    if (size == 0) {
      pipe.close();
      return false;
    }
    const std::string_view bytes(buffer_.data(),
                                 static_cast<std::size_t>(size));
    (stream == Stream::out ? result_.out : result_.err) += bytes;
    if (sink_)
      sink_(stream, bytes);
    return true;
  }

  void give() {
    const ssize_t size =
        ::write(in_.native_sink(), input_.data(), input_.size());
    if (size > 0)
      input_.remove_prefix(static_cast<std::size_t>(size));
    // A program need not read all of its input (EPIPE).
    if (input_.empty() || (size < 0 && errno != EAGAIN && errno != EINTR))
      in_.close();
  }

  void drain() {
    while (take(Stream::out, out_)) {
    }
    while (take(Stream::err, err_)) {
    }
  }

  const Command& command_;
  const OutputSink& sink_;
  std::string_view input_;
  process::pipe in_, out_, err_;
  std::optional<Descriptor> leash_;
  process::child child_;
  CommandResult result_;
  std::array<char, 65536> buffer_{};
  bool ending_ = false;
  bool over_ = false;
};

}  // namespace

CommandResult ProcessRunner::run(const Command& command,
                                 const OutputSink& sink) {
  if (command.argv.empty())
    throw Error("cannot run", "(no program)", "the command line is empty");
  stop_if_interrupted();
  // Writing to a program that is gone is an answer, not our end.
  std::signal(SIGPIPE, SIG_IGN);
  return Run(command, sink).finish();
}

}  // namespace autopin
