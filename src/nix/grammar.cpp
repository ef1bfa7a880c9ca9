#include "nix/grammar.h"

#include <tree_sitter/api.h>

#include <limits>
#include <memory>

#include "nix/grammar_node.h"
#include "nix/prescan.h"

extern "C" const TSLanguage* tree_sitter_nix();

namespace autopin::nix {
namespace {

// Hand-written files stay under 100; Nix's own parser gives up at 10,000
// (bison's YYMAXDEPTH).
constexpr std::size_t max_depth = 2000;

void fill(Expr& parent, const Pending& from, ExprId id) {
  parent.children.push_back(id);
  switch (from.slot) {
    case Slot::child:
      break;
    case Slot::function:
      parent.function = id;
      break;
    case Slot::argument:
      parent.argument = id;
      break;
    case Slot::base:
      parent.base = id;
      break;
    case Slot::fallback:
      parent.fallback = id;
      break;
    case Slot::item:
      parent.items.push_back(id);
      break;
    case Slot::body:
      parent.body = id;
      break;
    case Slot::binding_value:
      parent.bindings[from.index].value = id;
      break;
    case Slot::inherit_from:
      parent.bindings[from.index].inherit_from = id;
      break;
    case Slot::formal_fallback:
      parent.formals[from.index].fallback = id;
      break;
  }
}

/// The body of each old `let { … }`.
void find_old_bodies(std::vector<Expr>& exprs) {
  for (Expr& expr : exprs) {
    if (expr.kind != ExprKind::let || expr.body != no_expr)
      continue;
    for (const Binding& binding : expr.bindings) {
      if (!binding.is_inherit && binding.path.size() == 1 &&
          binding.path[0].text == "body")
        expr.body = binding.value;
    }
  }
}

ExprTree unreadable(std::string_view text) {
  ExprTree tree;
  tree.has_errors = true;
  Expr& root = tree.exprs.emplace_back();
  root.range = root.inner = {0, text.size()};
  return tree;
}

/// The node of the file's expression; the file's own node where it has none or
/// the parser had to skip something beside it.
TSNode root_expression(TSNode file) {
  TSNode found = file;
  std::size_t count = 0;
  const std::uint32_t children = ts_node_named_child_count(file);
  for (std::uint32_t i = 0; i < children; ++i) {
    const TSNode child = ts_node_named_child(file, i);
    if (!kind_of(child))
      continue;
    found = child;
    ++count;
  }
  return count == 1 ? found : file;
}

ExprTree read_tree(std::string_view text, TSNode file) {
  ExprTree tree;
  tree.has_errors = ts_node_has_error(file);
  const TSNode root = root_expression(file);
  if (!kind_of(root))
    tree.has_errors = true;

  std::unique_ptr<TSTreeCursor, void (*)(TSTreeCursor*)> cursor(
      new TSTreeCursor(ts_tree_cursor_new(root)), [](TSTreeCursor* old) {
        ts_tree_cursor_delete(old);
        delete old;
      });
  std::vector<std::size_t> depth;
  std::vector<Pending> pending = {{root}};
  while (!pending.empty()) {
    const Pending next = pending.back();
    pending.pop_back();
    const ExprId id = tree.exprs.size();
    depth.push_back(next.parent == no_expr ? 0 : depth[next.parent] + 1);
    if (depth.back() > max_depth)
      return unreadable(text);

    Expr& expr = tree.exprs.emplace_back();
    expr.kind = kind_of(next.node).value_or(ExprKind::unknown);
    expr.parent = next.parent;
    std::vector<Pending> below = read_node(text, *cursor, id, expr, next.node);
    if (next.parent != no_expr)
      fill(tree.exprs[next.parent], next, id);
    // The last one pushed comes out first.
    pending.insert(pending.end(), below.rbegin(), below.rend());
  }
  find_old_bodies(tree.exprs);
  return tree;
}

}  // namespace

ExprTree read_exprs(std::string_view text) {
  // Tree-sitter takes a NUL for the end of the file, and counts in 32 bits.
  if (text.find('\0') != std::string_view::npos ||
      text.size() > std::numeric_limits<std::uint32_t>::max() / 2)
    return unreadable(text);
  const Prescan seen = prescan(text);
  if (seen.too_deep)
    return unreadable(text);
  const std::unique_ptr<TSParser, void (*)(TSParser*)> parser(ts_parser_new(),
                                                              ts_parser_delete);
  ts_parser_set_language(parser.get(), tree_sitter_nix());
  const std::unique_ptr<TSTree, void (*)(TSTree*)> parsed(
      ts_parser_parse_string(parser.get(), nullptr, seen.dialect.data(),
                             static_cast<std::uint32_t>(text.size())),
      ts_tree_delete);
  if (!parsed)
    return unreadable(text);
  return read_tree(text, ts_tree_root_node(parsed.get()));
}

}  // namespace autopin::nix
