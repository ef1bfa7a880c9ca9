#pragma once
// Every way in which a run can end, as a script sees it. One table, which the
// end of a run, `--help` and the manual page all read. None of them is one of
// Nix's own 100-104 (nix-build(1)), so that a wrapper can tell the two apart.

#include <array>
#include <string_view>

namespace autopin {

enum class ExitCode {
  green = 0,
  usage = 1,
  no_rule = 2,
  cannot_fix = 3,
  refused = 4,
  circles = 5,
  limit = 6,
  environment = 7,
  broken_draft = 8,
  interrupted = 130,
};

struct ExitCodeRow {
  ExitCode code;
  std::string_view word;  ///< The `outcome` of log.json.
  std::string_view meaning;
};

inline constexpr std::array<ExitCodeRow, 10> exit_codes{{
    {ExitCode::green, "green",
     "The build, and the check if one was given, succeeded."},
    {ExitCode::usage, "error", "Wrong usage, or an error of autopin itself."},
    {ExitCode::no_rule, "no-rule",
     "The build failed for a reason that no rule describes."},
    {ExitCode::cannot_fix, "cannot-fix",
     "The reason is known, but no change would help: no version that fits, or "
     "every candidate was tried."},
    {ExitCode::refused, "refused",
     "A change would help but needs the user's word: a hash that changed, or a "
     "risk that --allow does not name."},
    {ExitCode::circles, "circle",
     "The changes lead back to a state that was there before."},
    {ExitCode::limit, "limit", "--max-rounds or --timeout was reached."},
    {ExitCode::environment, "environment",
     "The machine is the problem: disk full, killed for memory, no daemon, no "
     "network."},
    {ExitCode::broken_draft, "broken-draft",
     "The draft cannot be evaluated: a syntax error, or <nixpkgs> is not "
     "found."},
    {ExitCode::interrupted, "interrupted", "Stopped by the user."},
}};

}  // namespace autopin
