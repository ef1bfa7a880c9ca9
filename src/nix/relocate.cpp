#include "nix/relocate.h"

#include <algorithm>
#include <optional>

#include "nix/draft_paths.h"
#include "nix/edit.h"
#include "nix/source.h"

namespace autopin::nix {

namespace {

namespace fs = std::filesystem;
using Copies = std::map<fs::path, fs::path>;

/// Finds copies of files that a computed path leads to, while evaluating.
constexpr const char* locator = "__autopin_at";

struct Named {
  ExprId expr = no_expr;
  fs::path path;  ///< Computed: the folder that its literal start names.
  bool computed = false;
};

/// The path literal that an addition starts with: `./a + "/b" + c`.
std::optional<ExprId> first_operand(const Source& source, ExprId id) {
  for (;;) {
    id = source.strip(id);
    const Expr& expr = source.at(id);
    if (expr.kind == ExprKind::path)
      return id;
    if (expr.kind != ExprKind::binary || expr.op != "+" ||
        expr.children.empty()) {
      return std::nullopt;
    }
    id = expr.children.front();
  }
}

bool is_operand_of_sum(const Source& source, ExprId id) {
  ExprId parent = source.at(id).parent;
  while (parent != no_expr &&
         source.at(parent).kind == ExprKind::parenthesized) {
    parent = source.at(parent).parent;
  }
  return parent != no_expr && source.at(parent).kind == ExprKind::binary &&
         source.at(parent).op == "+";
}

fs::path folder_of_start(const Source& source, ExprId literal,
                         const fs::path& folder) {
  std::string start(source.text_of(literal));
  start = start.substr(0, start.find("${"));
  const bool whole = source.at(literal).literal.has_value();
  if (!whole)
    start = start.substr(0, start.rfind('/') + 1);
  return absolute_path(start.starts_with('/') ? "/" : folder.string(), start);
}

std::vector<Named> named_in(const Source& source, const fs::path& folder) {
  std::vector<Named> found;
  for (ExprId id = 0; id < source.size(); ++id) {
    const Expr& expr = source.at(id);
    const bool sum = expr.kind == ExprKind::binary && expr.op == "+";
    if (expr.kind != ExprKind::path && !sum)
      continue;
    if (is_operand_of_sum(source, id))
      continue;  // The outermost sum counts.
    const auto literal = first_operand(source, id);
    if (!literal || source.text_of(*literal).starts_with('~'))
      continue;
    const bool computed = sum || !expr.literal;
    found.push_back({id, folder_of_start(source, *literal, folder), computed});
  }
  return found;
}

bool is_below(const fs::path& file, const fs::path& folder) {
  if (folder == "/")
    return true;
  return file.native().rfind(folder.native() + "/", 0) == 0;
}

/// A folder is imported by its default.nix. As a source, or inside a string,
/// it means the folder itself.
bool is_imported(const Source& source, ExprId id) {
  const ExprId parent = source.at(id).parent;
  if (parent == no_expr)
    return false;
  const ExprKind kind = source.at(parent).kind;
  return kind == ExprKind::apply || kind == ExprKind::list;
}

std::optional<fs::path> file_named(const Draft& draft, const Source& source,
                                   const Named& named) {
  if (named.computed)
    return std::nullopt;
  if (draft.has(named.path))
    return named.path;
  const fs::path inside = named.path / "default.nix";
  if (draft.has(inside) && is_imported(source, named.expr))
    return inside;
  return std::nullopt;
}

std::set<fs::path> names_of(const Draft& draft, const fs::path& file,
                            const std::string& text) {
  std::set<fs::path> found;
  const Source source = Source::parse(text);
  if (source.has_errors())
    return found;
  for (const Named& named : named_in(source, file.parent_path())) {
    if (const auto target = file_named(draft, source, named)) {
      found.insert(*target);
    }
    if (!named.computed)
      continue;
    for (const fs::path& other : draft.files()) {
      if (is_below(other, named.path))
        found.insert(other);
    }
  }
  return found;
}

std::string as_path(const fs::path& path) {
  return "(/. + " + quote(path.native()) + ")";
}

/// One line, since positions in the text after it should stay.
std::string locating_header(const Copies& copies) {
  std::string header = "let " + std::string(locator) + " = p: {";
  for (const auto& [file, copy] : copies) {
    header += " " + quote(file.native()) + " = " + as_path(copy) + ";";
  }
  return header + " }.${toString p} or p; in (";
}

std::string relocated_text(const Draft& draft, const fs::path& file,
                           const std::string& text, const Copies& copies,
                           bool in_place) {
  const Source source = Source::parse(text);
  EditSet edits;
  bool locating = false;
  const fs::path folder = file.parent_path();
  for (const Named& named : named_in(source, folder)) {
    if (const auto target = file_named(draft, source, named)) {
      if (copies.count(*target)) {
        edits.add({source.at(named.expr).range, as_path(copies.at(*target))});
      }
      continue;
    }
    const bool leads_to_copy =
        named.computed &&
        std::any_of(copies.begin(), copies.end(), [&](const auto& copy) {
          return is_below(copy.first, named.path);
        });
    if (!leads_to_copy)
      continue;
    locating = true;
    edits.add_all(
        wrap_expr(source, named.expr, "(" + std::string(locator) + " (", "))"));
  }
  std::string absolute = edits.apply(text);
  if (!in_place) {
    absolute = with_absolute_paths(Source::parse(absolute), folder.string());
  }
  return locating ? locating_header(copies) + absolute + "\n)" : absolute;
}

}  // namespace

std::map<fs::path, std::set<fs::path>> naming(const Draft& draft) {
  std::map<fs::path, std::set<fs::path>> names;
  for (const fs::path& file : draft.files()) {
    names[file] = names_of(draft, file, draft.text(file));
  }
  return names;
}

std::vector<fs::path> unreachable_files(const Draft& draft) {
  const auto names = naming(draft);
  std::set<fs::path> reached = {draft.entry()};
  std::vector<fs::path> todo = {draft.entry()};
  while (!todo.empty()) {
    const fs::path file = std::move(todo.back());
    todo.pop_back();
    for (const fs::path& next : names.at(file)) {
      if (reached.insert(next).second)
        todo.push_back(next);
    }
  }
  std::vector<fs::path> missed;
  for (const fs::path& file : draft.files()) {
    if (!reached.count(file))
      missed.push_back(file);
  }
  return missed;
}

std::vector<fs::path> named_paths(const std::string& text,
                                  const fs::path& folder) {
  std::vector<fs::path> paths;
  const Source source = Source::parse(text);
  for (const Named& named : named_in(source, folder)) {
    if (named.computed)
      continue;
    if (named.path.extension() == ".nix") {
      paths.push_back(named.path);
    } else if (is_imported(source, named.expr)) {
      paths.push_back(named.path / "default.nix");
    }
  }
  return paths;
}

Relocated relocate(const Draft& draft,
                   const std::map<fs::path, std::string>& texts,
                   const std::set<fs::path>& differing, const fs::path& folder,
                   const fs::path& user_folder) {
  // Whoever names a copy must be a copy as well, up to the entry.
  std::map<fs::path, std::set<fs::path>> names;
  for (const auto& [file, text] : texts)
    names[file] = names_of(draft, file, text);
  std::set<fs::path> copied = differing;
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& [file, targets] : names) {
      const bool leads = std::any_of(
          targets.begin(), targets.end(),
          [&](const fs::path& target) { return copied.count(target) != 0; });
      if (leads && copied.insert(file).second)
        grew = true;
    }
  }
  Relocated result;
  const fs::path& entry = draft.entry();
  std::set<fs::path> named;
  for (const fs::path& file : copied) {
    named.insert(names[file].begin(), names[file].end());
  }
  Copies copies;
  for (const fs::path& file : copied) {
    // The entry goes in as text; a copy of it only where a file names it.
    if (file == entry && !named.count(entry))
      continue;
    copies[file] = folder / std::to_string(copies.size()) / file.filename();
  }
  for (const auto& [file, copy] : copies) {
    result.copies[copy] =
        relocated_text(draft, file, texts.at(file), copies, false);
    result.stands_for[copy] = file;
  }
  result.plain = draft.on_disk() && !copied.count(entry);
  if (result.plain)
    return result;
  const std::string& text = texts.at(entry);
  if (!copied.count(entry)) {
    result.entry_text = text;
    result.from_own_folder = true;
    return result;
  }
  // Seen from its own folder the entry's paths need no change, and positions in
  // messages stay those of the draft.
  const bool unreadable = Source::parse(text).has_errors();
  result.from_own_folder = unreadable || entry.parent_path() == user_folder;
  result.entry_text = unreadable ? text
                                 : relocated_text(draft, entry, text, copies,
                                                  result.from_own_folder);
  return result;
}

}  // namespace autopin::nix
