#pragma once
// What a fix wants of a derivation, before it is known where in the source that
// is said: attributes of the builder's call, arguments of the package function.

#include <string>
#include <utility>
#include <vector>

#include "fix/nix_text.h"

namespace autopin::fix {

struct AttrChange {
  enum class Op {
    set,           ///< `attribute = value;`, replacing what is there.
    append_items,  ///< More items at the end of a list.
    append_lines,  ///< More lines of shell at the end of a hook.
    drop_items     ///< A list without some of its items.
  };
  Op op = Op::set;
  std::string attribute;
  /// Other names of the same thing: where the place has one, that is extended.
  std::vector<std::string> or_existing;
  /// One value (set), the items, or the function that is true of an item to
  /// be kept (drop_items).
  std::vector<NixText> values;
  /// The items as words of the shell, where they are such: a string of words
  /// takes more of them as a list does. Or what the items to be dropped are
  /// called.
  std::vector<std::string> words;
  /// Lines of shell as the shell shall read them.
  std::vector<std::string> lines;
  /// Why; one line, becomes a comment.
  std::string comment;
  /// A variable of the builder, a string: also looked for in `env`.
  bool variable = false;
  /// A variable that stands nowhere yet becomes one of `env`.
  bool in_env = false;
  /// set: where the place has this attribute, its value by that name.
  std::string same_as;
};

/// `.override { argument = value; }`
struct ArgumentChange {
  std::string argument;
  NixText value;
  std::string comment;
};

struct DerivationChange {
  std::vector<ArgumentChange> arguments;
  std::vector<AttrChange> attributes;
};

}  // namespace autopin::fix
