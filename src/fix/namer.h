#pragma once
// How a package of the set is spelled at a place of the draft: by the `with`
// that is open there, by an expression that means the set ("py", "pkgs.x"), as
// a formal that callPackage fills, or by a new formal.

#include <optional>
#include <string>
#include <vector>

#include "fix/nix_text.h"
#include "fix/python_set.h"
#include "fix/situation.h"
#include "nix/edit.h"

namespace autopin::fix {

class Namer {
 public:
  /// `python` may be absent where only the whole set is referred to.
  Namer(const Situation& situation, std::filesystem::path file,
        nix::ExprId place, const PythonSet* python);

  /// The spelling that fits best, siblings' style first.
  std::optional<std::string> spell(const SetRef& ref);

  /// What the spellings given so far need elsewhere in the file: formals.
  const std::vector<nix::Edit>& edits() const { return edits_; }

 private:
  struct Door {
    std::string text;  ///< "" for an open `with`.
    int rank = 0;
  };
  std::vector<Door> doors_to(SetRef::From from) const;
  std::optional<std::string> by_formal(const SetRef& ref);
  bool shadowed(const std::string& name,
                const std::vector<nix::ExprId>& withs_needed) const;

  const Situation& situation_;
  std::filesystem::path file_;
  nix::ExprId place_;
  const PythonSet* python_;
  std::vector<nix::Edit> edits_;
};

}  // namespace autopin::fix
