#pragma once
// Compatibility tags of wheels (PEP 425, 600, 656): which wheel an interpreter
// takes, and which of several it likes best.

#include <compare>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "python/target.h"

namespace autopin::python {

struct Tag {
  std::string interpreter;
  std::string abi;
  std::string platform;

  std::string text() const { return interpreter + '-' + abi + '-' + platform; }
  auto operator<=>(const Tag&) const = default;
};

/// The tags that a compressed set stands for: "py2.py3-none-any" is two.
/// Lower case; empty where the text is no tag.
std::set<Tag> expand_tags(std::string_view compressed);

/// What the target takes, best first, as pip and `packaging` order them.
std::vector<Tag> supported_tags(const Target& target);

}  // namespace autopin::python
