#include "fix/nix_text.h"

#include <algorithm>

namespace autopin::fix {

void NixText::add(std::string text) {
  if (text.empty())
    return;
  if (!pieces_.empty())
    if (auto* last = std::get_if<std::string>(&pieces_.back())) {
      *last += text;
      return;
    }
  pieces_.emplace_back(std::move(text));
}

NixText& NixText::operator+=(const NixText& other) {
  for (const auto& piece : other.pieces_) {
    if (const auto* text = std::get_if<std::string>(&piece))
      add(*text);
    else
      pieces_.push_back(piece);
  }
  return *this;
}

std::optional<std::string> NixText::spell(const Speller& speller) const {
  std::string spelled;
  for (const auto& piece : pieces_) {
    if (const auto* text = std::get_if<std::string>(&piece)) {
      spelled += *text;
      continue;
    }
    const auto word = speller(std::get<SetRef>(piece));
    if (!word)
      return std::nullopt;
    spelled += *word;
  }
  return spelled;
}

std::vector<SetRef> NixText::references() const {
  std::vector<SetRef> found;
  for (const auto& piece : pieces_)
    if (const auto* ref = std::get_if<SetRef>(&piece))
      if (std::find(found.begin(), found.end(), *ref) == found.end())
        found.push_back(*ref);
  return found;
}

NixText NixText::indented(std::string_view prefix) const {
  NixText moved = *this;
  for (auto& piece : moved.pieces_)
    if (auto* text = std::get_if<std::string>(&piece))
      *text = fix::indented(*text, prefix);
  return moved;
}

NixText NixText::as_block(std::string_view prefix) const {
  NixText inside = ("\n" + *this).indented(prefix);
  // The last line end is followed by the closing brace, not by a line.
  if (!inside.pieces_.empty())
    if (auto* last = std::get_if<std::string>(&inside.pieces_.back());
        last != nullptr && last->ends_with("\n" + std::string(prefix)))
      last->resize(last->size() - prefix.size());
  return inside;
}

bool NixText::has_lines() const {
  return std::any_of(pieces_.begin(), pieces_.end(), [](const auto& piece) {
    const auto* text = std::get_if<std::string>(&piece);
    return text != nullptr && text->find('\n') != std::string::npos;
  });
}

NixText python_ref(std::string attribute) {
  return SetRef{SetRef::From::python, std::move(attribute)};
}

NixText top_ref(std::string attribute) {
  return SetRef{SetRef::From::top, std::move(attribute)};
}

std::string indented(std::string_view text, std::string_view prefix) {
  std::string moved;
  for (const char c : text) {
    moved += c;
    if (c == '\n')
      moved += prefix;
  }
  return moved;
}

}  // namespace autopin::fix
