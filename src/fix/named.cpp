#include "fix/named.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "fix/scope.h"

namespace autopin::fix {
namespace {

using nix::Expr;
using nix::ExprId;
using nix::ExprKind;
using nix::Source;
using Form = NamedReference::Form;

void collect(const Source& source, const std::filesystem::path& file,
             std::string_view name, std::vector<NamedReference>& found) {
  for (ExprId id = 0; id < source.size(); ++id) {
    const Expr& expr = source.at(id);
    if (expr.kind == ExprKind::variable && expr.name == name) {
      const auto kind = binder_of(source, id, name).kind;
      if (kind == Binder::Kind::with || kind == Binder::Kind::global)
        found.push_back({Form::variable, file, id, expr.range, 0});
    }
    if (expr.kind == ExprKind::select)
      for (const auto& part : expr.attrpath)
        if (part.text == name)
          found.push_back({Form::selected, file, id, part.range, 0});
    for (std::size_t i = 0; i < expr.bindings.size(); ++i)
      if (expr.bindings[i].is_inherit)
        for (const auto& part : expr.bindings[i].path)
          if (part.text == name)
            found.push_back({Form::inherited, file, id, part.range, i});
  }
}

std::string squeezed(std::string_view name) {
  std::string plain;
  for (const char c : to_lower(std::string(name)))
    if (c != '-' && c != '_' && c != '.' && c != '+')
      plain += c;
  return plain;
}

}  // namespace

std::vector<NamedReference> references_to(const Situation& situation,
                                          std::string_view name) {
  std::vector<NamedReference> found;
  for (const auto& file : situation.draft().files())
    collect(situation.source(file), file, name, found);
  return found;
}

void edit_name(const Situation& situation, const NamedReference& reference,
               const std::string& replacement, FileEdits& edits) {
  const Source& source = situation.source(reference.file);
  auto& here = edits[reference.file];
  if (reference.form != Form::inherited) {
    here.push_back({reference.range, replacement});
    return;
  }
  const auto& binding = source.at(reference.expr).bindings[reference.binding];
  const std::string name(source.text_of(reference.range));
  std::string from;
  if (binding.inherit_from != nix::no_expr)
    from = "(" + std::string(source.text_of(binding.inherit_from)) + ").";
  const std::string bound = name + " = " + from + replacement + ";";
  if (binding.path.size() == 1) {
    here.push_back({binding.range, bound});
    return;
  }
  // The others stay inherited; the blank before the name goes with it.
  nix::Range range = reference.range;
  while (range.begin > 0 && source.text()[range.begin - 1] == ' ')
    --range.begin;
  here.push_back({range, ""});
  here.push_back({{binding.range.end, binding.range.end}, " " + bound});
}

std::optional<DraftPosition> draft_position(const Situation& situation,
                                            std::string_view text) {
  std::vector<std::string> parts = split(std::string(text), ':');
  std::vector<std::size_t> numbers;
  while (parts.size() > 1) {
    std::size_t number = 0;
    const auto& last = parts.back();
    const auto end = last.data() + last.size();
    if (std::from_chars(last.data(), end, number).ptr != end || last.empty())
      break;
    numbers.push_back(number);
    parts.pop_back();
  }
  const std::filesystem::path file = join(parts, ":");
  if (numbers.empty() || !situation.draft().has(file))
    return std::nullopt;
  return DraftPosition{file, numbers.back()};
}

std::vector<std::string> other_spellings(const Tables& tables,
                                         const std::string& name) {
  std::vector<std::string> names;
  const auto add = [&](std::string other) {
    if (other != name && nix::is_identifier(other) &&
        std::find(names.begin(), names.end(), other) == names.end())
      names.push_back(std::move(other));
  };
  for (const auto& row : tables.rows_with("python-attributes", name))
    for (const auto& other : row)
      add(other);
  // A Python package asked for by the name that it is imported by.
  for (const auto& distribution : tables.find("import-names", name)) {
    const std::string other = to_lower(distribution);
    add(other);
    for (const auto& row : tables.rows_with("python-attributes", other))
      for (const auto& attribute : row)
        add(attribute);
    add(distribution);
    add(replace_all(other, "-", "_"));
    add(replace_all(other, "-", ""));
  }
  add(replace_all(name, "_", "-"));
  add(replace_all(name, "-", "_"));
  add(replace_all(replace_all(name, "-", ""), "_", ""));
  add(to_lower(name));
  return names;
}

bool same_but_spelling(std::string_view a, std::string_view b) {
  return squeezed(a) == squeezed(b);
}

bool is_plain_path(std::string_view text) {
  const auto parts = split(std::string(text), '.');
  return !parts.empty() &&
         std::all_of(parts.begin(), parts.end(), [](const std::string& part) {
           return nix::is_identifier(part);
         });
}

}  // namespace autopin::fix
