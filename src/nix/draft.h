#pragma once
// A draft is a set of local files: the entry and each local file that it
// imports or calls. They are held in memory while the loop runs, so that the
// folder they lie in, which `src = ./.` may take in, stays as it was.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/world.h"
#include "nix/invocation.h"

namespace autopin::nix {

class Draft {
 public:
  /// Only the entry: read from its file, or the text of -E and -p. Throws Error
  /// where the file cannot be read.
  static Draft open(World& world, const Invocation& invocation);

  Draft() = default;
  Draft(std::filesystem::path entry, const std::string& text, bool on_disk);

  /// For -E and -p a name in the user's folder that no file need have.
  const std::filesystem::path& entry() const { return entry_; }
  /// False for -E and -p: there is no file to evaluate or to replace.
  bool on_disk() const { return on_disk_; }

  void add_file(const std::filesystem::path& file, const std::string& text);
  void remove_file(const std::filesystem::path& file);
  bool has(const std::filesystem::path& file) const;
  /// The entry first, then by path.
  std::vector<std::filesystem::path> files() const;

  const std::string& text(const std::filesystem::path& file) const;
  const std::string& original(const std::filesystem::path& file) const;
  void set_text(const std::filesystem::path& file, std::string text);

  bool changed() const;
  bool changed(const std::filesystem::path& file) const;

  /// Same files with the same text: the loop's "tried from this state".
  bool operator==(const Draft& other) const = default;
  /// SHA-256 over names and texts, in hex.
  std::string state() const;

 private:
  struct File {
    std::string original;
    std::string current;
    bool operator==(const File&) const = default;
  };
  std::filesystem::path entry_;
  bool on_disk_ = true;
  std::map<std::filesystem::path, File> files_;
};

/// What one evaluation read, as `nix-instantiate -v` tells it: "evaluating file
/// '…'" (libexpr/eval.cc: EvalState::evalFile), in order, each once.
std::vector<std::filesystem::path> evaluated_files(std::string_view log);

/// Those of `read` that are the user's own: not in the store, not under a
/// search path entry (`search_path`), not in a checkout of a package set (a
/// folder that has pkgs/top-level). A search path entry that holds the draft is
/// no bar. The entry itself is not among them.
std::vector<std::filesystem::path> local_files(
    const std::vector<std::filesystem::path>& read,
    const std::vector<std::filesystem::path>& search_path,
    const std::filesystem::path& entry);

}  // namespace autopin::nix
