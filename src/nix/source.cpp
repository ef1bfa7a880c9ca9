#include "nix/source.h"

#include <algorithm>

#include "nix/grammar.h"

namespace autopin::nix {

Source Source::parse(std::string text) {
  Source source;
  source.text_ = std::move(text);
  ExprTree tree = read_exprs(source.text_);
  source.exprs_ = std::move(tree.exprs);
  source.has_errors_ = tree.has_errors;
  return source;
}

std::string_view Source::text_of(ExprId id) const {
  return text_of(at(id).range);
}

std::string_view Source::text_of(Range range) const {
  return std::string_view(text_).substr(range.begin, range.end - range.begin);
}

std::size_t Source::line_of(std::size_t byte) const {
  const auto end =
      text_.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text_.size()));
  return 1 + static_cast<std::size_t>(std::count(text_.begin(), end, '\n'));
}

ExprId Source::strip(ExprId id) const {
  while (at(id).kind == ExprKind::parenthesized && at(id).body != no_expr)
    id = at(id).body;
  return id;
}

const Binding* Source::find_binding(ExprId attrset,
                                    std::string_view name) const {
  for (const Binding& binding : at(attrset).bindings) {
    if (binding.is_inherit) {
      const bool names_it = std::any_of(
          binding.path.begin(), binding.path.end(),
          [name](const AttrName& attr) { return attr.text == name; });
      if (names_it)
        return &binding;
    } else if (binding.path.size() == 1 && binding.path[0].text == name) {
      return &binding;
    }
  }
  return nullptr;
}

std::optional<ExprId> Source::find(Range range) const {
  std::optional<ExprId> found;
  for (ExprId id = 0; id < exprs_.size(); ++id) {
    if (exprs_[id].range == range)
      found = id;
  }
  return found;
}

}  // namespace autopin::nix
