#include "io/process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>
#include <thread>

#include "base/error.h"
#include "base/text.h"
#include "io/disk.h"
#include "io/interrupt.h"
#include "io/temporary.h"

namespace autopin {
namespace {

using namespace std::literals;

Command shell(const std::string& script) {
  Command command;
  command.argv = {"sh", "-c", script};
  return command;
}

bool alive(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(status, text);
  return !text.empty() && text.find(") Z ") == std::string::npos;
}

bool dies(pid_t pid) {
  for (int i = 0; i < 500 && alive(pid); ++i)
    std::this_thread::sleep_for(20ms);
  return !alive(pid);
}

pid_t pid_in(const std::filesystem::path& file) {
  for (int i = 0; i < 500; ++i) {
    std::ifstream stream(file);
    pid_t pid = 0;
    if (stream >> pid && stream.get() == '\n')
      return pid;
    std::this_thread::sleep_for(20ms);
  }
  return 0;
}

TEST_CASE("a command's streams and exit code are kept apart") {
  ProcessRunner runner;
  const CommandResult result =
      runner.run(shell("echo out; echo err >&2; exit 7"));
  CHECK(result.exit_code == 7);
  CHECK(result.out == "out\n");
  CHECK(result.err == "err\n");
  CHECK_FALSE(result.timed_out);
}

TEST_CASE("an empty argument arrives as one") {
  Command command = shell("printf '%s|' $# \"$@\"");
  command.argv.insert(command.argv.end(), {"sh", "", "a b", ""});
  CHECK(ProcessRunner().run(command).out == "3||a b||");
}

TEST_CASE("input is given, and more of it than a pipe holds") {
  ProcessRunner runner;
  Command command = shell("cat");
  command.input.assign(3'000'000, 'x');
  command.input += "\n\0end"s;
  const CommandResult result = runner.run(command);
  CHECK(result.exit_code == 0);
  CHECK(result.out == command.input);
}

TEST_CASE("a program that does not read its input is no error") {
  ProcessRunner runner;
  Command command = shell("exec true");
  command.input.assign(1'000'000, 'x');
  CHECK(runner.run(command).exit_code == 0);
}

TEST_CASE("both streams may be large at the same time") {
  ProcessRunner runner;
  const CommandResult result = runner.run(
      shell("head -c 5000000 /dev/zero & head -c 4000000 /dev/zero >&2; wait"));
  CHECK(result.out.size() == 5'000'000);
  CHECK(result.err.size() == 4'000'000);
}

TEST_CASE("the sink hears of output while the program runs") {
  ProcessRunner runner;
  const TemporaryFolder folder;
  const std::string answer = (folder.path() / "answer").string();
  std::string heard;
  // It goes on when what it said has been heard, and gives up after 20 s.
  runner.run(shell("echo one; for _ in $(seq 200); do [ -e " + answer +
                   " ] && { echo two; exit; }; sleep 0.1; done; echo deaf"),
             [&](Stream stream, std::string_view bytes) {
               CHECK(stream == Stream::out);
               heard += bytes;
               DiskFiles().write(answer, "heard");
             });
  CHECK(heard == "one\ntwo\n");
}

TEST_CASE("the environment and the folder are the command's own") {
  ProcessRunner runner;
  ::setenv("AUTOPIN_TEST_GONE", "there", 1);
  const TemporaryFolder folder;
  Command command =
      shell("echo \"$AUTOPIN_TEST_SET,${AUTOPIN_TEST_GONE-unset}\"; pwd -P");
  command.environment = {{"AUTOPIN_TEST_SET", "a b"},
                         {"AUTOPIN_TEST_GONE", std::nullopt}};
  command.folder = folder.path();
  CHECK(runner.run(command).out ==
        "a b,unset\n" + std::filesystem::canonical(folder.path()).string() +
            "\n");
}

TEST_CASE("a program that is not there is an Error that names it") {
  ProcessRunner runner;
  Command command;
  command.argv = {"autopin-no-such-program", "argument"};
  CHECK_THROWS_WITH(runner.run(command),
                    Catch::Contains("autopin-no-such-program argument"));
  command.argv = {"/dev/null"};
  CHECK_THROWS_WITH(runner.run(command), Catch::Contains("denied"));
  command = shell("true");
  command.folder = "/no/such/folder";
  CHECK_THROWS_AS(runner.run(command), Error);
}

TEST_CASE("a signal's end is told as shells tell it") {
  ProcessRunner runner;
  CHECK(runner.run(shell("kill -9 $$")).exit_code == 137);
}

TEST_CASE("a run whose leash was killed is no result") {
  ProcessRunner runner;
  const TemporaryFolder folder;
  Command command = shell("echo $$ > pid; kill -9 $PPID; exec sleep 94");
  command.folder = folder.path();
  CHECK_THROWS_WITH(runner.run(command), Catch::Contains("was killed"));
  CHECK(dies(pid_in(folder.path() / "pid")));
}

TEST_CASE("a time limit ends the program and all below it") {
  ProcessRunner runner;
  const TemporaryFolder folder;
  Command command = shell(
      "setsid sh -c 'trap \"\" TERM; echo $$ > deep; sleep 99' & sleep 99");
  command.folder = folder.path();
  command.timeout = 700ms;
  const CommandResult result = runner.run(command);
  CHECK(result.timed_out);
  CHECK(result.exit_code == 128 + SIGTERM);
  const pid_t deep = pid_in(folder.path() / "deep");
  REQUIRE(deep > 0);
  CHECK_FALSE(alive(deep));
}

TEST_CASE("what a program leaves in the background ends with it") {
  ProcessRunner runner;
  const CommandResult result =
      runner.run(shell("setsid sleep 98 & echo $!; exit 3"));
  CHECK(result.exit_code == 3);
  CHECK_FALSE(alive(static_cast<pid_t>(std::stol(result.out))));
}

TEST_CASE("an interrupt ends the program and is thrown") {
  watch_interrupts();
  ProcessRunner runner;
  const TemporaryFolder folder;
  Command command = shell(
      "exec 2>&-; echo $$ > pid; trap 'trap \"\" TERM; echo bye; exit' TERM; "
      "while :; do sleep 0.1; done");
  command.folder = folder.path();
  std::string heard;
  std::thread user([&] {
    pid_in(folder.path() / "pid");
    ::kill(::getpid(), SIGINT);
  });
  CHECK_THROWS_AS(
      runner.run(command,
                 [&](Stream, std::string_view bytes) { heard += bytes; }),
      Interrupted);
  user.join();
  CHECK(heard == "bye\n");
  CHECK(interrupted());
  CHECK_THROWS_AS(runner.run(command), Interrupted);
  forget_interrupts();
  CHECK(runner.run(shell("exit 4")).exit_code == 4);
}

TEST_CASE("a sink that throws leaves nothing running") {
  ProcessRunner runner;
  std::string pid;
  CHECK_THROWS_AS(runner.run(shell("echo $$; sleep 97"),
                             [&](Stream, std::string_view bytes) {
                               pid += bytes;
                               throw Error("a", "b", "c");
                             }),
                  Error);
  CHECK_FALSE(alive(static_cast<pid_t>(std::stol(pid))));
}

/// Forks a second autopin, so to speak, that runs `script` and waits.
pid_t run_apart(const std::string& script,
                const std::filesystem::path& folder) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    Command command = shell(script);
    command.folder = folder;
    ProcessRunner().run(command);
    ::_exit(0);
  }
  return pid;
}

TEST_CASE("nothing outlives autopin, even by kill -9") {
  const TemporaryFolder folder;
  const pid_t autopin = run_apart(
      "echo $$ > pid; setsid sh -c 'trap \"\" TERM; echo $$ > deep; sleep 96'",
      folder.path());
  const pid_t command = pid_in(folder.path() / "pid");
  const pid_t deep = pid_in(folder.path() / "deep");
  REQUIRE(command > 0);
  REQUIRE(deep > 0);
  ::kill(autopin, SIGKILL);
  ::waitpid(autopin, nullptr, 0);
  CHECK(dies(command));
  CHECK(dies(deep));
}

/// The processes whose command line holds `mark`.
std::vector<pid_t> marked(const std::string& mark) {
  std::vector<pid_t> found;
  DiskFiles files;
  for (const std::string& name : files.list("/proc")) {
    if (name.find_first_not_of("0123456789") != std::string::npos)
      continue;
    std::ifstream stream("/proc/" + name + "/cmdline");
    const std::string line{std::istreambuf_iterator<char>(stream), {}};
    if (line.find(mark) != std::string::npos &&
        line.find("nix-build") == std::string::npos)
      found.push_back(static_cast<pid_t>(std::stol(name)));
  }
  return found;
}

// nix-build without a daemon builds in its own children, in sessions of their
// own and, in the sandbox, as other users.
TEST_CASE("a build in Nix's sandbox ends with autopin", "[nix]") {
  if (::system("command -v nix-build >/dev/null") != 0 || ::geteuid() != 0) {
    WARN("skipped: needs nix-build and root");
    return;
  }
  const std::string mark = "autopin-test-" + std::to_string(::getpid());
  const std::string expression =
      "derivation { name = \"" + mark +
      "\"; system = builtins.currentSystem; builder = \"/bin/sh\"; args = [ "
      "\"-c\" \": " +
      mark + "; while :; do /bin/sleep 95; done\" ]; }";
  ::setenv("NIX_CONFIG",
           "sandbox = true\nsandbox-fallback = false\nsubstituters =\n"
           "sandbox-paths = /bin /lib /lib64 /usr",
           1);
  const TemporaryFolder folder;
  const pid_t autopin = run_apart(
      "exec nix-build --no-out-link -E '" + expression + "'", folder.path());
  ::unsetenv("NIX_CONFIG");
  std::vector<pid_t> builders;
  for (int i = 0; i < 1000 && builders.empty(); ++i) {
    std::this_thread::sleep_for(20ms);
    builders = marked(": " + mark);
  }
  REQUIRE_FALSE(builders.empty());
  ::kill(autopin, SIGKILL);
  ::waitpid(autopin, nullptr, 0);
  for (const pid_t builder : builders)
    CHECK(dies(builder));
}

}  // namespace
}  // namespace autopin
