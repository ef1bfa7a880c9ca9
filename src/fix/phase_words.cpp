#include "fix/phase_words.h"

#include <algorithm>

#include "base/text.h"

namespace autopin::fix {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Where `word` stands by itself in the range of a pytest command, with the
/// blank before it.
std::optional<nix::Range> find_word(const std::string& text,
                                    const nix::Range& line,
                                    const std::string& word) {
  for (auto at = text.find(word, line.begin);
       at != std::string::npos && at + word.size() <= line.end;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if (at > line.begin && is_blank(text[at - 1]) &&
        (end == line.end || is_blank(text[end])))
      return nix::Range{text.find_last_not_of(" \t", at - 1) + 1, end};
  }
  return std::nullopt;
}

/// Edits of the first line of the string that calls pytest with all the words.
std::vector<nix::Edit> without(const nix::Source& source,
                               const nix::Range& inner,
                               const std::vector<std::string>& words) {
  const std::string& text = source.text();
  for (std::size_t begin = inner.begin; begin < inner.end;) {
    const std::size_t end = std::min(text.find('\n', begin), inner.end);
    const nix::Range line{begin, end};
    const auto said = source.text_of(line);
    std::vector<nix::Edit> edits;
    if (said.find("pytest") != std::string_view::npos ||
        said.find("py.test") != std::string_view::npos)
      for (const auto& word : words)
        if (const auto range = find_word(text, line, word))
          edits.push_back({*range, ""});
    if (edits.size() == words.size())
      return edits;
    begin = end + 1;
  }
  return {};
}

}  // namespace

std::vector<Proposal> without_phase_words(const Situation& situation,
                                          const std::string& drv,
                                          const std::vector<std::string>& words,
                                          const Proposal& draft) {
  std::vector<Proposal> proposals;
  for (const auto& place : places_of(situation, drv)) {
    if (place.kind == Place::Kind::reference)
      continue;
    const auto& source = situation.source(place.file);
    for (const char* phase : {"checkPhase", "installCheckPhase"}) {
      const auto* binding = source.find_binding(place.attrset, phase);
      if (binding == nullptr || binding->is_inherit)
        continue;
      const auto& value = source.at(source.strip(binding->value));
      if (value.kind != nix::ExprKind::string &&
          value.kind != nix::ExprKind::indented_string)
        continue;
      auto edits = without(source, value.inner, words);
      if (edits.empty())
        continue;
      Proposal proposal = draft;
      proposal.where = "in the draft's own " + std::string(phase);
      proposal.edits[place.file] = std::move(edits);
      proposals.push_back(std::move(proposal));
    }
  }
  return proposals;
}

bool phase_says(const Situation& situation, const std::string& drv,
                const std::vector<std::string>& words) {
  const auto& derivation = situation.store().derivation(drv);
  std::vector<std::string> said;
  for (const char* phase : {"checkPhase", "installCheckPhase"})
    for (auto& word : derivation.list_attribute(phase))
      said.push_back(std::move(word));
  return !words.empty() &&
         std::all_of(words.begin(), words.end(), [&](const auto& word) {
           return std::find(said.begin(), said.end(), word) != said.end();
         });
}

}  // namespace autopin::fix
