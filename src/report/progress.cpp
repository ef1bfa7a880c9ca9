#include "report/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "base/derivation_name.h"
#include "report/shown.h"
#include "report/status_line.h"

namespace autopin::report {
namespace {

constexpr std::string_view bold = "\x1b[1m";
constexpr std::string_view red = "\x1b[31m";
constexpr std::string_view green = "\x1b[32m";
constexpr std::string_view yellow = "\x1b[33m";
constexpr std::string_view plain = "\x1b[0m";

/// Lines that stay. The terminal's status line is another's matter: it is
/// cleared before each and drawn again after it.
class Lines : public Progress {
 public:
  Lines(const ProgressOptions& options, Output output)
      : options_(options), output_(std::move(output)), status_(options) {}
  ~Lines() override {
    try {
      clear();
    } catch (...) {  // a terminal that is gone is no reason to die
    }
  }

  void round_started(int number) override {
    say(paint(bold, fmt::format("round {}", number)));
    status_.round = number;
  }
  void busy(std::string_view what) override {
    const std::string name = shown_line(what);
    status_.forget(name);  // what is done again has not been going on
    status_.set_activity(name, {});
    draw();
  }
  void phase(std::string_view derivation, std::string_view phase) override {
    const std::string name = short_name(derivation);
    if (phase.empty() && !options_.terminal)
      say("  building " + name);
    status_.set_activity(name, shown_line(phase));
    draw();
  }
  void log_line(std::string_view derivation, std::string_view line) override {
    status_.set_line(short_name(derivation), shown_line(line));
    draw_sometimes();
  }
  void build_ended(std::string_view derivation, bool failed) override {
    const std::string name = short_name(derivation);
    status_.forget(name);
    if (failed)
      say(paint(red, "  failed   ") + name);
    else
      say(paint(green, "  built    ") + name);
  }
  void diagnosed(std::string_view derivation, std::string_view why) override {
    say("  " + shown_line(derivation_prefix(derivation)) + shown_line(why));
  }
  void step(int number, Risk risk, std::string_view summary) override {
    const std::string label = fmt::format("[{}]", name_of(risk));
    say(fmt::format("  {} {} {}", paint(bold, fmt::format("step {}:", number)),
                    shown_line(summary),
                    risk == Risk::exact || risk == Risk::pin
                        ? label
                        : paint(yellow, label)));
  }
  void taken_back(int number, std::string_view why) override {
    say(fmt::format("  step {} taken back: {}", number, shown_line(why)));
  }
  void round_ended(int number, std::string_view outcome,
                   double seconds) override {
    status_.set_activity({}, {});
    say(fmt::format("round {}: {} after {:.1f} s", number,
                    paint(outcome == "green" ? green : red, outcome), seconds));
  }
  void note(std::string_view text) override { say(shown(text)); }
  void warning(std::string_view text) override {
    say(paint(yellow, "warning: ") + shown(text));
  }

 private:
  std::string paint(std::string_view colour, std::string_view text) const {
    if (!options_.colour)
      return std::string(text);
    return fmt::format("{}{}{}", colour, text, plain);
  }

  void say(const std::string& line) {
    clear();
    output_(line + "\n");
    if (options_.terminal)
      draw();
  }

  void clear() {
    if (drawn_)
      output_("\r\x1b[K");
    drawn_ = false;
  }

  void draw() {
    if (!options_.terminal)
      return;
    const std::string text = status_.text();
    if (text.empty()) {
      clear();
      return;
    }
    output_("\r\x1b[K" + text);
    drawn_ = true;
  }

  void draw_sometimes() {
    if (status_.is_due())
      draw();
  }

  ProgressOptions options_;
  Output output_;
  StatusLine status_;
  bool drawn_ = false;
};

class Silence : public Progress {
 public:
  void round_started(int) override {}
  void busy(std::string_view) override {}
  void phase(std::string_view, std::string_view) override {}
  void log_line(std::string_view, std::string_view) override {}
  void build_ended(std::string_view, bool) override {}
  void diagnosed(std::string_view, std::string_view) override {}
  void step(int, Risk, std::string_view) override {}
  void taken_back(int, std::string_view) override {}
  void round_ended(int, std::string_view, double) override {}
  void note(std::string_view) override {}
  void warning(std::string_view) override {}
};

}  // namespace

bool is_terminal(int descriptor) {
  const char* terminal = std::getenv("TERM");
  return ::isatty(descriptor) == 1 && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

bool wants_colour(int descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  return is_terminal(descriptor) &&
         (no_colour == nullptr || *no_colour == '\0');
}

ProgressOptions options_for_stderr() {
  ProgressOptions options;
  options.now = [] { return std::chrono::steady_clock::now(); };
  options.terminal = is_terminal(STDERR_FILENO);
  options.colour = wants_colour(STDERR_FILENO);
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    options.width = size.ws_col;
  return options;
}

std::unique_ptr<Progress> make_progress(const ProgressOptions& options,
                                        Output output) {
  return std::make_unique<Lines>(options, std::move(output));
}

std::unique_ptr<Progress> silent_progress() {
  return std::make_unique<Silence>();
}

}  // namespace autopin::report
