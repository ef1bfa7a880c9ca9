#pragma once
// Where in the draft a change of a derivation is said. A derivation may be made
// by a builder's call that stands in the draft, by an override, or by a mere
// reference into the package set; the mildest place that works is tried first.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fix/chain.h"
#include "fix/change.h"
#include "fix/namer.h"
#include "fix/python_set.h"
#include "fix/situation.h"
#include "nix/edit.h"

namespace autopin::fix {

/// Edits by file.
using FileEdits = std::map<std::filesystem::path, std::vector<nix::Edit>>;

struct Place {
  enum class Kind {
    builder,   ///< buildPythonPackage { … } in the draft.
    layer,     ///< A literal { } given to an override function.
    reference  ///< `py.six`: to be wrapped.
  };
  Kind kind = Kind::reference;
  std::filesystem::path file;
  nix::ExprId expr = nix::no_expr;  ///< The whole expression, unparenthesised.
  Chain chain;
  nix::ExprId attrset = nix::no_expr;  ///< builder, layer
  std::string previous;  ///< The old attributes; `common` of `common // { }`.
  std::string function;  ///< Builder's or override's name.
  nix::DerivationRecord record;
};

/// Places in the draft that make `drv`, best first; references last. Empty
/// where it comes out of the package set without being named.
std::vector<Place> places_of(const Situation& situation,
                             const std::string& drv);

/// True for a derivation that a Python builder made, by what it sees.
bool is_python_package(const Situation& situation, const std::string& drv);

/// Arguments that the package at the base of a place takes, as the set knows
/// them; empty where it does not.
std::vector<std::string> arguments_at(const PythonSet& set, const Place& place);

/// Says `change` at the place. Nothing where it cannot be said there. Names
/// attributes as that place needs them: what only the Python builder reads
/// (doCheck) becomes what the derivation reads (doInstallCheck).
std::optional<FileEdits> edit_place(const Situation& situation,
                                    const Place& place,
                                    const DerivationChange& change,
                                    const PythonSet* python);

/// The same at all of several references at once.
std::optional<FileEdits> edit_references(const Situation& situation,
                                         const std::vector<Place>& places,
                                         const DerivationChange& change,
                                         const PythonSet* python);

/// Functions that a package has for changing it.
struct OverrideFunctions {
  bool python_attrs = false;
  bool attrs = false;
  bool derivation = false;
};

/// `base` changed, as an expression on lines of its own:
/// (base.override { … }).overridePythonAttrs (old: { … })
/// Nothing where base has no function that could say it.
std::optional<NixText> override_text(const NixText& base,
                                     const OverrideFunctions& functions,
                                     bool is_python,
                                     const DerivationChange& change);

}  // namespace autopin::fix
