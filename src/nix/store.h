#pragma once
// The store as a graph of .drv files: who needs whom, which output belongs to
// which derivation, what is there. Read from the .drv files themselves, once
// each; commands are run only to change something or to ask what is valid.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/world.h"
#include "nix/derivation.h"
#include "nix/invocation.h"

namespace autopin::nix {

/// Which edges count.
enum class Edges {
  build,   ///< Every input derivation.
  runtime  ///< Those that the result carries along, as far as attributes tell.
};

/// A Python distribution as a derivation makes it.
struct Distribution {
  std::string name;     ///< As the derivation spells it, without "python3.11-".
  std::string version;  ///< "" where it has none.
};

struct ClosureMember {
  std::string drv;
  Distribution distribution;
};

class Store {
 public:
  Store(World& world, Invocation invocation);

  /// Throws Error where it is not there or is no derivation.
  const Derivation& derivation(const std::string& drv);
  bool has_derivation(const std::string& drv);

  /// Direct inputs of `drv`, sorted by name.
  std::vector<std::string> inputs(const std::string& drv, Edges edges);
  /// `drv` and all that it reaches, breadth first.
  std::vector<std::string> closure(const std::string& drv, Edges edges);
  std::vector<std::string> closure(const std::vector<std::string>& drvs,
                                   Edges edges);
  /// Shortest chains from `from` to `to`, both included; at most `limit`.
  std::vector<std::vector<std::string>> chains(const std::string& from,
                                               const std::string& to,
                                               Edges edges = Edges::build,
                                               std::size_t limit = 8);
  /// Those in the closure of `root` that have `drv` as a direct input.
  std::vector<std::string> consumers(const std::string& root,
                                     const std::string& drv, Edges edges);

  /// Name and version: pname and version where it has them, else by the store
  /// name ("python3.6-html5lib-0.9999999").
  Distribution distribution(const std::string& drv);
  /// Members of the closure that are the distribution `name` (compared as
  /// PEP 503 spells names). What only fetches a source is none.
  std::vector<ClosureMember> find_distribution(const std::string& root,
                                               std::string_view name,
                                               Edges edges);

  /// The derivation in the closure of `roots` that makes the output path: the
  /// oldest Nix names failures by it.
  std::optional<std::string> maker_of_output(
      const std::vector<std::string>& roots, std::string_view output);
  /// The path of `name`, or of the first output where it has none of that name.
  std::optional<std::string> output_path(const std::string& drv,
                                         std::string_view name = "out");

  /// Those of the paths that are valid in the store.
  std::vector<std::string> valid(const std::vector<std::string>& paths);
  bool is_built(const std::string& drv);

  /// `nix-store --add-fixed sha256 FILE`: the path it got. The name is the
  /// file's. Throws Error.
  std::string add_fixed(const std::filesystem::path& file);

  /// A GC root for a valid path that is no .drv, in the state folder.
  void hold(const std::string& path);

 private:
  World& world_;
  Invocation invocation_;
  std::map<std::string, std::unique_ptr<Derivation>> derivations_;
  int roots_ = 0;

  std::vector<std::string> runtime_inputs(const std::string& drv);
};

}  // namespace autopin::nix
