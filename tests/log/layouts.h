#pragma once
// The text that each tool prints for the same build: a failing builder's lines,
// its derivation, and what Nix adds around them, as each generation says it;
// and what CI systems, terminals and chance do to any text afterwards.

#include <string>
#include <vector>

namespace autopin::testing {

/// A build that failed by itself.
struct Build {
  std::string derivation;  ///< The .drv.
  std::vector<std::string> lines;
  int exit_code = 1;

  /// The name without version, as `-L` prints it (DrvName, libstore/names.cc).
  std::string prefix() const;
  /// The name without hash and ".drv".
  std::string name() const;
};

struct Layout {
  std::string name;
  std::string (*render)(const Build& build);
  bool trims = false;  ///< Lines lose the white space around them.
};

/// The line that says that a build starts, from 2.0 on.
std::string building(const Build& build);

/// All that show the builder's lines and name the derivation.
const std::vector<Layout>& layouts();

/// Layouts whose lines carry their derivation, of several builds at once: one
/// line of each in turn, then the failures. `good` are the lines of one more
/// build that ends well.
struct Interleaving {
  std::string name;
  std::string (*render)(const std::vector<Build>& builds, const Build* good);
};
const std::vector<Interleaving>& interleavings();

/// The log of a failed build that lacks all its lines, in each generation.
const std::vector<Layout>& bare_failures();

/// A log of which only what follows from a failure is left: the derivation
/// names what needed it.
const std::vector<Layout>& consequences();

/// Words of Nix itself as one message of internal-json.
std::string json_message(const std::string& text);

/// What happens to a log on its way: text in, text out.
struct Dress {
  std::string name;
  std::string (*on)(const std::string& log);
};
const std::vector<Dress>& dresses();

/// As many lines of compilers, configure scripts and tests that pass.
std::string harmless_lines(int count);

}  // namespace autopin::testing
