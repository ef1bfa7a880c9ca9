#pragma once
// What Nix itself says in text, in the words of each generation: which build
// starts, which failed, where a repeated log tail begins. Only recognition
// lives here; what it means for the lines around is the reader's business.

#include <optional>
#include <string_view>
#include <vector>

namespace autopin {

class Scout;

/// "building '/nix/store/….drv'..." (2.0 on), "building path(s) ‘…’" (1.x),
/// with "on 'ssh://…'" where it is remote. The path, or nothing.
std::optional<std::string_view> build_start(std::string_view line);

/// "builder for '…' failed …", "Cannot build '…'." (2.29 on), "hash mismatch in
/// fixed-output derivation '…'", "build of '…' on '…' failed". The path.
std::optional<std::string_view> build_failure(std::string_view line);

/// "cannot build derivation '…': N dependencies couldn't be built" (to 2.3),
/// "N dependencies of derivation '…' failed to build" (2.4 to 2.28), "error:
/// build of '…' failed" of what was asked for.
std::optional<std::string_view> dependency_failure(std::string_view line);

/// "Reason: 1 dependency failed." under 2.29's "Cannot build".
bool is_dependency_reason(std::string_view line);

/// N of "last N log lines:"; `inline_tail` tells the form to 2.3, in which the
/// words end the failure's own line and the tail is indented by two spaces.
std::optional<int> tail_header(std::string_view line, bool& inline_tail);

/// The .drv of "For full logs, run 'nix log …'" in all its forms, 2.29's bare
/// "nix log …" line included.
std::optional<std::string_view> full_log_hint(std::string_view line);

/// The phase that a header line of stdenv announces, "" where it is none.
std::string_view phase_header(std::string_view line);

/// A test runner's or an installer's last word, where it is that all went well:
/// "== 3 passed in 1.2s ==" and its kin. Some say it in two lines; `before`
/// keeps of the line before what the next needs.
enum class Verdict { none, counted };
bool is_success(std::string_view line, Verdict& before);

/// A line that holds none of these, seen between line feeds, is nothing that
/// this header knows but a prefixed one, or one after Verdict::counted. Of four
/// bytes or more each.
const std::vector<std::string_view>& nix_words();
/// Finds the lines that hold one of them.
const Scout& nix_scout();
bool may_be_nix(std::string_view line);

/// Splits `name> text`, as `-L` and nix-output-monitor print it.
struct Prefixed {
  std::string_view name;
  std::string_view text;
};
std::optional<Prefixed> split_prefix(std::string_view line);

}  // namespace autopin
