#include "nix/draft_paths.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "nix/edit.h"

namespace autopin::nix {
namespace {

/// Whether a path literal may hold it as it is (lexer.l, PATH_CHAR).
bool is_literal_path(std::string_view path) {
  return std::all_of(path.begin(), path.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("._-+/").find(static_cast<char>(c)) !=
               std::string_view::npos;
  });
}

/// `path` as an expression. "/" alone is no literal.
std::string spelled(const std::string& path) {
  if (path == "/")
    return "/.";
  return is_literal_path(path) ? path : "(/. + " + quote(path) + ")";
}

std::string_view without_slash(std::string_view folder) {
  while (folder.ends_with('/'))
    folder.remove_suffix(1);
  return folder;
}

/// Only what stands before the first interpolation changes, so that paths
/// within the interpolations can change too.
std::vector<Edit> edits_of_interpolated(const Source& source,
                                        const PathLiteral& path,
                                        std::string_view folder) {
  const std::size_t length = path.text.find("${");
  const Range head = {path.range.begin, path.range.begin + length};
  std::string_view start = source.text_of(head);
  if (start.starts_with("./"))
    start.remove_prefix(2);
  const std::string absolute =
      std::string(without_slash(folder)) + "/" + std::string(start);
  if (is_literal_path(absolute))
    return {{head, absolute}};
  const std::string quoted = quote(absolute);
  return {{head, "(/. + " + quoted.substr(0, quoted.size() - 1)},
          {{path.range.end, path.range.end}, "\")"}};
}

}  // namespace

std::vector<PathLiteral> relative_paths(const Source& source) {
  std::vector<PathLiteral> paths;
  for (ExprId id = 0; id < source.size(); ++id) {
    const Expr& expr = source.at(id);
    const std::string_view text = source.text_of(id);
    if (expr.kind == ExprKind::path && !text.starts_with('/') &&
        !text.starts_with('~'))
      paths.push_back(
          {id, expr.range, std::string(text), !expr.literal.has_value()});
  }
  return paths;
}

std::string absolute_path(std::string_view folder, std::string_view literal) {
  std::vector<std::string> kept;
  const std::string joined = std::string(folder) + "/" + std::string(literal);
  for (const std::string& name : split(joined, '/')) {
    if (name.empty() || name == ".")
      continue;
    if (name != "..")
      kept.push_back(name);
    else if (!kept.empty())
      kept.pop_back();
  }
  return "/" + join(kept, "/");
}

std::string with_absolute_paths(const Source& source, std::string_view folder) {
  EditSet edits;
  for (const PathLiteral& path : relative_paths(source)) {
    if (path.interpolated)
      edits.add_all(edits_of_interpolated(source, path, folder));
    else
      edits.add({path.range, spelled(absolute_path(folder, path.text))});
  }
  return edits.apply(source.text());
}

}  // namespace autopin::nix
