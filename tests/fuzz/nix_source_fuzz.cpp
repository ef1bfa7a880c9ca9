// Any bytes are parsed; where they are Nix, every edit of every expression with
// hostile text must leave Nix again, with all else as it was.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "nix/draft_paths.h"
#include "nix/edit.h"

namespace {

using namespace autopin::nix;

void require(bool holds) {
  if (!holds)
    std::abort();
}

void check(const Source& source, const Edit& edit) {
  EditSet set;
  require(set.add(edit));
  const std::string result = set.apply(source.text());
  require(result.starts_with(
      std::string_view(source.text()).substr(0, edit.range.begin)));
  require(
      result.ends_with(std::string_view(source.text()).substr(edit.range.end)));
  require(!Source::parse(result).has_errors());
}

void edit_at(const Source& source, ExprId id, const std::string& foreign) {
  const std::string comment = foreign.substr(0, foreign.size() / 2);
  const Expr& expr = source.at(id);
  switch (expr.kind) {
    case ExprKind::attrset:
      check(source,
            add_binding(
                source, id,
                {attr_name(foreign) + " = " + quote(foreign) + ";", comment}));
      break;
    case ExprKind::list:
      check(source, append_item(source, id, {quote(foreign), comment}));
      check(source, append_item(source, id, {as_item("f 1"), ""}));
      break;
    case ExprKind::string:
    case ExprKind::indented_string:
      check(source, append_lines(source, id, {foreign, comment}));
      break;
    case ExprKind::function:
      if (expr.has_formals)
        check(source, add_formal(source, id, "added"));
      break;
    default:
      break;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Source source = Source::parse(text);
  require(source.size() > 0);
  for (ExprId id = 0; id < source.size(); ++id) {
    const Range range = source.at(id).range;
    require(range.begin <= range.end && range.end <= text.size());
  }
  if (source.has_errors()) {
    (void)relative_paths(source);
    return 0;
  }
  require(!Source::parse(with_absolute_paths(source, "/a b")).has_errors());
  require(!Source::parse(with_absolute_paths(source, "/a/b")).has_errors());
  const std::string foreign = text.substr(0, 24);
  for (ExprId id = 0; id < source.size() && id < 24; ++id)
    edit_at(source, id, foreign);
  return 0;
}
