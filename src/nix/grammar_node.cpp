#include "nix/grammar_node.h"

#include <unordered_map>

#include "nix/spelling.h"

namespace autopin::nix {
namespace {

const std::unordered_map<std::string_view, ExprKind>& expression_kinds() {
  static const std::unordered_map<std::string_view, ExprKind> kinds = {
      {"variable_expression", ExprKind::variable},
      {"integer_expression", ExprKind::number},
      {"float_expression", ExprKind::number},
      {"string_expression", ExprKind::string},
      {"indented_string_expression", ExprKind::indented_string},
      {"path_expression", ExprKind::path},
      {"hpath_expression", ExprKind::path},
      {"spath_expression", ExprKind::search_path},
      {"uri_expression", ExprKind::uri},
      {"function_expression", ExprKind::function},
      {"assert_expression", ExprKind::assertion},
      {"with_expression", ExprKind::with},
      {"let_expression", ExprKind::let},
      {"let_attrset_expression", ExprKind::let},
      {"if_expression", ExprKind::conditional},
      {"has_attr_expression", ExprKind::has_attr},
      {"unary_expression", ExprKind::unary},
      {"binary_expression", ExprKind::binary},
      {"apply_expression", ExprKind::apply},
      {"select_expression", ExprKind::select},
      {"parenthesized_expression", ExprKind::parenthesized},
      {"attrset_expression", ExprKind::attrset},
      {"rec_attrset_expression", ExprKind::attrset},
      {"list_expression", ExprKind::list},
      {"ERROR", ExprKind::unknown},
  };
  return kinds;
}

std::string_view type_of(TSNode node) {
  return ts_node_type(node);
}

Range range_of(TSNode node) {
  return {ts_node_start_byte(node), ts_node_end_byte(node)};
}

Slot slot_of(ExprKind kind, std::string_view field) {
  switch (kind) {
    case ExprKind::apply:
      return field == "function" ? Slot::function : Slot::argument;
    case ExprKind::select:
    case ExprKind::has_attr:
      return field == "default" ? Slot::fallback : Slot::base;
    case ExprKind::list:
      return Slot::item;
    case ExprKind::function:
    case ExprKind::let:
    case ExprKind::parenthesized:
      return Slot::body;
    case ExprKind::with:
    case ExprKind::assertion:
      return field == "body" ? Slot::body : Slot::base;
    default:
      return Slot::child;
  }
}

/// Reads the members of one expression off its node, and hands back the
/// expressions directly below it. It goes down only through nodes that are no
/// expressions, and those nest four deep at most.
class NodeReader {
 public:
  NodeReader(std::string_view text, TSTreeCursor& cursor, ExprId id, Expr& expr)
      : text_(text), cursor_(cursor), id_(id), expr_(expr) {}

  std::vector<Pending> read(TSNode node) {
    ts_tree_cursor_reset(&cursor_, node);
    expr_.range = range_of(node);
    expr_.inner = expr_.range;
    const std::string_view type = type_of(node);
    expr_.is_rec = type == "rec_attrset_expression";
    old_let_ = type == "let_attrset_expression";
    each_child([this](TSNode child, std::string_view field) {
      if (kind_of(child))
        push(child, slot_of(expr_.kind, field));
      else
        read_part(child, field);
    });
    read_literal();
    return std::move(below_);
  }

 private:
  template <typename Visit>
  void each_child(Visit visit) {
    if (!ts_tree_cursor_goto_first_child(&cursor_))
      return;
    do {
      const char* field = ts_tree_cursor_current_field_name(&cursor_);
      visit(ts_tree_cursor_current_node(&cursor_),
            std::string_view(field ? field : ""));
    } while (ts_tree_cursor_goto_next_sibling(&cursor_));
    ts_tree_cursor_goto_parent(&cursor_);
  }

  void push(TSNode node, Slot slot, std::size_t index = 0) {
    below_.push_back({node, id_, slot, index});
  }

  std::string text_of(TSNode node) const {
    const Range range = range_of(node);
    return std::string(text_.substr(range.begin, range.end - range.begin));
  }

  void read_part(TSNode node, std::string_view field) {
    const std::string_view type = type_of(node);
    if (type == "identifier") {
      if (field == "name" || field == "universal")
        expr_.name = text_of(node);
    } else if (field == "operator") {
      expr_.op = text_of(node);
    } else if (type == "attrpath") {
      expr_.attrpath = read_names();
    } else if (type == "binding_set") {
      each_child(
          [this](TSNode child, std::string_view) { read_binding(child); });
    } else if (type == "binding" || type == "inherit" ||
               type == "inherit_from") {
      read_binding(node);
    } else if (type == "formals") {
      read_formals(node);
    } else if (type == "interpolation") {
      push_expressions(Slot::child);
    } else {
      read_delimiter(node);
    }
  }

  void read_delimiter(TSNode node) {
    const std::string_view type = type_of(node);
    const Range range = range_of(node);
    const bool quote = type == "\"" || type == "''";
    if ((quote && range.begin == expr_.range.begin) || type == "{" ||
        type == "[" || type == "(" || (type == "let" && !old_let_)) {
      expr_.inner.begin = range.end;
    } else if (quote || type == "}" || type == "]" || type == ")" ||
               type == "in") {
      expr_.inner.end = range.begin;
    }
  }

  void push_expressions(Slot slot, std::size_t index = 0) {
    each_child([&](TSNode child, std::string_view) {
      if (kind_of(child))
        push(child, slot, index);
    });
  }

  /// The children of an attrpath or of the names of an inherit.
  std::vector<AttrName> read_names() {
    std::vector<AttrName> names;
    each_child([&](TSNode child, std::string_view field) {
      if (field != "attr")
        return;
      AttrName name{{}, range_of(child)};
      if (type_of(child) == "identifier")
        name.text = text_of(child);
      else
        read_quoted_name(child, name);
      names.push_back(std::move(name));
    });
    return names;
  }

  void read_quoted_name(TSNode node, AttrName& name) {
    const std::size_t before = below_.size();
    const std::string text = text_of(node);
    if (type_of(node) == "string_expression") {
      each_child([this](TSNode child, std::string_view) {
        if (type_of(child) == "interpolation")
          push_expressions(Slot::child);
      });
      if (below_.size() == before && text.size() >= 2)
        name.text = unquote(std::string_view(text).substr(1, text.size() - 2));
    } else {
      push_expressions(Slot::child);
    }
  }

  void read_binding(TSNode node) {
    const std::string_view type = type_of(node);
    if (kind_of(node)) {  // What the parser skipped among the bindings.
      push(node, Slot::child);
      return;
    }
    if (type != "binding" && type != "inherit" && type != "inherit_from")
      return;
    const std::size_t index = expr_.bindings.size();
    Binding binding;
    binding.range = range_of(node);
    binding.is_inherit = type != "binding";
    each_child([&](TSNode child, std::string_view) {
      const std::string_view part = type_of(child);
      if (part == "attrpath" || part == "inherited_attrs")
        binding.path = read_names();
      else if (kind_of(child))
        push(child,
             binding.is_inherit ? Slot::inherit_from : Slot::binding_value,
             index);
    });
    expr_.bindings.push_back(std::move(binding));
  }

  void read_formals(TSNode node) {
    expr_.has_formals = true;
    expr_.formals_range = range_of(node);
    each_child([this](TSNode child, std::string_view) {
      const std::string_view type = type_of(child);
      if (type == "ellipses")
        expr_.has_ellipsis = true;
      else if (type == "formal")
        read_formal(child);
      else if (kind_of(child))
        push(child, Slot::child);
    });
  }

  void read_formal(TSNode node) {
    const std::size_t index = expr_.formals.size();
    Formal formal;
    formal.range = range_of(node);
    each_child([&](TSNode child, std::string_view field) {
      if (field == "name")
        formal.name = text_of(child);
      else if (kind_of(child))
        push(child, Slot::formal_fallback, index);
    });
    expr_.formals.push_back(std::move(formal));
  }

  void read_literal() {
    if (!below_.empty())
      return;
    const Range inner = expr_.inner;
    const std::string_view whole =
        text_.substr(expr_.range.begin, expr_.range.end - expr_.range.begin);
    switch (expr_.kind) {
      case ExprKind::string:
        expr_.literal =
            unquote(text_.substr(inner.begin, inner.end - inner.begin));
        break;
      case ExprKind::indented_string:
        expr_.literal =
            unindent(text_.substr(inner.begin, inner.end - inner.begin));
        break;
      case ExprKind::search_path:
        if (whole.size() >= 2)
          expr_.literal = whole.substr(1, whole.size() - 2);
        break;
      case ExprKind::path:
      case ExprKind::uri:
      case ExprKind::number:
        expr_.literal = whole;
        break;
      default:
        break;
    }
  }

  std::string_view text_;
  TSTreeCursor& cursor_;
  ExprId id_;
  Expr& expr_;
  bool old_let_ = false;
  std::vector<Pending> below_;
};

}  // namespace

std::optional<ExprKind> kind_of(TSNode node) {
  const auto found = expression_kinds().find(type_of(node));
  if (found == expression_kinds().end())
    return std::nullopt;
  return found->second;
}

std::vector<Pending> read_node(std::string_view text, TSTreeCursor& cursor,
                               ExprId id, Expr& expr, TSNode node) {
  return NodeReader(text, cursor, id, expr).read(node);
}

}  // namespace autopin::nix
