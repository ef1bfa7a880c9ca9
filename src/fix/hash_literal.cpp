#include "fix/hash_literal.h"

#include <algorithm>

#include "base/hash.h"

namespace autopin::fix {

std::string bound_to(const nix::Source& source, nix::ExprId id) {
  for (nix::ExprId at = source.at(id).parent; at != nix::no_expr;
       at = source.at(at).parent)
    for (const auto& binding : source.at(at).bindings)
      if (!binding.is_inherit && binding.range.contains(source.at(id).range) &&
          !binding.path.empty())
        return binding.path.back().text;
  return {};
}

bool names_hash(const std::string& attribute) {
  return attribute.find("ash") != std::string::npos ||
         attribute.find("ha256") != std::string::npos;
}

bool takes_sri(const std::string& attribute) {
  return attribute.find("ha256") == std::string::npos;
}

bool is_placeholder(const std::string& raw) {
  return std::all_of(raw.begin(), raw.end(), [](char c) { return c == '\0'; });
}

Check asks_for_hash(const std::string& drv, const std::string& raw) {
  return [drv, wanted = to_hex(raw)](
             const Situation& after) -> std::optional<std::string> {
    if (!drv.empty() && after.in_closure(drv))
      return "the old hash is still asked for";
    for (const auto& member :
         after.store().closure(after.roots(), nix::Edges::build))
      for (const auto& [name, output] :
           after.store().derivation(member).outputs)
        if (output.hash == wanted)
          return std::nullopt;
    return "no download with the new hash is in the closure";
  };
}

}  // namespace autopin::fix
