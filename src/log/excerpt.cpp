#include "log/excerpt.h"

#include <algorithm>

#include <re2/re2.h>

#include "base/text.h"
#include "log/nix_lines.h"

namespace autopin {

namespace {

/// The last lines that hold something are looked for among these.
constexpr long end_of_log = 200;
/// As much of a line as the collector keeps of evidence.
constexpr std::size_t longest_line = 2000;

std::string text_of(std::string_view line) {
  return to_utf8(line.substr(0, longest_line));
}

}  // namespace

ExcerptReader::ExcerptReader(const std::vector<Diagnosis>& diagnoses,
                             long line_count)
    : reader_(*this), line_count_(line_count) {
  for (const Diagnosis& diagnosis : diagnoses)
    for (const EvidenceLine& line : diagnosis.lines)
      wanted_[{line.number, line.text}] = 0;
}

void ExcerptReader::want(long number) {
  wanted_[{number, ""}] = 0;
}

bool ExcerptReader::is_wanted(const LogLine& line, Key& key) const {
  const auto first = wanted_.lower_bound({line.number, ""});
  if (first == wanted_.end() || first->first.first != line.number)
    return false;
  key = first->first;
  if (key.second.empty() && first->second == 0)
    return true;
  // One physical line can hold several: Nix's JSON, what CR drew over.
  key = {line.number, text_of(line.text)};
  const auto exact = wanted_.find(key);
  return exact != wanted_.end() && exact->second == 0;
}

template <std::size_t size>
void ExcerptReader::Ring<size>::push(const LogLine& line, long ordinal) {
  RawLine& slot = slots[count++ % size];
  slot.number = line.number;
  slot.ordinal = ordinal;
  slot.bytes.assign(line.text.substr(0, longest_line));
}

void ExcerptReader::on_line(const LogLine& line) {
  Stream& stream = streams_[line.stream];
  Key key;
  const bool wanted = is_wanted(line, key);
  if (line.redrawn && !wanted)
    return;
  ++stream.lines;
  if (wanted || !stream.waits.empty())
    keep(stream, line, wanted ? &key : nullptr);
  stream.above.push(line, stream.lines);
  if (!trim(line.text).empty())
    last_lines_.push(line, 0);
}

void ExcerptReader::keep(Stream& stream, const LogLine& line, const Key* key) {
  const ExcerptLine mine{line.number, text_of(line.text), key != nullptr,
                         line.stream, stream.lines};
  for (const std::size_t index : stream.waits) {
    passages_[index].lines.push_back(mine);
    --passages_[index].below;
  }
  std::erase_if(stream.waits,
                [&](std::size_t index) { return passages_[index].below == 0; });
  if (key == nullptr)
    return;
  Passage passage;
  stream.above.each([&](const RawLine& above) {
    passage.lines.push_back({above.number, text_of(above.bytes), false,
                             line.stream, above.ordinal});
  });
  passage.lines.push_back(mine);
  passage.below = static_cast<int>(stream.above.slots.size());
  stream.waits.push_back(passages_.size());
  passages_.push_back(std::move(passage));
  wanted_[*key] = passages_.size();
}

std::vector<EvidenceLine> ExcerptReader::last_lines() const {
  std::vector<EvidenceLine> lines;
  last_lines_.each([&](const RawLine& line) {
    lines.push_back({line.number, text_of(line.bytes)});
  });
  return lines;
}

const Scout* ExcerptReader::scout() const {
  return &nix_scout();
}

long ExcerptReader::passable(std::size_t stream, long number) const {
  const auto mine = streams_.find(stream);
  if (mine != streams_.end() && !mine->second.waits.empty())
    return 0;
  const auto next = wanted_.lower_bound({number + 1, ""});
  const long end = line_count_ - end_of_log;
  return std::max(
      0L, (next == wanted_.end() ? end : std::min(end, next->first.first - 1)) -
              number);
}

long ExcerptReader::comes_after_passing() const {
  return static_cast<long>(Stream().above.slots.size());
}

void ExcerptReader::on_passed_lines(std::size_t stream, long count) {
  streams_[stream].lines += count;
}

const ExcerptReader::Passage* ExcerptReader::passage(const Key& key) const {
  const auto found = wanted_.find(key);
  return found == wanted_.end() || found->second == 0
             ? nullptr
             : &passages_[found->second - 1];
}

Excerpt ExcerptReader::around(const Diagnosis& diagnosis) const {
  std::map<std::tuple<long, std::size_t, long>, ExcerptLine> lines;
  for (const EvidenceLine& line : diagnosis.lines) {
    const Passage* found = passage({line.number, line.text});
    const Excerpt alone{{line.number, line.text, true, 0, line.number}};
    for (const ExcerptLine& near : found == nullptr ? alone : found->lines) {
      ExcerptLine& there =
          lines.try_emplace({near.number, near.stream, near.ordinal}, near)
              .first->second;
      // It may be wanted by another diagnosis: here it is only near.
      there.matched = std::any_of(
          diagnosis.lines.begin(), diagnosis.lines.end(),
          [&](const EvidenceLine& mine) {
            return mine.number == near.number && mine.text == near.text;
          });
    }
  }
  Excerpt excerpt;
  for (auto& [position, line] : lines)
    excerpt.push_back(std::move(line));
  return excerpt;
}

Excerpt ExcerptReader::around(long number) const {
  const Passage* found = passage({number, ""});
  if (found == nullptr)
    return {};
  Excerpt excerpt = found->lines;
  for (ExcerptLine& line : excerpt)
    line.matched = line.number == number;
  return excerpt;
}

std::pair<std::size_t, std::size_t> matched_part(const Rule& rule,
                                                 std::string_view line) {
  const re2::StringPiece whole(line.data(), line.size());
  std::pair<std::size_t, std::size_t> part{0, 0};
  const auto matches = [&](const Pattern& pattern) {
    re2::StringPiece match;
    if (!pattern.regex->Match(whole, 0, whole.size(), RE2::UNANCHORED, &match,
                              1) ||
        match.empty())
      return false;
    part = {static_cast<std::size_t>(match.data() - whole.data()),
            match.size()};
    return true;
  };
  const auto any = [&](const std::vector<Pattern>& patterns) {
    return std::any_of(patterns.begin(), patterns.end(), matches);
  };
  if (!any(rule.patterns) && !any(rule.block.lines))
    std::any_of(
        rule.context.begin(), rule.context.end(),
        [&](const Context& context) { return matches(context.pattern); });
  return part;
}

}  // namespace autopin
