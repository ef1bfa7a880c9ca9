#pragma once
// The relative path literals of a Nix file. A file of a draft may have to be
// evaluated from another folder than its own (an instrumented copy of it); its
// paths must then be spelled so that they mean what they meant.

#include <string>
#include <string_view>
#include <vector>

#include "nix/source.h"

namespace autopin::nix {

struct PathLiteral {
  ExprId id = no_expr;
  Range range;
  std::string text;  ///< As it stands: "./x", "../x/y", "./${z}".
  bool interpolated = false;
};

/// ./x, ../x and x/y; not /x, ~/x or <x>.
std::vector<PathLiteral> relative_paths(const Source& source);

/// The file's text with each relative path literal made absolute, `folder`
/// (absolute) being where the file is. The path's meaning and its base name,
/// which becomes part of a store path, stay: ./. in /a/b becomes /a/b.
std::string with_absolute_paths(const Source& source, std::string_view folder);

/// The path that a literal without interpolation names, seen from `folder`, as
/// Nix's canonPath has it: no `.`, no `..`, links not followed.
std::string absolute_path(std::string_view folder, std::string_view literal);

}  // namespace autopin::nix
