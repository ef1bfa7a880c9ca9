#pragma once
// A .drv file, read as what the builder will see. After an edit this, not the
// source, says whether the intended value arrived.
// Format: Nix, libstore/derivations.cc (parseDerivation, unparse).

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace autopin::nix {

struct DerivationOutput {
  std::string path;            ///< "" where it is not known before the build.
  std::string hash_algorithm;  ///< "sha256", "r:sha256"; "" unless fixed.
  std::string hash;            ///< Base 16.
  bool operator==(const DerivationOutput&) const = default;
};

struct Derivation {
  std::map<std::string, DerivationOutput> outputs;
  std::map<std::string, std::set<std::string>> input_drvs;
  std::set<std::string> input_srcs;
  std::string system;
  std::string builder;
  std::vector<std::string> args;
  std::map<std::string, std::string> env;

  /// Throws Error where `text` is no derivation; `path` is for the message.
  static Derivation parse(std::string_view text, std::string_view path);

  std::string name() const;
  bool is_fixed() const;
  bool has_structured_attrs() const { return env.count("__json") != 0; }

  /// An attribute as bash would see it, from the environment or from the
  /// structured attributes (`__json`, and `env` in it); lists and attribute
  /// sets joined by blanks, true as "1", false and null as "". Nothing where
  /// it is absent.
  std::optional<std::string> attribute(const std::string& name) const;
  /// The same split at white space, or the items of a structured list.
  std::vector<std::string> list_attribute(const std::string& name) const;
};

/// "/nix/store/HASH-NAME" -> "NAME"; a .drv keeps its suffix. "" for others.
std::string_view store_name(std::string_view path);
/// All store paths in a text, each cut to "/nix/store/HASH-NAME", in order,
/// each once.
std::vector<std::string> store_paths(std::string_view text);

}  // namespace autopin::nix
