#pragma once
// The resolver: from what is asked, what the package set has and what indexes
// offer, to the pins that make every known requirement hold at once. Builds
// cost minutes or hours, so all that metadata can foresee is decided here,
// before the next build; what need not change is left alone.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "python/index.h"
#include "python/package_set.h"
#include "python/target.h"

namespace autopin::python {

/// The tools that every builder of Python packages brings by itself, whether or
/// not the set was asked for them.
bool is_builders_own(const std::string& name);

/// Where in a build a requirement counts.
enum class NeedKind {
  runtime,  ///< install_requires, Requires-Dist
  build,    ///< setup_requires, build-system.requires
  test      ///< tests_require
};

std::string_view to_string(NeedKind kind);

struct Need {
  Requirement requirement;
  NeedKind kind = NeedKind::runtime;
  /// Where it was read: "METADATA", "setup.py", …
  std::string source;
};

/// One decision: this distribution at this version.
struct Pin {
  std::string name;  ///< PEP 503.
  /// As its own file or the set spells it ("Keras").
  std::string spelling;
  Version version;
  /// The set has it, under this attribute (which may differ from the default
  /// one: pytest_3); otherwise `file` is set.
  std::string from_attribute;
  std::optional<IndexFile> file;
  /// The file's bytes where they had to be read, for `nix-store --add-fixed`.
  std::optional<std::string> bytes;
  /// Its own needs that apply to the target, extras asked for included.
  std::vector<Need> needs;
  /// Declarations of setup.py and the like that would have to be computed.
  std::vector<std::string> opaque;
  /// Who asked and how: "bleach 1.5.0: html5lib<0.99999999,>=0.999".
  std::vector<std::string> asked_by;
  /// In words: why this version and not the set's.
  std::string reason;
  NeedKind kind = NeedKind::runtime;
  /// For build and test pins: the distribution whose build needs it. Such a
  /// pin belongs into that package's own inputs, not into the scope.
  std::string for_build_of;
};

/// A package of the set that satisfies all that was asked, under its default
/// attribute: nothing to do.
struct Kept {
  std::string name;
  std::string attribute;
  Version version;
  std::vector<std::string> asked_by;
  NeedKind kind = NeedKind::runtime;
  std::string for_build_of;
};

struct Resolution {
  /// Dependencies before dependents.
  std::vector<Pin> pins;
  std::vector<Kept> kept;
  /// Requirements of builds and tests for which nothing fits, and other things
  /// that the reader should know, in words.
  std::vector<std::string> notes;
};

struct NoSolution {
  /// In words, one line a step: "bleach 1.5.0 needs html5lib <0.99999999, but
  /// …".
  std::string why;
  /// Names that take part in the contradiction.
  std::set<std::string> names;
  /// Requirements of which no file is for the interpreter, and the newest
  /// Python that one is for: "3.6".
  std::vector<Requirement> unfit;
  std::string fitting_python;
};

struct ResolveOptions {
  /// Projects taken as wheels even where a source distribution exists (the
  /// expression says format = "wheel"); PEP 503 names.
  std::set<std::string> prefer_wheel;
  bool prefer_all_wheels = false;
  /// Read build and test needs of what is pinned, and solve them as well.
  bool build_and_test_needs = true;
  /// Distributions that must be taken from an index and not from the set: the
  /// root that the draft re-pins.
  std::set<std::string> not_from_set;
  bool allow_prereleases = false;
  /// Read what the chosen versions ask for; otherwise only the roots are
  /// decided, and the next builds say the rest.
  bool look_ahead = true;
  /// Every builder brings setuptools, wheel and pip: where the set has none of
  /// its own and a package only lists them, they are taken as given.
  bool builder_brings_tools = true;
  /// The Pythons that may be offered where no file is for the target's: those
  /// of the set; empty: all that there are.
  std::vector<std::string> pythons;
};

/// Throws Error only where an index fails.
std::variant<Resolution, NoSolution> resolve(
    const std::vector<Demand>& roots, PackageSet& set, Index& index,
    const Target& target, const ResolveOptions& options = {});

}  // namespace autopin::python
