#pragma once
// What string literals mean: the reading side of quote() and escape_indented()
// in edit.h. Nix does this in its lexer (src/libexpr/lexer.l, unescapeStr) and
// parser (parser.y, stripIndentation).

#include <string>
#include <string_view>

namespace autopin::nix {

/// The value of "…" whose inside is `body`, without interpolations.
std::string unquote(std::string_view body);

/// The value of ''…'' whose inside is `body`, without interpolations.
std::string unindent(std::string_view body);

}  // namespace autopin::nix
