#include "nix/candidates.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace autopin::nix {

namespace {

const std::set<std::string_view>& never_packages() {
  static const std::set<std::string_view> names = {
      "true",        "false",      "null",  "builtins",     "import",
      "map",         "throw",      "abort", "toString",     "isNull",
      "removeAttrs", "baseNameOf", "dirOf", "scopedImport", "placeholder"};
  return names;
}

class Collector {
 public:
  explicit Collector(const Source& source) : source_(source) {}

  std::vector<Candidate> collect() {
    for (ExprId id = 0; id < source_.size(); ++id)
      note_names(source_.at(id));
    for (ExprId id = 0; id < source_.size(); ++id)
      consider(id);
    std::sort(found_.begin(), found_.end(),
              [](const Candidate& a, const Candidate& b) {
                return a.range.begin != b.range.begin
                           ? a.range.begin < b.range.begin
                           : a.range.end > b.range.end;
              });
    const auto same = [](const Candidate& a, const Candidate& b) {
      return a.range == b.range;
    };
    found_.erase(std::unique(found_.begin(), found_.end(), same), found_.end());
    return std::move(found_);
  }

 private:
  /// Computed attribute names; strings in them are no packages, and some places
  /// allow no expression there but a string.
  void note_names(const Expr& expr) {
    const auto note = [&](const AttrName& name) {
      if (name.text.empty())
        names_.push_back(name.range);
    };
    std::for_each(expr.attrpath.begin(), expr.attrpath.end(), note);
    for (const Binding& binding : expr.bindings) {
      std::for_each(binding.path.begin(), binding.path.end(), note);
    }
  }

  bool is_in_name(Range range) const {
    return std::any_of(names_.begin(), names_.end(),
                       [&](const Range& name) { return name.contains(range); });
  }

  bool is_called(ExprId id) const {
    const ExprId parent = source_.at(id).parent;
    return parent != no_expr && source_.at(parent).kind == ExprKind::apply &&
           source_.at(parent).function == id;
  }

  void add(Range range, NodeForm form, ExprId id) {
    if (!is_in_name(range))
      found_.push_back({range, form, id});
  }

  void consider(ExprId id) {
    const Expr& expr = source_.at(id);
    switch (expr.kind) {
      case ExprKind::variable:
        if (!is_called(id) && !never_packages().count(expr.name) &&
            expr.name.rfind("__", 0) != 0) {
          add(expr.range, NodeForm::expression, id);
        }
        break;
      case ExprKind::apply:
        if (!is_called(id))
          add(expr.range, NodeForm::expression, id);
        break;
      case ExprKind::binary:
        if (expr.op == "//")
          add(expr.range, NodeForm::expression, id);
        break;
      case ExprKind::select:
        consider_select(id);
        break;
      case ExprKind::attrset:
      case ExprKind::let:
        consider_inherits(id);
        break;
      default:
        break;
    }
  }

  void consider_select(ExprId id) {
    const Expr& expr = source_.at(id);
    if (expr.base != no_expr &&
        source_.at(expr.base).kind == ExprKind::variable &&
        source_.at(expr.base).name == "builtins") {
      return;
    }
    if (!is_called(id))
      add(expr.range, NodeForm::expression, id);
    // `a.b.c or d` is d where a.b is missing; cut in two it would not be.
    if (expr.fallback != no_expr)
      return;
    for (std::size_t i = 0; i + 1 < expr.attrpath.size(); ++i) {
      add({expr.range.begin, expr.attrpath[i].range.end},
          NodeForm::select_prefix, id);
    }
  }

  void consider_inherits(ExprId id) {
    const Expr& expr = source_.at(id);
    const bool recursive = expr.kind == ExprKind::let || expr.is_rec;
    for (const Binding& binding : expr.bindings) {
      if (!binding.is_inherit)
        continue;
      if (binding.inherit_from == no_expr && recursive)
        continue;
      for (const AttrName& name : binding.path) {
        if (!name.text.empty())
          add(name.range, NodeForm::inherited, id);
      }
    }
  }

  const Source& source_;
  std::vector<Range> names_;
  std::vector<Candidate> found_;
};

}  // namespace

std::vector<Candidate> candidates(const Source& source) {
  return Collector(source).collect();
}

}  // namespace autopin::nix
