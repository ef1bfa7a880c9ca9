// How a change is written at a place; see place.h.

#include <algorithm>
#include <array>

#include "base/text.h"
#include "fix/attribute_edit.h"

namespace autopin::fix {
namespace {

using nix::ExprId;
using nix::ExprKind;
using nix::Source;

/// Bindings for `.override { … }`.
NixText argument_bindings(const std::vector<ArgumentChange>& arguments) {
  NixText text;
  for (const auto& argument : arguments)
    text += comment_lines(argument.comment) +
            nix::attr_name(argument.argument) + " = " + argument.value + ";\n";
  return text;
}

/// `head{ bindings }tail` on lines; each binding ends with a line end.
NixText block(const NixText& head, const NixText& bindings,
              const std::string& tail) {
  return head + "{" + bindings.as_block("  ") + "}" + tail;
}

bool is_simple(const Source& source, const nix::Range& range) {
  const auto id = source.find(range);
  if (!id)
    return true;  // a part of a select
  const ExprKind kind = source.at(*id).kind;
  return kind == ExprKind::variable || kind == ExprKind::select;
}

/// Arguments given to the package's function, before any other layer.
bool edit_arguments(const Situation& situation, const Place& place,
                    const std::vector<ArgumentChange>& arguments,
                    const PythonSet* python, std::vector<nix::Edit>& edits) {
  const Source& source = situation.source(place.file);
  Namer namer(situation, place.file, place.expr, python);
  const auto spell = [&](const SetRef& ref) { return namer.spell(ref); };
  const auto& layers = place.chain.layers;
  if (!layers.empty() && layers.front().function == "override" &&
      layers.front().attrset) {
    const ExprId attrset = *layers.front().attrset;
    for (const auto& argument : arguments) {
      const auto value = argument.value.spell(spell);
      if (!value)
        return false;
      const auto* binding = source.find_binding(attrset, argument.argument);
      if (binding != nullptr && !binding->is_inherit)
        edits.push_back(nix::replace_expr(source, binding->value, *value));
      else
        edits.push_back(nix::add_binding(
            source, attrset,
            {nix::attr_name(argument.argument) + " = " + *value + ";",
             argument.comment}));
    }
  } else {
    if (place.kind == Place::Kind::builder)
      return false;  // its function is in the draft: no .override to call
    const bool simple = is_simple(source, place.chain.base);
    const std::string indent =
        nix::indentation_at(source, place.chain.base.begin);
    edits.push_back({{place.chain.base.begin, place.chain.base.begin},
                     simple ? "(" : "(("});
    const auto text = block(simple ? ".override " : ").override ",
                            argument_bindings(arguments), ")")
                          .spell(spell);
    if (!text)
      return false;
    edits.push_back({{place.chain.base.end, place.chain.base.end},
                     indented(*text, indent)});
  }
  edits.insert(edits.end(), namer.edits().begin(), namer.edits().end());
  return true;
}

bool needs_parentheses(const Source& source, ExprId expr) {
  const ExprId parent = source.at(expr).parent;
  if (parent == nix::no_expr)
    return false;
  const ExprKind kind = source.at(parent).kind;
  return kind == ExprKind::list || kind == ExprKind::apply ||
         kind == ExprKind::select || kind == ExprKind::binary ||
         kind == ExprKind::unary || kind == ExprKind::has_attr;
}

bool edit_reference(const Situation& situation, const Place& place,
                    const DerivationChange& change, const PythonSet* python,
                    std::vector<nix::Edit>& edits) {
  const Source& source = situation.source(place.file);
  Namer namer(situation, place.file, place.expr, python);
  const auto spell = [&](const SetRef& ref) { return namer.spell(ref); };
  const OverrideFunctions functions{place.record.has_override_python_attrs,
                                    place.record.has_override_attrs,
                                    place.record.has_override_derivation};
  const nix::Range range = source.at(place.expr).range;
  const std::string own(source.text_of(range));
  const auto changed =
      override_text(is_simple(source, range) ? own : "(" + own + ")", functions,
                    python != nullptr, change);
  const auto text = changed ? changed->spell(spell) : std::nullopt;
  if (!text)
    return false;
  // The reference itself stays where it is; what is new goes around it.
  const std::size_t at = text->find(own);
  const std::string indent = nix::indentation_at(source, range.begin);
  const bool wrap = needs_parentheses(source, place.expr);
  edits.push_back(
      {{range.begin, range.begin}, (wrap ? "(" : "") + text->substr(0, at)});
  edits.push_back(
      {{range.end, range.end},
       indented(text->substr(at + own.size()), indent) + (wrap ? ")" : "")});
  edits.insert(edits.end(), namer.edits().begin(), namer.edits().end());
  return true;
}

}  // namespace

std::optional<FileEdits> edit_place(const Situation& situation,
                                    const Place& place,
                                    const DerivationChange& change,
                                    const PythonSet* python) {
  std::vector<nix::Edit> edits;
  if (place.kind == Place::Kind::reference) {
    if (!place.chain.layers.empty() && change.attributes.empty()) {
      if (!edit_arguments(situation, place, change.arguments, python, edits))
        return std::nullopt;
    } else if (!edit_reference(situation, place, change, python, edits)) {
      return std::nullopt;
    }
    return FileEdits{{place.file, std::move(edits)}};
  }
  if (!change.arguments.empty() &&
      !edit_arguments(situation, place, change.arguments, python, edits))
    return std::nullopt;
  std::string previous = place.previous;
  const bool without_previous =
      place.kind == Place::Kind::layer && previous.empty() &&
      std::any_of(change.attributes.begin(), change.attributes.end(),
                  [](const AttrChange& c) { return needs_previous(c); });
  if (without_previous) {
    previous = "old";
    const Source& source = situation.source(place.file);
    for (auto& edit : nix::wrap_expr(source, place.chain.layers.back().argument,
                                     "(old: ", ")"))
      edits.push_back(std::move(edit));
  }
  for (const auto& attribute : change.attributes)
    if (!edit_attribute(situation, place, attribute, python, previous, edits))
      return std::nullopt;
  return FileEdits{{place.file, std::move(edits)}};
}

std::optional<FileEdits> edit_references(const Situation& situation,
                                         const std::vector<Place>& places,
                                         const DerivationChange& change,
                                         const PythonSet* python) {
  FileEdits all;
  for (const auto& place : places) {
    const auto edits = edit_place(situation, place, change, python);
    if (!edits)
      return std::nullopt;
    for (const auto& [file, more] : *edits)
      all[file].insert(all[file].end(), more.begin(), more.end());
  }
  return all;
}

std::optional<NixText> override_text(const NixText& base,
                                     const OverrideFunctions& functions,
                                     bool is_python,
                                     const DerivationChange& change) {
  NixText text = base;
  if (!change.arguments.empty()) {
    text = block(base + ".override ", argument_bindings(change.arguments), "");
    if (!change.attributes.empty())
      text = "(" + text + ")";
  }
  if (change.attributes.empty())
    return text;
  const std::string function = functions.python_attrs ? "overridePythonAttrs"
                               : functions.attrs      ? "overrideAttrs"
                               : functions.derivation ? "overrideDerivation"
                                                      : "";
  if (function.empty())
    return std::nullopt;
  NixText bindings;
  for (const auto& attribute : change.attributes)
    bindings +=
        comment_lines(attribute.comment) +
        new_binding(attribute,
                    attribute_for(attribute.attribute, function, is_python),
                    "old") +
        "\n";
  return block(text + "." + function + " (old: ", bindings, ")");
}

}  // namespace autopin::fix
