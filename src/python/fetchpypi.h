#pragma once
// nixpkgs's fetchPypi rebuilds a file's URL from name, version and tags. This
// says which arguments give back exactly the chosen file, or that none do.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "python/index.h"

namespace autopin::python {

/// Arguments in the order in which they are written, as plain strings:
/// pname, version, then what differs from fetchPypi's defaults (extension;
/// format = "wheel", dist, python, abi, platform).
struct FetchPypi {
  std::vector<std::pair<std::string, std::string>> arguments;
  /// The name of the store path and file: what `nix-store --add-fixed` needs.
  std::string filename;
};

/// Nothing where only fetchurl can express the file: a wheel with a build
/// number, or an extension that no package would be unpacked by. pname and
/// version are as the file spells them.
///
/// `has_dist`: the set's fetchPypi takes `dist` (nixpkgs since 19.09); before,
/// the folder of a wheel in the URL was its `python` argument as well.
std::optional<FetchPypi> to_fetch_pypi(const IndexFile& file,
                                       bool has_dist = true);

}  // namespace autopin::python
