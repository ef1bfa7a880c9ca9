#include "log/nix_lines.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "base/text.h"
#include "log/clean.h"
#include "log/scout.h"

namespace autopin {

namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool starts_with(std::string_view text, std::string_view part) {
  return text.substr(0, part.size()) == part;
}

/// The quoted path after `words`, where the line holds them.
std::optional<std::string_view> path_after(std::string_view line,
                                           std::string_view words) {
  const std::size_t at = line.find(words);
  if (at == std::string_view::npos)
    return std::nullopt;
  const std::string_view path = quoted(line, at + words.size());
  if (path.empty())
    return std::nullopt;
  return path;
}

/// Builders print "building '…'" too; only a store path counts, or what stands
/// in for one in a log made anonymous.
bool looks_like_store_path(std::string_view path) {
  return contains(path, "/store/") ||
         (path.size() > 4 && path.substr(path.size() - 4) == ".drv");
}

}  // namespace

std::optional<std::string_view> build_start(std::string_view line) {
  // "building of '…' timed out" is how Nix 1 says that a build failed.
  if (!starts_with(line, "building ") || starts_with(line, "building of "))
    return std::nullopt;
  const std::string_view path = quoted(line, 9);
  if (path.empty() || !looks_like_store_path(path))
    return std::nullopt;
  return path;
}

namespace {

std::optional<std::string_view> failed_path(std::string_view line) {
  if (contains(line, "builder for "))
    if (contains(line, "failed") || contains(line, "timed out"))
      return path_after(line, "builder for ");
  if (contains(line, "annot build ") &&
      !contains(line, "annot build derivation"))
    return path_after(line, "annot build ");
  if (contains(line, "hash mismatch in fixed-output derivation"))
    return path_after(line, "derivation");
  if (contains(line, "fixed-output derivation produced path"))
    return path_after(line, "produced path");
  if (contains(line, "output path ") && contains(line, " hash ") &&
      contains(line, "instead has"))
    return path_after(line, "output path");
  if (contains(line, "timed out after") || contains(line, "of silence"))
    return path_after(line, "building of ");
  return std::nullopt;
}

}  // namespace

std::optional<std::string_view> build_failure(std::string_view line) {
  const auto path = failed_path(line);
  return path && looks_like_store_path(*path) ? path : std::nullopt;
}

std::optional<std::string_view> dependency_failure(std::string_view line) {
  if (contains(line, "cannot build derivation ") &&
      contains(line, "couldn't be built"))
    return path_after(line, "cannot build derivation ");
  if (contains(line, "of derivation ") && contains(line, " failed to build"))
    return path_after(line, "of derivation ");
  if (contains(line, "error: build of ") && contains(line, " failed") &&
      !contains(line, " on "))
    return path_after(line, "build of ");
  return std::nullopt;
}

bool is_dependency_reason(std::string_view line) {
  const std::string_view text = trim(line);
  return starts_with(text, "Reason: ") && contains(text, "dependenc") &&
         contains(text, "failed");
}

std::optional<int> tail_header(std::string_view line, bool& inline_tail) {
  std::size_t at = line.find("ast ");
  while (at != std::string_view::npos) {
    if (at > 0 && (line[at - 1] == 'l' || line[at - 1] == 'L')) {
      const std::string_view rest = line.substr(at + 4);
      int count = 0;
      const auto [end, problem] =
          std::from_chars(rest.data(), rest.data() + rest.size(), count);
      const auto used = static_cast<std::size_t>(end - rest.data());
      if (problem == std::errc() &&
          starts_with(rest.substr(used), " log lines:")) {
        inline_tail = contains(line.substr(0, at), "builder for ");
        return count;
      }
    }
    at = line.find("ast ", at + 1);
  }
  return std::nullopt;
}

std::optional<std::string_view> full_log_hint(std::string_view line) {
  const std::string_view text = trim(line);
  for (const std::string_view command :
       {"nix log ", "nix-store -l ", "nix-store --read-log "}) {
    const std::size_t at = text.find(command);
    if (at == std::string_view::npos ||
        (at != 0 && !contains(text, "For full logs")))
      continue;
    std::string_view path = text.substr(at + command.size());
    path = path.substr(0, path.find_first_of(" '\u2019"));
    if (looks_like_store_path(path))
      return path;
  }
  return std::nullopt;
}

std::string_view phase_header(std::string_view line) {
  // stdenv's showPhaseHeader (pkgs/stdenv/generic/setup.sh); "Running phase:"
  // since 24.05, these words before.
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 8>
      old = {{{"unpacking sources", "unpackPhase"},
              {"patching sources", "patchPhase"},
              {"configuring", "configurePhase"},
              {"building", "buildPhase"},
              {"running tests", "checkPhase"},
              {"installing", "installPhase"},
              {"post-installation fixup", "fixupPhase"},
              {"running install tests", "installCheckPhase"}}};
  constexpr std::string_view running = "Running phase: ";
  if (starts_with(line, running))
    return trim(line.substr(running.size()));
  for (const auto& [words, phase] : old)
    if (line == words)
      return phase;
  constexpr std::string_view suffix = "Phase";
  if (line.size() > suffix.size() && line.size() < 64 &&
      line.substr(line.size() - suffix.size()) == suffix && line[0] >= 'a' &&
      line[0] <= 'z' &&
      std::all_of(line.begin(), line.end(),
                  [](unsigned char c) { return std::isalnum(c) != 0; }))
    return line;
  return {};
}

bool is_success(std::string_view line, Verdict& before) {
  const Verdict counted = before;
  if (line.empty())
    return false;
  before = Verdict::none;
  switch (line[0]) {
    case 'R':  // unittest: "Ran 3 tests in 0.001s", then "OK (skipped=1)".
      if (starts_with(line, "Ran ") && contains(line, " test"))
        before = Verdict::counted;
      return false;
    case 'O':
      return counted == Verdict::counted &&
             (line == "OK" || starts_with(line, "OK ("));
    case '#':  // Automake: no FAIL, no XPASS, and then no ERROR.
      if (starts_with(line, "# FAIL:") || starts_with(line, "# XPASS:")) {
        const bool well = trim(line.substr(line.find(':') + 1)) == "0";
        if (well && (line[2] == 'F' || counted == Verdict::counted))
          before = Verdict::counted;
        return false;
      }
      return counted == Verdict::counted && starts_with(line, "# ERROR:") &&
             trim(line.substr(8)) == "0";
    case '1':  // CTest.
      if (starts_with(line, "100% tests passed, 0 tests failed"))
        return true;
      break;
    case 't':  // Cargo.
      return starts_with(line, "test result: ok. ");
    case 'S':  // pip.
      return starts_with(line, "Successfully installed ") ||
             starts_with(line, "Successfully built ");
    default:
      break;
  }
  // pytest: "=== 3 passed, 1 xfailed in 0.12s ===", bare with -q.
  const std::size_t begin = line.find_first_not_of("= ");
  if (begin == std::string_view::npos ||
      std::isdigit(static_cast<unsigned char>(line[begin])) == 0)
    return false;
  const std::size_t passed = line.find(" passed");
  return passed < 200 &&  // not npos
         line.find(" in ", passed) != std::string_view::npos &&
         !contains(line, " failed") && !contains(line, " error");
}

const std::vector<std::string_view>& nix_words() {
  static const std::vector<std::string_view> words = {
      // internal-json
      "\n@nix {",
      // build_start
      "\nbuilding ",
      // build_failure, dependency_failure, is_dependency_reason
      "builder for ", "annot build ", "hash mismatch in fixed-output",
      "fixed-output derivation produced path", "instead has", "timed out after",
      "of silence", "of derivation ", "error: build of ", "Reason: ",
      // tail_header, full_log_hint, and a tail without its head
      " log lines:", "nix log ", "nix-store -l ", "nix-store --read-log ",
      "\n       >",
      // phase_header
      "\nRunning phase: ", "Phase\n", "\nunpacking sources\n",
      "\npatching sources\n", "\nconfiguring\n", "\nbuilding\n",
      "\nrunning tests\n", "\ninstalling\n", "\npost-installation fixup\n",
      "\nrunning install tests\n",
      // is_success, but for lines after one that counted
      "\nRan ", "\n# FAIL:", "\n# XPASS:", "\ntest result: ok. ", " passed",
      "\nSuccessfully installed ", "\nSuccessfully built "};
  return words;
}

const Scout& nix_scout() {
  static const Scout scout = [] {
    Scout made;
    for (const std::string_view word : nix_words())
      made.add(word, 0);
    made.compile();
    return made;
  }();
  return scout;
}

bool may_be_nix(std::string_view line) {
  return nix_scout().finds_any(line);
}

std::optional<Prefixed> split_prefix(std::string_view line) {
  // Characters of a store path's name (libstore/path.cc).
  std::size_t at = 0;
  while (at < line.size() && at < 211 &&
         (std::isalnum(static_cast<unsigned char>(line[at])) != 0 ||
          std::string_view("+-._?=").find(line[at]) != std::string_view::npos))
    ++at;
  const std::string_view name = line.substr(0, at);
  // The post-build hook's words (libmain/progress-bar.cc).
  constexpr std::string_view post = " (post)";
  if (line.substr(at, post.size()) == post)
    at += post.size();
  if (name.size() < 2 || at >= line.size() || line[at] != '>')
    return std::nullopt;
  // pytest's own prefix, and XML-like or prompt-like text.
  if (name == "INTERNALERROR" || name.back() == '=' || name.back() == '-' ||
      (at + 1 < line.size() && line[at + 1] != ' '))
    return std::nullopt;
  return Prefixed{
      name, at + 2 <= line.size() ? line.substr(at + 2) : std::string_view()};
}

}  // namespace autopin
