#include "nix/instrument.h"

#include <algorithm>
#include <map>

#include "nix/edit.h"

namespace autopin::nix {

// __autopin_names: `inherit (e) a b;` looks only at these names of e, so that a
// set of them is as good as e; each is looked up in e when it is forced.
//
// __autopin_used: stdenv picks outputs by attribute (lib.getDev: `p.dev`), so
// they are watched too. Which of these names are there is asked without forcing
// a value, as `outputs` itself might not be safe to force yet. What only has
// the name of an output (`passthru.python`) is told by its outputName.
const char* const prelude =
    "__autopin_names = m: v: builtins.mapAttrs (n: f: f v.${n}) m; "
    "__autopin_used = say: v: let "
    "paths = { drvPath = 1; outPath = 1; }; "
    "outputs = { out = 1; dev = 1; bin = 1; lib = 1; doc = 1; man = 1; info = "
    "1; "
    "devdoc = 1; devman = 1; static = 1; debug = 1; dist = 1; python = 1; "
    "data = 1; include = 1; stubs = 1; docs = 1; html = 1; tools = 1; "
    "plugins = 1; modules = 1; headers = 1; libs = 1; share = 1; src = 1; "
    "py = 1; python3 = 1; testsuite = 1; sample = 1; examples = 1; cli = 1; "
    "server = 1; client = 1; terminfo = 1; locale = 1; dnsutils = 1; host = 1; "
    "wheel = 1; testout = 1; "
    "headless = 1; cxxdev = 1; }; "
    "in v // builtins.mapAttrs (n: x: "
    "if paths ? ${n} then say (v.outputName or \"out\") v x "
    "else if builtins.isAttrs x && x ? drvPath && (x.outputName or null) == n "
    "then x // builtins.mapAttrs (m: y: say n x y) "
    "(builtins.intersectAttrs paths x) else x) "
    "(builtins.intersectAttrs (outputs // paths) v); ";

namespace {

struct Piece {
  std::size_t at;
  bool opens;
  /// The other end of what is wrapped: decides who is outside of whom.
  std::size_t other;
  std::string text;
};

void wrap(std::vector<Piece>& pieces, Range range, std::string before) {
  pieces.push_back({range.begin, true, range.end, std::move(before)});
  pieces.push_back({range.end, false, range.begin, "))"});
}

bool before(const Piece& a, const Piece& b) {
  if (a.at != b.at)
    return a.at < b.at;
  if (a.opens != b.opens)
    return b.opens;          // What ends here, ends first.
  return a.other > b.other;  // Opening: the outer first. Closing: the inner.
}

using Functions = std::map<std::pair<std::size_t, std::size_t>, std::string>;

const std::string* function_at(const Functions& functions, Range range) {
  const auto found = functions.find({range.begin, range.end});
  return found == functions.end() ? nullptr : &found->second;
}

std::string names_text(const Binding& binding, const Functions& functions) {
  std::string text = "(__autopin_names {";
  for (const AttrName& name : binding.path) {
    const std::string* function = function_at(functions, name.range);
    text += " " + quote(name.text) + " = " +
            (function ? "(" + *function + ")" : "(v: v)") + ";";
  }
  return text + " } (";
}

std::string plain_text(const Binding& binding, const Functions& functions) {
  std::string text;
  for (const AttrName& name : binding.path) {
    const std::string* function = function_at(functions, name.range);
    const std::string spelled = attr_name(name.text);
    if (!function) {
      text += "inherit " + spelled + "; ";
    } else {
      text += spelled + " = " + *function + " " + spelled + "; ";
    }
  }
  return text;
}

bool has_site(const Binding& binding, const Functions& functions) {
  return std::any_of(binding.path.begin(), binding.path.end(),
                     [&](const AttrName& name) {
                       return function_at(functions, name.range) != nullptr;
                     });
}

}  // namespace

std::string instrument(const Source& source, std::vector<Site> sites) {
  Functions functions;
  for (Site& site : sites) {
    std::string& function = functions[{site.range.begin, site.range.end}];
    function = function.empty()
                   ? std::move(site.function)
                   : "(x: " + site.function + " (" + function + " x))";
  }
  std::vector<Piece> pieces;
  std::map<std::size_t, std::pair<std::size_t, std::string>> replacements;
  for (ExprId id = 0; id < source.size(); ++id) {
    const Expr& expr = source.at(id);
    for (const Binding& binding : expr.bindings) {
      if (!binding.is_inherit || !has_site(binding, functions))
        continue;
      if (binding.inherit_from != no_expr) {
        wrap(pieces, source.at(binding.inherit_from).range,
             names_text(binding, functions));
      } else if (expr.kind == ExprKind::attrset && !expr.is_rec) {
        replacements[binding.range.begin] = {binding.range.end,
                                             plain_text(binding, functions)};
      }
      // An inherited name's range is never an expression's.
      for (const AttrName& name : binding.path) {
        functions.erase({name.range.begin, name.range.end});
      }
    }
  }
  for (const auto& [range, function] : functions) {
    wrap(pieces, {range.first, range.second}, "(" + function + " (");
  }
  std::stable_sort(pieces.begin(), pieces.end(), before);
  const std::string& text = source.text();
  std::string result;
  std::size_t at = 0;
  const auto copy_until = [&](std::size_t end) {
    while (at < end) {
      const auto next = replacements.lower_bound(at);
      if (next == replacements.end() || next->first >= end) {
        result.append(text, at, end - at);
        at = end;
      } else {
        result.append(text, at, next->first - at);
        result += next->second.second;
        at = next->second.first;
      }
    }
  };
  for (const Piece& piece : pieces) {
    copy_until(piece.at);
    result += piece.text;
  }
  copy_until(text.size());
  return result;
}

}  // namespace autopin::nix
