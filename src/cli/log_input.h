#pragma once
// The log that `diagnose` is asked about: a file, standard input, or what the
// store keeps of a derivation's build, by its path or by what makes it.

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "io/world.h"

namespace autopin {

/// What the command line says, before it is known what it means.
struct LogRequest {
  /// A log, "-", a .nix file, a store path or an installable.
  std::string what;
  std::vector<std::string> attributes;  ///< -A
  std::string expression;               ///< -E
  std::vector<std::string> evaluation_flags;
  bool once = false;  ///< Each log is read once: nothing of a pipe is kept.
};

using ByteSink = std::function<void(std::string_view)>;

struct LogInput {
  std::string name;        ///< For people.
  std::string file;        ///< Where it is a file.
  std::string derivation;  ///< Whose whole log it is; "" where that is unknown.
  /// Gives all of it, each time that it is called, or the one time that was
  /// asked for. Throws Error.
  std::function<void(const ByteSink&)> read;
};

/// An existing file that is neither .drv nor .nix is a log; a path of the store
/// has one; with -A or -E, a .nix file or a folder without flake.nix is
/// instantiated as nix-build does; what is left is an installable. `notes`
/// hears where another log than the one asked for is taken. Throws Error where
/// there is none, with what to do.
std::vector<LogInput> find_logs(World& world, const LogRequest& request,
                                std::ostream& notes);

/// The file, or standard input for "-". Throws Error where it cannot be read.
LogInput log_file(const std::string& name, bool once);

}  // namespace autopin
