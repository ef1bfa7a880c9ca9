#include "report/progress.h"

#include <catch2/catch.hpp>

#include "base/text.h"
#include "report/status_line.h"

namespace autopin::report {
namespace {

using namespace std::literals;

const std::string drv =
    "/nix/store/00000000000000000000000000000000-html5lib-0.9.drv";

/// A run as the loop tells it; the time of each event is `tick` after the last.
std::string shown(ProgressOptions options,
                  std::chrono::milliseconds tick = 400ms) {
  std::string text;
  auto time = std::chrono::steady_clock::time_point{} + 1h;
  options.now = [&] { return time; };
  const auto progress =
      make_progress(options, [&](std::string_view bytes) { text += bytes; });
  const auto tell = [&](const auto& act) {
    act();
    time += tick;
  };
  tell([&] { progress->round_started(1); });
  tell([&] { progress->busy("evaluating"); });
  tell([&] { progress->phase(drv, ""); });
  tell([&] { progress->phase(drv, "checkPhase"); });
  tell([&] { progress->log_line(drv, "collected \x1b[1m12\x1b[0m\a items"); });
  tell([&] { progress->log_line(drv, "FAILED"); });
  tell([&] { progress->build_ended(drv, true); });
  tell([&] { progress->diagnosed(drv, "test_x fails"); });
  tell([&] {
    progress->step(1, Risk::weakens_checks, "skip test_x of html5lib");
  });
  tell([&] { progress->round_ended(1, "failed", 2.84); });
  tell([&] { progress->taken_back(1, "no change"); });
  tell([&] { progress->build_ended("b", false); });
  tell([&] { progress->note("see \x1b[2J draft.autopin"); });
  tell([&] { progress->warning("sandbox is off"); });
  return text;
}

TEST_CASE("piped, there are plain lines and nothing else") {
  CHECK(shown({}) ==
        "round 1\n"
        "  building html5lib-0.9\n"
        "  failed   html5lib-0.9\n"
        "  html5lib-0.9: test_x fails\n"
        "  step 1: skip test_x of html5lib [weakens-checks]\n"
        "round 1: failed after 2.8 s\n"
        "  step 1 taken back: no change\n"
        "  built    b\n"
        "see ␛[2J draft.autopin\n"
        "warning: sandbox is off\n");
}

TEST_CASE("on a terminal the last line tells what goes on") {
  ProgressOptions options;
  options.terminal = true;
  options.width = 60;
  CHECK(replace_all(shown(options), "\r\x1b[K", "~") ==
        "round 1\n"
        "~[1] evaluating 0s"
        "~[1] html5lib-0.9 0s"
        "~[1] html5lib-0.9 checkPhase 0s"
        "~[1] html5lib-0.9 checkPhase 0s | collected 12␇ items"
        "~[1] html5lib-0.9 checkPhase 1s | FAILED"
        "~  failed   html5lib-0.9\n"
        "  html5lib-0.9: test_x fails\n"
        "  step 1: skip test_x of html5lib [weakens-checks]\n"
        "round 1: failed after 2.8 s\n"
        "  step 1 taken back: no change\n"
        "  built    b\n"
        "see ␛[2J draft.autopin\n"
        "warning: sandbox is off\n");
}

TEST_CASE("log lines that come fast are not all drawn") {
  ProgressOptions options;
  options.terminal = true;
  const std::string text = shown(options, 60ms);
  CHECK(text.find("collected") == std::string::npos);
  CHECK(text.find("FAILED") != std::string::npos);
}

TEST_CASE("colour only where it was asked for") {
  ProgressOptions options;
  options.colour = true;
  CHECK(shown(options).find("\x1b[33m[weakens-checks]\x1b[0m") !=
        std::string::npos);
  CHECK(shown({}).find('\x1b') == std::string::npos);
}

TEST_CASE("a line is cut where the terminal ends") {
  CHECK(fitted("abcdef", 6) == "abcdef");
  CHECK(fitted("abcdef", 5) == "abcd…");
  CHECK(fitted("äöü", 3) == "äöü");
  CHECK(fitted("äöü", 2) == "ä…");
  CHECK(fitted("日本語", 6) == "日本語");
  CHECK(fitted("日本語", 5) == "日本…");
  CHECK(fitted("日本語", 4) == "日…");
  CHECK(fitted("abc", 0) == "");
}

TEST_CASE("elapsed time counts from the activity, in words of its size") {
  ProgressOptions options;
  options.width = 80;
  auto time = std::chrono::steady_clock::time_point{} + 1h;
  options.now = [&] { return time; };
  StatusLine line(options);
  line.set_activity("a", "unpackPhase");
  time += 59s;
  CHECK(line.text() == "a unpackPhase 59s");
  line.set_activity("a", "buildPhase");
  time += 2s;
  CHECK(line.text() == "a buildPhase 1m01s");
  time += 2h;
  CHECK(line.text() == "a buildPhase 2h01m");
  line.set_activity("b", "");
  CHECK(line.text() == "b 0s");
  line.set_line("a", "x");  // two builds take turns
  CHECK(line.text() == "a 2h01m | x");
  line.forget("a");
  CHECK(line.text() == "");
  line.set_activity("a", "");
  CHECK(line.text() == "a 0s");
  line.set_activity("", "");
  CHECK(line.text() == "");
}

TEST_CASE("silence is silent") {
  const auto progress = silent_progress();
  progress->warning("x");
}

}  // namespace
}  // namespace autopin::report
