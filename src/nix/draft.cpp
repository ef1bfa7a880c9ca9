#include "nix/draft.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "nix/derivation.h"

namespace autopin::nix {

namespace {

namespace fs = std::filesystem;

/// Relative paths in a file are seen from where its links end, as Nix has it
/// (libexpr/parser.y: resolveExprPath): the file's own links, not its folders'.
fs::path follow_links(World& world, fs::path file) {
  constexpr int most_links = 40;  // As the kernel's own bound.
  for (int i = 0; i < most_links; ++i) {
    const CommandResult link =
        world.commands.run({.argv = {"readlink", "--", file.string()}});
    if (link.exit_code != 0)
      return file;
    file =
        (file.parent_path() / std::string(trim(link.out))).lexically_normal();
  }
  throw Error("reading the draft", file.string(), "too many links");
}

bool is_below(const fs::path& file, const fs::path& folder) {
  const auto [end, at] =
      std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  // "/a/" ends in an empty element.
  return end == folder.end() ||
         (end->empty() && std::next(end) == folder.end());
}

bool is_in_store(const fs::path& file) {
  const auto paths = store_paths(file.string());
  return !paths.empty() && file.string().rfind(paths.front(), 0) == 0;
}

}  // namespace

Draft Draft::open(World& world, const Invocation& invocation) {
  if (invocation.expression) {
    return {invocation.folder / "(expression)", *invocation.expression, false};
  }
  fs::path entry = invocation.entry.lexically_normal();
  if (!entry.has_filename())
    entry = entry.parent_path();
  if (world.files.exists(entry / "default.nix"))
    entry /= "default.nix";
  entry = follow_links(world, std::move(entry));
  const auto text = world.files.read(entry);
  const fs::path folder =
      entry.filename() == "default.nix" ? entry.parent_path() : entry;
  if (!text && world.files.exists(folder))
    throw Error("reading the draft", folder.string(), "it has no default.nix");
  if (!text)
    throw Error("reading the draft", entry.string(), "no such file");
  return {entry, *text, true};
}

Draft::Draft(fs::path entry, const std::string& text, bool on_disk)
    : entry_(std::move(entry)), on_disk_(on_disk) {
  add_file(entry_, text);
}

void Draft::add_file(const fs::path& file, const std::string& text) {
  files_[file] = {text, text};
}

void Draft::remove_file(const fs::path& file) {
  files_.erase(file);
}

bool Draft::has(const fs::path& file) const {
  return files_.count(file) != 0;
}

std::vector<fs::path> Draft::files() const {
  std::vector<fs::path> names;
  if (has(entry_))
    names.push_back(entry_);
  for (const auto& [name, file] : files_) {
    if (name != entry_)
      names.push_back(name);
  }
  return names;
}

const std::string& Draft::text(const fs::path& file) const {
  return files_.at(file).current;
}

const std::string& Draft::original(const fs::path& file) const {
  return files_.at(file).original;
}

void Draft::set_text(const fs::path& file, std::string text) {
  files_.at(file).current = std::move(text);
}

bool Draft::changed() const {
  return std::any_of(files_.begin(), files_.end(), [](const auto& entry) {
    return entry.second.original != entry.second.current;
  });
}

bool Draft::changed(const fs::path& file) const {
  const File& one = files_.at(file);
  return one.original != one.current;
}

std::string Draft::state() const {
  std::string all;
  for (const auto& [name, file] : files_) {
    // Lengths before contents, so that no two drafts are spelled alike.
    all += std::to_string(name.native().size()) + ':' + name.native() +
           std::to_string(file.current.size()) + ':' + file.current;
  }
  return to_hex(sha256(all));
}

std::vector<fs::path> evaluated_files(std::string_view log) {
  constexpr std::string_view marker = "evaluating file '";
  std::vector<fs::path> files;
  for (const std::string_view line : lines_of(log)) {
    const std::size_t at = line.find(marker);
    const std::size_t end = line.rfind('\'');
    if (at == std::string_view::npos)
      continue;
    const std::size_t begin = at + marker.size();
    if (end == std::string_view::npos || end < begin)
      continue;
    // Where standard error is a terminal's the path is coloured.
    std::string name;
    for (std::size_t i = begin; i < end; ++i) {
      if (line[i] == '\x1b') {
        i = std::min(line.find('m', i), end);
        continue;
      }
      name.push_back(line[i]);
    }
    if (name.empty() || name.front() != '/')
      continue;
    const fs::path file = fs::path(name).lexically_normal();
    if (std::find(files.begin(), files.end(), file) == files.end()) {
      files.push_back(file);
    }
  }
  return files;
}

std::vector<fs::path> local_files(const std::vector<fs::path>& read,
                                  const std::vector<fs::path>& search_path,
                                  const fs::path& entry) {
  std::set<fs::path> foreign;
  for (const fs::path& folder : search_path) {
    if (!is_below(entry, folder))
      foreign.insert(folder);
  }
  // A package set that the draft imports by its path (a submodule, say).
  for (const fs::path& file : read) {
    for (fs::path folder = file.parent_path(); folder.has_relative_path();
         folder = folder.parent_path()) {
      if (folder.filename() == "top-level" &&
          folder.parent_path().filename() == "pkgs") {
        const fs::path checkout = folder.parent_path().parent_path();
        if (!is_below(entry, checkout))
          foreign.insert(checkout);
      }
    }
  }
  std::vector<fs::path> local;
  for (const fs::path& file : read) {
    const bool is_foreign = std::any_of(
        foreign.begin(), foreign.end(),
        [&](const fs::path& folder) { return is_below(file, folder); });
    if (file != entry && !is_foreign && !is_in_store(file)) {
      local.push_back(file);
    }
  }
  return local;
}

}  // namespace autopin::nix
