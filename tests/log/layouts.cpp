#include "layouts.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <functional>

#include <nlohmann/json.hpp>

#include "base/derivation_name.h"
#include "base/text.h"
#include "log/clean.h"

namespace autopin::testing {

namespace {

using Lines = std::vector<std::string>;

std::string each(const Lines& lines, const std::string& before) {
  std::string text;
  for (const std::string& line : lines)
    text += before + line + "\n";
  return text;
}

std::string exit_words(const Build& build) {
  return "failed with exit code " + std::to_string(build.exit_code);
}

std::string count_of(const Build& build) {
  return std::to_string(build.lines.size());
}

// ---- to Nix 2.3 (libstore/build.cc) ----

std::string nix_1(const Build& build) {
  return "these derivations will be built:\n  " + build.derivation +
         "\nbuilding path(s) ‘/nix/store/p9w9k7dmywzxz0l37xhx5rlyh4fpq4ya-" +
         build.name() + "’\n" + each(build.lines, "") +
         "note: keeping build directory ‘/tmp/nix-build-" + build.name() +
         ".drv-0’\nbuilder for ‘" + build.derivation + "’ " +
         exit_words(build) + "\nerror: build of ‘" + build.derivation +
         "’ failed\n";
}

std::string nix_2_0(const Build& build) {
  return "these derivations will be built:\n  " + build.derivation + "\n" +
         building(build) + each(build.lines, "") + "builder for '" +
         build.derivation + "' " + exit_words(build) + "\nerror: build of '" +
         build.derivation + "' failed\n";
}

std::string nix_2_0_tail(const Build& build) {
  std::string text = "[1 built (1 failed)]\nbuilder for '" + build.derivation +
                     "' " + exit_words(build) + "; last " + count_of(build) +
                     " log lines:\n";
  text += each(build.lines, "  ");
  return text + "[0 built (1 failed), 0.0 MiB DL]\nerror: build of '" +
         build.derivation + "' failed\n";
}

// ---- 2.4 to 2.28, Lix (derivation-goal.cc) ----

std::string error_2_4(const Build& build) {
  return "error: builder for '" + build.derivation + "' " + exit_words(build);
}

std::string nix_2_4(const Build& build) {
  return "this derivation will be built:\n  " + build.derivation + "\n" +
         building(build) + each(build.lines, "") + error_2_4(build) + "\n";
}

std::string tail_2_4(const Build& build, const std::string& hint) {
  return building(build) + error_2_4(build) + ";\n       last " +
         count_of(build) + " log lines:\n" + each(build.lines, "       > ") +
         hint;
}

std::string nix_2_4_tail(const Build& build) {
  return tail_2_4(
      build, "       For full logs, run 'nix log " + build.derivation + "'.\n");
}

std::string nix_2_19_tail(const Build& build) {
  return tail_2_4(build, "       For full logs, run 'nix-store -l " +
                             build.derivation + "'.\n");
}

std::string nix_2_28_tail(const Build& build) {
  return tail_2_4(build, "       For full logs, run:\n         nix log " +
                             build.derivation + "\n");
}

std::string lix_tail(const Build& build) {
  return tail_2_4(build, "       For full logs, run:\n       \tnix-store -l " +
                             build.derivation + "\n");
}

// ---- 2.29 on, Determinate Nix (derivation-building-goal.cc) ----

std::string error_2_29(const Build& build) {
  return "error: Cannot build '" + build.derivation +
         "'.\n       Reason: builder " + exit_words(build) +
         ".\n       Output paths:\n"
         "         /nix/store/p9w9k7dmywzxz0l37xhx5rlyh4fpq4ya-" +
         build.name() + "\n";
}

std::string nix_2_29(const Build& build) {
  return "this derivation will be built:\n  " + build.derivation + "\n" +
         building(build) + each(build.lines, "") + error_2_29(build);
}

std::string tail_2_29(const Build& build) {
  return error_2_29(build) + "       Last " + count_of(build) +
         " log lines:\n" + each(build.lines, "       > ") +
         "       For full logs, run:\n         nix log " + build.derivation +
         "\n";
}

std::string nix_2_29_tail(const Build& build) {
  return building(build) + tail_2_29(build);
}

std::string nix_2_29_tail_only(const Build& build) {
  // An excerpt that begins within the tail.
  const std::string text = tail_2_29(build);
  return text.substr(text.find("       > "));
}

// ---- remote builders (build-remote.cc) ----

std::string remote(const Build& build) {
  return "building '" + build.derivation + "' on 'ssh://builder'...\n" +
         "copying 1 paths...\n" + each(build.lines, "") + "error: build of '" +
         build.derivation + "' on 'ssh://builder' failed: builder for '" +
         build.derivation + "' " + exit_words(build) + "\n" + error_2_4(build) +
         "\n";
}

// ---- `name> `: the progress bar with -L, nix-output-monitor ----

std::string prefixed_2_4(const std::vector<Build>& builds, const Build* good);
std::string prefixed_2_29(const std::vector<Build>& builds, const Build* good);
std::string terminal(const std::vector<Build>& builds, const Build* good);
std::string monitor(const std::vector<Build>& builds, const Build* good);
std::string internal_json(const std::vector<Build>& builds, const Build* good);
std::string internal_json_2_29(const std::vector<Build>& builds,
                               const Build* good);

template <std::string (*render)(const std::vector<Build>&, const Build*)>
std::string alone(const Build& build) {
  return render({build}, nullptr);
}

std::string prefixed_and_tail(const Build& build) {
  Build last = build;
  const std::size_t most = 10;
  if (last.lines.size() > most)
    last.lines.erase(last.lines.begin(), last.lines.end() - most);
  return each(build.lines, build.prefix() + "> ") + tail_2_29(last);
}

/// -L to 2.3: without white space around, and without empty lines.
std::string prefixed_2_3(const Build& build) {
  std::string text = building(build);
  for (const std::string& line : build.lines)
    if (!trim(line).empty())
      text += build.prefix() + "> " + std::string(trim(line)) + "\n";
  return text + "builder for '" + build.derivation + "' " + exit_words(build) +
         "\n[0 built (1 failed)]\nerror: build of '" + build.derivation +
         "' failed\n";
}

/// Calls `line(build, text)` for one line of each build in turn.
void in_turn(
    const std::vector<Build>& builds, const Build* good,
    const std::function<void(const Build&, const std::string&)>& line) {
  std::size_t most = good == nullptr ? 0 : good->lines.size();
  for (const Build& build : builds)
    most = std::max(most, build.lines.size());
  for (std::size_t i = 0; i < most; ++i) {
    for (const Build& build : builds)
      if (i < build.lines.size())
        line(build, build.lines[i]);
    if (good != nullptr && i < good->lines.size())
      line(*good, good->lines[i]);
  }
}

std::string prefixed_lines(const std::vector<Build>& builds,
                           const Build* good) {
  std::string text;
  for (const Build& build : builds)
    text += building(build);
  if (good != nullptr)
    text += building(*good);
  in_turn(builds, good, [&](const Build& build, const std::string& line) {
    text += build.prefix() + "> " + line + "\n";
  });
  return text;
}

std::string prefixed_2_4(const std::vector<Build>& builds, const Build* good) {
  std::string text = prefixed_lines(builds, good);
  for (const Build& build : builds)
    text += error_2_4(build) + "\n";
  return text;
}

std::string prefixed_2_29(const std::vector<Build>& builds, const Build* good) {
  std::string text = prefixed_lines(builds, good);
  for (const Build& build : builds)
    text += error_2_29(build);
  return text;
}

/// The progress bar on a terminal (libmain/progress-bar.cc): the status line is
/// drawn after each line and wiped before the next.
std::string terminal(const std::vector<Build>& builds, const Build* good) {
  std::string text;
  const auto log = [&](const std::string& line, const std::string& status) {
    text += "\r\x1b[K" + line + "\x1b[0m\n" + status;
  };
  for (const Build& build : builds)
    log("building '\x1b[35;1m" + build.derivation + "\x1b[0m'...", "");
  in_turn(builds, good, [&](const Build& build, const std::string& line) {
    log("\x1b[2m" + build.prefix() + "> \x1b[0m" + line,
        "[\x1b[34;1m1\x1b[0m/0/2 built] building \x1b[1m" + build.name() +
            "\x1b[0m: " + line);
  });
  for (const Build& build : builds)
    log("\x1b[31;1merror:\x1b[0m builder for '\x1b[35;1m" + build.derivation +
            "\x1b[0m' failed with exit code 1",
        "[0/1 built (\x1b[31;1m1 failed\x1b[0m)]");
  return text + "\r\x1b[K";
}

/// The end of what nix-output-monitor printed: no line says whose the prefix
/// is.
std::string monitor_beheaded(const Build& build) {
  const std::string text = alone<monitor>(build);
  return text.substr(text.find('\n') + 1);
}

std::string framed(const std::string& text) {
  std::string lines;
  for (const std::string_view line : lines_of(text))
    lines += "┃ " + std::string(line) + "\n";
  return lines;
}

/// nix-output-monitor: prefixes with pname (here: what follows the
/// interpreter's name), errors as they come and once more in a frame, the tree
/// and the table (NOM/Print.hs, NOM/Update.hs).
std::string monitor(const std::vector<Build>& builds, const Build* good) {
  const auto prefix = [](const Build& build) {
    std::string name = build.prefix();
    if (name.substr(0, 6) == "python")
      name = name.substr(std::min(name.find('-'), name.size() - 1) + 1);
    return "\x1b[0m\x1b[34m" + name + "> \x1b[0m";
  };
  std::string text;
  for (const Build& build : builds)
    text += prefix(build) + building(build);
  if (good != nullptr)
    text += prefix(*good) + building(*good);
  in_turn(builds, good, [&](const Build& build, const std::string& line) {
    text += prefix(build) + line + "\n";
  });
  std::string errors;
  std::string tree;
  for (const Build& build : builds) {
    errors += error_2_29(build);
    tree += "┃ ⚠ " + build.name() + " failed with exit code 1 after ⏱ 2s\n";
  }
  return text + errors + "┏━ 1 Errors: \n" + framed(errors) +
         "┣━ Dependency Graph:\n" + tree +
         "┣━━━ Builds\n┗━ ∑ ⏵ 0 │ ✔ 0 │ ⏸ 0 │ ⚠ "
         "Exited "
         "after "
         "1 "
         "build "
         "failures "
         "at 12:00:00 after 2s\n";
}

// ---- internal-json (libutil/logging.cc) ----

std::string event(const nlohmann::json& object) {
  // Bytes that are not UTF-8 are passed as they are: Nix dumps with `replace`
  // only since 2.24.
  return "@nix " +
         object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
         "\n";
}

std::string json_log(const std::vector<Build>& builds, const Build* good,
                     std::string (*error)(const Build&)) {
  std::string text;
  std::vector<std::string> ids;
  const auto id = [&](const Build& build) {
    const auto found = std::find(ids.begin(), ids.end(), build.derivation);
    if (found == ids.end())
      ids.push_back(build.derivation);
    return 2814749767106560 +
           static_cast<std::int64_t>(
               std::find(ids.begin(), ids.end(), build.derivation) -
               ids.begin());
  };
  const auto start = [&](const Build& build) {
    text += event({{"action", "start"},
                   {"fields", {build.derivation, "", 1, 1}},
                   {"id", id(build)},
                   {"level", 3},
                   {"parent", 0},
                   {"text", "building '" + build.derivation + "'"},
                   {"type", 105}});
  };
  for (const Build& build : builds)
    start(build);
  if (good != nullptr)
    start(*good);
  in_turn(builds, good, [&](const Build& build, const std::string& line) {
    text += event({{"action", "result"},
                   {"fields", {line}},
                   {"id", id(build)},
                   {"type", 101}});
  });
  if (good != nullptr)
    text += event({{"action", "stop"}, {"id", id(*good)}});
  for (const Build& build : builds) {
    text += event({{"action", "stop"}, {"id", id(build)}});
    text += event({{"action", "msg"},
                   {"column", nullptr},
                   {"level", 0},
                   {"line", nullptr},
                   {"msg", error(build)},
                   {"raw_msg", error(build)}});
  }
  return text;
}

std::string json_error(const Build& build) {
  return "\x1b[31;1merror:\x1b[0m builder for '\x1b[35;1m" + build.derivation +
         "\x1b[0m' failed with exit code 1";
}

std::string internal_json(const std::vector<Build>& builds, const Build* good) {
  return json_log(builds, good, json_error);
}

std::string internal_json_2_29(const std::vector<Build>& builds,
                               const Build* good) {
  return json_log(builds, good, error_2_29);
}

// ---- only consequences ----

std::string dependency_2_3(const Build& build) {
  return "cannot build derivation '" + build.derivation +
         "': 1 dependencies couldn't be built\nerror: build of '" +
         build.derivation + "' failed\n";
}

std::string dependency_2_4(const Build& build) {
  return "error: 1 dependencies of derivation '" + build.derivation +
         "' failed to build\n";
}

std::string dependency_2_29(const Build& build) {
  return "error: Cannot build '" + build.derivation +
         "'.\n       Reason: 1 dependency failed.\n       Output paths:\n"
         "         /nix/store/p9w9k7dmywzxz0l37xhx5rlyh4fpq4ya-x\n";
}

std::string asked_for(const Build& build) {
  return "error: build of '" + build.derivation + "' failed\n";
}

// ---- on the way ----

template <typename Function>
std::string per_line(const std::string& log, Function dress) {
  std::string text;
  for (const std::string_view line : lines_of(log))
    text += dress(std::string(line));
  return text;
}

std::string ended(const std::string& log) {
  return log.empty() || log.back() == '\n' ? log : log + "\n";
}

std::string coloured(const std::string& log) {
  return per_line(log, [](const std::string& line) {
    // Also amidst: before the last word, as tools mark up parts.
    const std::size_t space = line.rfind(' ');
    std::string text = line;
    if (space != std::string::npos && line.substr(0, 4) != "@nix")
      text.insert(space + 1, "\x1b[0;38;5;208m\x1b[K");
    return "\x1b[1;31m" + text + "\x1b[0m\n";
  });
}

std::string crlf(const std::string& log) {
  return per_line(log, [](const std::string& line) { return line + "\r\n"; });
}

std::string progress_before(const std::string& log) {
  return per_line(log, [](const std::string& line) {
    return " 10% [==   ]\r 99% [=====]\r" + line + "\n";
  });
}

std::string progress_between(const std::string& log) {
  return per_line(log, [](const std::string& line) {
    return "\r  0% [     ]\r 10% [==   ]\r 99% [=====]\n" + line + "\n";
  });
}

std::string github(const std::string& log) {
  return "\xEF\xBB\xBF" + per_line(log, [](const std::string& line) {
           return "2026-07-09T06:41:10.1234567Z " + line + "\n";
         });
}

std::string github_cli(const std::string& log) {
  return per_line(log, [](const std::string& line) {
    return "build (ubuntu-latest)\tRun nix "
           "build\t2026-07-09T06:41:10.1234567Z " +
           line + "\n";
  });
}

std::string github_groups(const std::string& log) {
  return "2026-07-09T06:41:10.1234567Z ##[group]Run nix-build\n"
         "2026-07-09T06:41:10.1234567Z \x1b[36;1mnix-build\x1b[0m\n"
         "2026-07-09T06:41:10.1234567Z ##[endgroup]\n" +
         github(log) +
         "2026-07-09T06:41:11.1234567Z ##[error]Process completed with exit "
         "code 1.\n";
}

std::string gitlab(const std::string& log) {
  return "section_start:1720507270:step_script\r\x1b[0K\x1b[0K\x1b[36;1m"
         "Executing \"step_script\" stage of the job script\x1b[0;m\x1b[0;m\n"
         "\x1b[32;1m$ nix-build\x1b[0;m\n" +
         ended(log) +
         "section_end:1720507271:step_script\r\x1b[0K\x1b[31;1mERROR: Job "
         "failed: exit status 1\n\x1b[0;m\n";
}

std::string gitlab_stamps(const std::string& log) {
  return per_line(log, [](const std::string& line) {
    if (line.size() < 4 || line.substr(0, 4) == "@nix")
      return "2026-07-09T06:41:10.123456Z 01E " + line + "\n";
    // A line that the runner saw in two pieces.
    return "2026-07-09T06:41:10.123456Z 01O " + line.substr(0, 3) +
           "\n2026-07-09T06:41:10.123457Z 01O+" + line.substr(3) + "\n";
  });
}

std::string azure(const std::string& log) {
  return "##[section]Starting: nix-build\n" +
         per_line(log,
                  [](const std::string& line) {
                    return "2026-07-09T06:41:10.1234567Z " + line + "\n";
                  }) +
         "##[error]Bash exited with code '1'.\n##[section]Finishing\n";
}

std::string travis(const std::string& log) {
  return "travis_fold:start:script\r\x1b[0Ktravis_time:start:0a1b2c3d\r\x1b[0K"
         "$ nix-build\n" +
         ended(log) +
         "travis_time:end:0a1b2c3d:start=1,finish=2,duration=1\r\x1b[0K"
         "travis_fold:end:script\r\x1b[0K\n"
         "\x1b[31;1mThe command \"nix-build\" exited with 1.\x1b[0m\n";
}

std::string buildkite(const std::string& log) {
  return "~~~ Running commands\n--- :nix: build\n" +
         per_line(log,
                  [](const std::string& line) {
                    return "\x1b_bk;t=1720507270123\a" + line + "\r\n";
                  }) +
         "^^^ +++\n🚨 Error: The command exited with status 1\n";
}

std::string buildkite_plain(const std::string& log) {
  return per_line(log, [](const std::string& line) {
    return "_bk;t=1720507270123" + line + "\n";
  });
}

std::string jenkins(const std::string& log) {
  return "[Pipeline] sh\n" + per_line(log, [](const std::string& line) {
           return "[2026-01-01T12:00:00.000Z] " + line + "\n";
         });
}

std::string jenkins_elapsed(const std::string& log) {
  return per_line(
      log, [](const std::string& line) { return "12:00:00  " + line + "\n"; });
}

std::string docker(const std::string& log) {
  return "#9 [5/5] RUN nix-build\n" +
         per_line(log, [](const std::string& line) {
           return "#9 12.34 " + line + "\n";
         });
}

std::string frame(const std::string& log) {
  return "┏━ 1 Errors:\n" + framed(log) + "┗━\n";
}

std::string odd_bytes(const std::string& log) {
  return "\xff\xfe\x80 caf\xe9\n" + log + "\n\xc3\x28\n";
}

std::string odd_bytes_at_ends(const std::string& log) {
  return per_line(log, [](const std::string& line) {
    if (line.substr(0, 4) == "@nix")
      return line + "\n";
    return "\xff" + line + "\xfe\x80\n";
  });
}

std::string nul_bytes(const std::string& log) {
  return per_line(log, [](const std::string& line) {
    std::string text(1, '\0');
    for (const char c : line) {
      text += c;
      text += '\0';
    }
    return text + "\n";
  });
}

std::string harmless_around(const std::string& log) {
  return harmless_lines(100) + log + "\n" + harmless_lines(100);
}

std::string long_line_before(const std::string& log) {
  return std::string(std::size_t{1} << 20U, 'x') + "\n" + log;
}

}  // namespace

std::string Build::name() const {
  return std::string(derivation_name(derivation));
}

std::string Build::prefix() const {
  const std::string whole = name();
  for (std::size_t i = 0; i + 1 < whole.size(); ++i)
    if (whole[i] == '-' &&
        std::isalpha(static_cast<unsigned char>(whole[i + 1])) == 0)
      return whole.substr(0, i);
  return whole;
}

std::string building(const Build& build) {
  return "building '" + build.derivation + "'...\n";
}

const std::vector<Layout>& layouts() {
  static const std::vector<Layout> all = {
      {"Nix 1.11", nix_1},
      {"Nix 2.0 to 2.3", nix_2_0},
      {"Nix 2.0 to 2.3, tail", nix_2_0_tail},
      {"Nix 2.4 to 2.28", nix_2_4},
      {"Nix 2.4 to 2.18, tail", nix_2_4_tail},
      {"Nix 2.19 to 2.27, tail", nix_2_19_tail},
      {"Nix 2.28, tail", nix_2_28_tail},
      {"Lix, tail", lix_tail},
      {"Nix 2.29 on", nix_2_29},
      {"Nix 2.29 on, tail", nix_2_29_tail},
      {"Nix 2.29 on, beheaded tail", nix_2_29_tail_only},
      {"remote builder", remote},
      {"-L, 2.3", prefixed_2_3, true},
      {"-L, 2.4 to 2.28", alone<prefixed_2_4>},
      {"-L, 2.29 on", alone<prefixed_2_29>},
      {"-L and tail", prefixed_and_tail},
      {"-L on a terminal", alone<terminal>},
      {"nix-output-monitor", alone<monitor>},
      {"nix-output-monitor, beheaded", monitor_beheaded},
      {"internal-json, 2.4 to 2.28", alone<internal_json>},
      {"internal-json, 2.29 on", alone<internal_json_2_29>}};
  return all;
}

const std::vector<Interleaving>& interleavings() {
  static const std::vector<Interleaving> all = {
      {"-L, 2.4 to 2.28", prefixed_2_4},
      {"-L, 2.29 on", prefixed_2_29},
      {"-L on a terminal", terminal},
      {"nix-output-monitor", monitor},
      {"internal-json, 2.4 to 2.28", internal_json},
      {"internal-json, 2.29 on", internal_json_2_29}};
  return all;
}

const std::vector<Layout>& bare_failures() {
  static const std::vector<Layout> all = {
      {"Nix 1.11", nix_1},
      {"Nix 2.0 to 2.3", nix_2_0},
      {"Nix 2.4 to 2.28", nix_2_4},
      {"Nix 2.4 to 2.18, tail", nix_2_4_tail},
      {"Nix 2.28, tail", nix_2_28_tail},
      {"Lix, tail", lix_tail},
      {"Nix 2.29 on", nix_2_29},
      {"Nix 2.29 on, tail", nix_2_29_tail},
      {"remote builder", remote},
      {"-L, 2.4 to 2.28", alone<prefixed_2_4>},
      {"-L, 2.29 on", alone<prefixed_2_29>},
      {"-L on a terminal", alone<terminal>},
      {"nix-output-monitor", alone<monitor>},
      {"internal-json, 2.4 to 2.28", alone<internal_json>},
      {"internal-json, 2.29 on", alone<internal_json_2_29>}};
  return all;
}

const std::vector<Layout>& consequences() {
  static const std::vector<Layout> all = {{"Nix 2.0 to 2.3", dependency_2_3},
                                          {"Nix 2.4 to 2.28", dependency_2_4},
                                          {"Nix 2.29 on", dependency_2_29},
                                          {"what was asked for", asked_for}};
  return all;
}

const std::vector<Dress>& dresses() {
  static const std::vector<Dress> all = {
      {"colour", coloured},
      {"CRLF", crlf},
      {"progress by CR before each line", progress_before},
      {"progress by CR between lines", progress_between},
      {"GitHub's stamps", github},
      {"gh run view --log", github_cli},
      {"GitHub's groups", github_groups},
      {"GitLab's sections", gitlab},
      {"GitLab's stamps", gitlab_stamps},
      {"Azure", azure},
      {"Travis", travis},
      {"Buildkite", buildkite},
      {"Buildkite without ESC", buildkite_plain},
      {"Jenkins", jenkins},
      {"Jenkins' clock", jenkins_elapsed},
      {"docker build", docker},
      {"nix-output-monitor's frame", frame},
      {"bytes that are not UTF-8 around", odd_bytes},
      {"bytes that are not UTF-8 at both ends of each line", odd_bytes_at_ends},
      {"NUL bytes", nul_bytes},
      {"harmless lines around", harmless_around},
      {"a line of a megabyte before", long_line_before}};
  return all;
}

std::string json_message(const std::string& text) {
  return event({{"action", "msg"}, {"level", 0}, {"msg", text}});
}

std::string harmless_lines(int count) {
  static const std::vector<std::string> kinds = {
      "  CC       src/part%.o",
      "checking for x%... yes",
      "gcc -DHAVE_CONFIG_H -I. -O2 -c part%.c -o part%.o",
      "tests/test_part.py::test_% PASSED                                [ 50%]",
      "[%/1000] Building CXX object CMakeFiles/x.dir/part.cpp.o",
      "copying src/pkg/part%.py -> build/lib/pkg",
      "",
      "Collecting part% (from wheel)"};
  std::string lines;
  for (int i = 0; i < count; ++i)
    lines += replace_all(kinds[static_cast<std::size_t>(i) % kinds.size()], "%",
                         std::to_string(i)) +
             "\n";
  return lines;
}

}  // namespace autopin::testing
