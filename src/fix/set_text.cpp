#include "fix/set_text.h"

#include "nix/edit.h"

namespace autopin::fix {

const char* const normalize = R"nix(
  norm = s: builtins.replaceStrings
    [ "_" "." "A" "B" "C" "D" "E" "F" "G" "H" "I" "J" "K" "L" "M" "N" "O" "P" "Q" "R" "S" "T" "U" "V" "W" "X" "Y" "Z" ]
    [ "-" "-" "a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k" "l" "m" "n" "o" "p" "q" "r" "s" "t" "u" "v" "w" "x" "y" "z" ] s;
)nix";

std::string nix_list(const std::vector<std::string>& words) {
  std::string list = "[";
  for (const auto& word : words)
    list += " " + nix::quote(word);
  return list + " ]";
}

}  // namespace autopin::fix
