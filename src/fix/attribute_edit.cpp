#include "fix/attribute_edit.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "nix/layout.h"

namespace autopin::fix {
namespace {

using nix::Binding;
using nix::Expr;
using nix::ExprId;
using nix::ExprKind;
using nix::Source;
using Op = AttrChange::Op;

/// Derivation attributes of a Python package that only its builder function
/// reads, and what they become before mkDerivation sees them.
std::string as_derivation_attribute(const std::string& attribute) {
  if (attribute == "doCheck")
    return "doInstallCheck";
  if (attribute == "checkPhase")
    return "installCheckPhase";
  if (attribute == "dependencies")
    return "propagatedBuildInputs";
  if (attribute == "checkInputs" || attribute == "nativeCheckInputs" ||
      attribute == "build-system")
    return "nativeBuildInputs";
  return attribute;
}

/// The list at the end of `with x; [ … ]`, `a ++ [ … ]`, `[ … ] ++ a`,
/// `toString [ … ]`.
std::optional<ExprId> literal_list(const Source& source, ExprId value) {
  value = nix::innermost(source, value);
  const Expr& expr = source.at(value);
  if (expr.kind == ExprKind::list)
    return value;
  if (expr.kind == ExprKind::apply &&
      source.text_of(expr.function) == "toString")
    return literal_list(source, expr.argument);
  if (expr.kind == ExprKind::binary && expr.op == "++" &&
      expr.children.size() == 2) {
    if (auto right = literal_list(source, expr.children[1]))
      return right;
    return literal_list(source, expr.children[0]);
  }
  return std::nullopt;
}

std::string shell_block(const std::vector<std::string>& lines) {
  std::string block = "''\n";
  for (const auto& line : lines)
    block += "  " + nix::escape_indented(line) + "\n";
  return block + "''";
}

bool is_string(const Source& source, ExprId id) {
  const ExprKind kind = source.at(id).kind;
  return kind == ExprKind::string || kind == ExprKind::indented_string;
}

/// What an attribute becomes where it is not there yet; `old` is what it was,
/// "" where it was not.
NixText new_value(const AttrChange& change, const std::string& old) {
  switch (change.op) {
    case Op::set:
      return change.values.front();
    case Op::append_lines:
      return (old.empty() ? "" : "(" + old + " or \"\") + ") +
             shell_block(change.lines);
    case Op::drop_items:
      return "builtins.filter (" + change.values.front() + ") (" + old +
             " or [ ])";
    case Op::append_items:
      break;
  }
  if (change.variable) {
    const std::string words = join(change.words, " ");
    return old.empty()
               ? nix::quote(words)
               : "toString (" + old + " or \"\") + " + nix::quote(" " + words);
  }
  const bool on_lines =
      std::any_of(change.values.begin(), change.values.end(),
                  [](const auto& v) { return v.has_lines(); });
  NixText items = on_lines ? "[\n" : "[ ";
  for (const auto& value : change.values)
    items += on_lines ? "  (" + value.indented("  ") + ")\n" : value + " ";
  return (old.empty() ? "" : "(" + old + " or [ ]) ++ ") + items + "]";
}

/// Where an attribute is said: the binding that it has, or the { } to put one
/// into, by which name.
struct Slot {
  const Binding* binding = nullptr;
  ExprId attrset = nix::no_expr;
  std::string name;
  bool in_env = false;    ///< A new one, and `env` is not written out there.
  bool has_some = false;  ///< Others of `env` are: `env.OTHER = …;`
};

std::optional<Slot> slot_for(const Source& source, const Place& place,
                             const AttrChange& change, std::string name) {
  for (const auto& other : change.or_existing)
    if (source.find_binding(place.attrset, name) == nullptr &&
        source.find_binding(place.attrset, other) != nullptr)
      name = other;
  Slot slot{source.find_binding(place.attrset, name), place.attrset, name,
            change.in_env};
  if (slot.binding != nullptr || !change.variable)
    return slot;
  for (const Binding& binding : source.at(place.attrset).bindings) {
    if (binding.path.empty() || binding.path.front().text != "env")
      continue;
    if (binding.is_inherit)
      return std::nullopt;
    if (binding.path.size() == 1) {
      const ExprId value = source.strip(binding.value);
      if (source.at(value).kind != ExprKind::attrset)
        return std::nullopt;
      return Slot{source.find_binding(value, name), value, name};
    }
    if (binding.path.size() == 2 && binding.path.back().text == name)
      return Slot{&binding, place.attrset, name};
    slot.in_env = slot.has_some = true;
  }
  return slot;
}

/// The parameter of `finalAttrs: { … }`, "" where there is none.
std::string parameter_of(const Source& source, ExprId attrset) {
  const ExprId parent = source.at(attrset).parent;
  if (parent == nix::no_expr || source.at(parent).kind != ExprKind::function ||
      source.at(parent).has_formals)
    return {};
  return source.at(parent).name;
}

/// The change with what it says by the name of another attribute spelled out.
AttrChange with_names(const Source& source, const Place& place,
                      AttrChange change, const std::string& previous) {
  const std::string same_as = std::move(change.same_as);
  change.same_as.clear();
  if (same_as.empty() || change.op != Op::set)
    return change;
  const Binding* other = source.find_binding(place.attrset, same_as);
  const std::string parameter = parameter_of(source, place.attrset);
  if (other != nullptr &&
      (source.at(place.attrset).is_rec ||
       (other->is_inherit && other->inherit_from == nix::no_expr)))
    change.values = {same_as};
  else if (other != nullptr && place.kind == Place::Kind::builder &&
           !parameter.empty())
    change.values = {parameter + "." + same_as};
  else if (other == nullptr && !previous.empty())
    change.values = {previous + "." + same_as};
  return change;
}

/// What an item of a list is called: a string is itself, a path its last part,
/// what is fetched the name it is given or has in its URL.
std::optional<std::string> name_of_item(const Source& source, ExprId item) {
  const Expr& expr = source.at(source.strip(item));
  if (expr.kind == ExprKind::string)
    return expr.literal;
  if (expr.kind == ExprKind::path && expr.literal)
    return expr.literal->substr(expr.literal->rfind('/') + 1);
  if (expr.kind == ExprKind::apply)
    if (const auto body = literal_body(source, source.strip(expr.argument)))
      for (const char* attribute : {"name", "url"})
        if (const auto* said = source.find_binding(body->attrset, attribute);
            said != nullptr && !said->is_inherit) {
          const auto& text = source.at(source.strip(said->value)).literal;
          return text ? std::optional(text->substr(text->rfind('/') + 1))
                      : std::nullopt;
        }
  return std::nullopt;
}

/// Takes out of a literal list what `words` name; false where it is not there
/// exactly once.
bool drop_from(const Source& source, ExprId list,
               const std::vector<std::string>& words,
               std::vector<nix::Edit>& edits) {
  const auto& items = source.at(list).items;
  std::size_t dropped = 0;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (const auto name = name_of_item(source, items[i]);
        name && std::find(words.begin(), words.end(), *name) != words.end()) {
      edits.push_back(nix::remove_item(source, list, i));
      ++dropped;
    }
  return dropped == words.size();
}

void wrap(const Source& source, ExprId value, const std::string& before,
          const std::string& after, std::vector<nix::Edit>& edits) {
  for (auto& edit : nix::wrap_expr(source, value, before, after))
    edits.push_back(std::move(edit));
}

/// The comment on a line before the binding, where that begins its line: what
/// is left of it to be said within the value.
std::string comment_above(const Source& source, const Binding& binding,
                          const std::string& comment,
                          std::vector<nix::Edit>& edits) {
  const std::size_t begin = binding.range.begin;
  if (comment.empty() || !nix::starts_line(source, begin))
    return comment;
  edits.push_back({{begin, begin},
                   "# " + nix::one_line(comment) + nix::line_end_of(source) +
                       nix::indentation_at(source, begin)});
  return {};
}

/// Into the value that is there. The spelled values are `values`.
bool edit_value(const Source& source, const AttrChange& change,
                const Binding& binding, const std::vector<std::string>& values,
                std::vector<nix::Edit>& edits) {
  const ExprId value = binding.value;
  const ExprId inner = source.strip(value);
  const auto list = literal_list(source, value);
  switch (change.op) {
    case Op::set:
      edits.push_back(nix::replace_expr(source, value, values.front()));
      return true;
    case Op::append_lines:
      if (is_string(source, inner)) {
        edits.push_back(nix::append_lines(
            source, inner, {join(change.lines, "\n"), change.comment}));
      } else {
        std::vector<std::string> lines = change.lines;
        lines.insert(lines.begin(), "# " + change.comment);
        wrap(source, inner, "(", ") + " + shell_block(lines), edits);
      }
      return true;
    case Op::drop_items: {
      std::vector<nix::Edit> dropped;
      if (list && drop_from(source, *list, change.words, dropped)) {
        edits.insert(edits.end(), dropped.begin(), dropped.end());
      } else {
        comment_above(source, binding, change.comment, edits);
        wrap(source, inner, "builtins.filter (" + values.front() + ") (", ")",
             edits);
      }
      return true;
    }
    case Op::append_items:
      break;
  }
  if (list) {
    bool first = true;
    for (const auto& item : values) {
      edits.push_back(nix::append_item(
          source, *list,
          {nix::as_item(item), first ? change.comment : std::string()}));
      first = false;
    }
  } else if (!change.words.empty() && is_string(source, inner)) {
    edits.push_back(nix::append_words(
        source, inner,
        {join(change.words, " "),
         comment_above(source, binding, change.comment, edits)}));
  } else if (change.variable) {
    comment_above(source, binding, change.comment, edits);
    wrap(source, inner, "toString (",
         ") + " + nix::quote(" " + join(change.words, " ")), edits);
  } else {
    std::string items;
    for (const auto& item : values)
      items += nix::as_item(item) + " ";
    wrap(source, inner, "(", ") ++ [ " + items + "]", edits);
  }
  return true;
}

}  // namespace

std::string attribute_for(const std::string& attribute,
                          const std::string& function, bool is_python) {
  const bool low =
      function == "overrideAttrs" || function == "overrideDerivation";
  return is_python && low ? as_derivation_attribute(attribute) : attribute;
}

std::string comment_lines(const std::string& comment) {
  return comment.empty() ? std::string()
                         : "# " + replace_all(comment, "\n", " ") + "\n";
}

bool needs_previous(const AttrChange& change) {
  return change.op != Op::set || (change.variable && change.in_env) ||
         !change.same_as.empty();
}

NixText new_binding(const AttrChange& change, const std::string& attribute,
                    const std::string& previous) {
  const std::string name = nix::attr_name(attribute);
  const bool in_env = change.variable && change.in_env;
  AttrChange said = change;
  if (!previous.empty() && !change.same_as.empty() && change.op == Op::set)
    said.values = {previous + "." + change.same_as};
  if (in_env && !previous.empty())
    return "env = (" + previous + ".env or { }) // {\n  " + name + " = " +
           new_value(said, previous + ".env." + name) + ";\n};";
  const std::string old =
      previous.empty() ? std::string() : previous + "." + name;
  return (in_env ? "env." : "") + name + " = " + new_value(said, old) + ";";
}

bool edit_attribute(const Situation& situation, const Place& place,
                    const AttrChange& wanted, const PythonSet* python,
                    const std::string& previous,
                    std::vector<nix::Edit>& edits) {
  const Source& source = situation.source(place.file);
  const bool is_python = place.record.has_override_python_attrs ||
                         place.function.starts_with("buildPython") ||
                         python != nullptr;
  const auto slot =
      slot_for(source, place, wanted,
               attribute_for(wanted.attribute, place.function, is_python));
  if (!slot || (slot->binding != nullptr && slot->binding->is_inherit))
    return false;
  AttrChange change = with_names(source, place, wanted, previous);
  change.in_env = slot->in_env;
  const auto list = slot->binding != nullptr && change.op == Op::append_items
                        ? literal_list(source, slot->binding->value)
                        : std::nullopt;
  Namer namer(situation, place.file, list.value_or(slot->attrset), python);
  const auto spell = [&](const SetRef& ref) { return namer.spell(ref); };
  if (slot->binding == nullptr) {
    // Nothing can be taken out of what is not there.
    if (change.op == Op::drop_items && previous.empty())
      return false;
    // What the place says of `env` is all that there is of it.
    const auto text =
        new_binding(change, slot->name, slot->has_some ? "" : previous)
            .spell(spell);
    if (!text)
      return false;
    edits.push_back(
        nix::add_binding(source, slot->attrset, {*text, change.comment}));
  } else {
    std::vector<std::string> values;
    for (const auto& value : change.values) {
      const auto text = value.spell(spell);
      if (!text)
        return false;
      values.push_back(*text);
    }
    if (!edit_value(source, change, *slot->binding, values, edits))
      return false;
  }
  edits.insert(edits.end(), namer.edits().begin(), namer.edits().end());
  return true;
}

}  // namespace autopin::fix
