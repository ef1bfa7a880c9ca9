#include "fix/set_override.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "fix/doors.h"
#include "fix/namer.h"

namespace autopin::fix {
namespace {

using nix::ExprId;
using nix::Source;

/// Bindings `attribute = …;` for the inside of packageOverrides.
std::optional<std::string> entry_bindings(const std::vector<SetEntry>& entries,
                                          const std::string& self,
                                          const std::string& super,
                                          const NixText::Speller& top) {
  const auto spell = [&](const SetRef& ref) -> std::optional<std::string> {
    if (ref.from == SetRef::From::python)
      return self + "." + ref.attribute;
    return top(ref);
  };
  std::string text;
  for (const auto& entry : entries) {
    const std::string name = nix::attr_name(entry.attribute);
    const auto changed =
        entry.value ? entry.value
                    : override_text(super + "." + name, entry.functions, true,
                                    entry.change);
    const auto value = changed ? changed->spell(spell) : std::nullopt;
    if (!value)
      return std::nullopt;
    if (!entry.comment.empty())
      text += "# " + replace_all(entry.comment, "\n", " ") + "\n";
    text += name + " = " + *value + ";\n";
  }
  return text;
}

std::string package_overrides(const std::string& bindings) {
  std::string inside = bindings;
  if (!inside.empty())
    inside.pop_back();
  return ".override {\n  packageOverrides = self: super: {\n    " +
         indented(inside, "    ") + "\n  };\n}";
}

/// The draft has a packageOverrides already: entries go into it.
std::optional<FileEdits> extend(const PythonSet& set,
                                const OverriddenInterpreter& there,
                                const std::vector<SetEntry>& entries) {
  const Situation& situation = set.situation();
  const Source& source = situation.source(there.file);
  FileEdits edits;
  auto& out = edits[there.file];
  if (there.attrset) {
    Namer namer(situation, there.file, *there.attrset, &set);
    for (const auto& entry : entries) {
      if (source.find_binding(*there.attrset, entry.attribute) != nullptr)
        return std::nullopt;  // its own place is the better one
      SetEntry bare = entry;
      bare.comment.clear();
      auto text =
          entry_bindings({bare}, there.self, there.super,
                         [&](const SetRef& ref) { return namer.spell(ref); });
      if (!text)
        return std::nullopt;
      text->pop_back();
      out.push_back(
          nix::add_binding(source, *there.attrset, {*text, entry.comment}));
    }
    out.insert(out.end(), namer.edits().begin(), namer.edits().end());
    return edits;
  }
  Namer namer(situation, there.file, there.value, &set);
  auto text = entry_bindings(entries, "self", "prev", [&](const SetRef& ref) {
    return namer.spell(ref);
  });
  if (!text)
    return std::nullopt;
  text->pop_back();
  out = nix::wrap_expr(source, there.value, "self: super: let\n  earlier = (",
                       ") self super;\n  prev = super // earlier;\nin earlier "
                       "// {\n  " +
                           indented(*text, "  ") + "\n}");
  return edits;
}

/// One door: it becomes the overridden set where it stands.
std::optional<FileEdits> replace_one(const PythonSet& set, const Door& door,
                                     const std::vector<SetEntry>& entries) {
  const Situation& situation = set.situation();
  const Source& source = situation.source(door.file);
  Namer namer(situation, door.file, door.expr, &set);
  const auto bindings =
      entry_bindings(entries, "self", "super",
                     [&](const SetRef& ref) { return namer.spell(ref); });
  if (!bindings)
    return std::nullopt;
  const std::string indent = nix::indentation_at(source, door.range.begin);
  const std::string text = "(" + door.root + door.interpreter_name() +
                           indented(package_overrides(*bindings), indent) +
                           ")" + (door.is_set ? ".pkgs" : "");
  FileEdits edits;
  edits[door.file].push_back({door.range, text});
  auto& out = edits[door.file];
  out.insert(out.end(), namer.edits().begin(), namer.edits().end());
  return edits;
}

/// Several doors: a `let` that all of them see binds the overridden set to the
/// names that they use.
std::optional<FileEdits> bind_all(const PythonSet& set,
                                  const std::vector<Door>& doors,
                                  const std::vector<SetEntry>& entries) {
  const Situation& situation = set.situation();
  const auto& file = doors.front().file;
  const Source& source = situation.source(file);
  const auto host = let_host(source, doors);
  if (!host)
    return std::nullopt;
  Namer namer(situation, file, host->body, &set);
  const auto bindings =
      entry_bindings(entries, "self", "super",
                     [&](const SetRef& ref) { return namer.spell(ref); });
  if (!bindings)
    return std::nullopt;

  const std::string root =
      doors.front().root.empty() ? "pkgs." : doors.front().root;
  const std::string main = doors.front().interpreter_name();
  std::vector<std::string> lines{main + " = " + root + main +
                                 package_overrides(*bindings) + ";"};
  std::set<std::string> bound{main};
  FileEdits edits;
  auto& out = edits[file];
  for (const Door& door : doors) {
    if (bound.insert(door.name).second)
      lines.push_back(door.name + " = " + main + (door.is_set ? ".pkgs" : "") +
                      ";");
    if (!door.root.empty())
      out.push_back(
          {{door.range.begin, door.range.begin + door.root.size()}, ""});
  }
  if (host->let != nix::no_expr) {
    for (const auto& name : bound)
      if (source.find_binding(host->let, name) != nullptr)
        return std::nullopt;
    for (const auto& line : lines)
      out.push_back(nix::add_binding(source, host->let, {line, ""}));
  } else {
    const std::size_t at = source.at(host->body).range.begin;
    const std::string indent = nix::indentation_at(source, at);
    out.push_back({{at, at},
                   "let\n" + indent + "  " +
                       indented(join(lines, "\n"), indent + "  ") + "\n" +
                       indent + "in\n" + indent});
  }
  out.insert(out.end(), namer.edits().begin(), namer.edits().end());
  return edits;
}

}  // namespace

std::optional<FileEdits> override_in_set(const PythonSet& set,
                                         const std::vector<SetEntry>& entries) {
  const Situation& situation = set.situation();
  const auto there = overridden_interpreter(situation, set);
  const auto doors = root_doors(situation, set);
  if (there)
    return extend(set, *there, entries);
  if (doors.empty())
    return std::nullopt;
  if (doors.size() == 1)
    return replace_one(set, doors.front(), entries);
  const bool one_file =
      std::all_of(doors.begin(), doors.end(), [&](const Door& door) {
        return door.file == doors.front().file &&
               door.root == doors.front().root;
      });
  if (!one_file)
    return std::nullopt;
  return bind_all(set, doors, entries);
}

}  // namespace autopin::fix
