#pragma once
// Places of the draft that refer to something by a name that an enclosing
// `with`, a set or nothing at all gives: where evaluation fails there is no
// derivation to ask for, and the name in the message is all there is.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fix/place.h"
#include "fix/situation.h"

namespace autopin::fix {

struct NamedReference {
  enum class Form {
    variable,  ///< `zlib`, which no let or parameter binds
    selected,  ///< the name in `pkgs.zlib` or `pkgs.zlib.dev`
    inherited  ///< the name in `inherit (pkgs) zlib;`
  };
  Form form = Form::variable;
  std::filesystem::path file;
  nix::ExprId expr = nix::no_expr;  ///< variable, select; or the let or { }.
  nix::Range range;                 ///< Of the name itself.
  std::size_t binding = 0;          ///< inherited: its index.
};

/// In file and source order. Strings and comments hold none.
std::vector<NamedReference> references_to(const Situation& situation,
                                          std::string_view name);

/// The reference made to `replacement`, a name or dotted path that is known to
/// be safe. What is inherited keeps its name in the draft.
void edit_name(const Situation& situation, const NamedReference& reference,
               const std::string& replacement, FileEdits& edits);

/// "FILE:LINE:COL" (or without the column) of a message, in the draft.
struct DraftPosition {
  std::filesystem::path file;
  std::size_t line = 0;
};
std::optional<DraftPosition> draft_position(const Situation& situation,
                                            std::string_view text);

/// Names that are `name` but for how packagers spell it: - for _, both left
/// out, capitals; and what the tables know it by.
std::vector<std::string> other_spellings(const Tables& tables,
                                         const std::string& name);
/// True where both are one name but for spelling.
bool same_but_spelling(std::string_view a, std::string_view b);
/// A name or dotted path of names that can be written as it is.
bool is_plain_path(std::string_view text);

}  // namespace autopin::fix
