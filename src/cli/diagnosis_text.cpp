#include "cli/diagnosis_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/derivation_name.h"
#include "base/printable.h"
#include "base/text.h"
#include "fix/fix.h"
#include "log/clean.h"
#include "log/rule_skeleton.h"

namespace autopin {

namespace {

constexpr std::size_t most_matched_lines = 8;
constexpr std::size_t most_values = 20;
/// A longer line is cut around what matched, a longer sentence at its end.
constexpr std::size_t widest_line = 240;
constexpr std::size_t longest_sentence = 600;

/// SGR parameters (ECMA-48).
constexpr std::string_view red = "1;31";
constexpr std::string_view yellow = "33";
constexpr std::string_view green = "32";
constexpr std::string_view bold = "1";
constexpr std::string_view faint = "2";

struct Paint {
  bool on = false;
  std::string operator()(std::string_view code, const std::string& text) const {
    return on && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text)
                               : text;
  }
};

bool inside_character(std::string_view text, std::size_t at) {
  return at < text.size() &&
         (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

/// Text cut in three, for a terminal: before, in and after what matched.
struct Parts {
  std::string before, match, after;
};

Parts parts_of(std::string_view text,
               std::pair<std::size_t, std::size_t> match) {
  std::size_t begin = match.first;
  std::size_t end = begin + match.second;
  // Patterns count bytes; a character is shown whole.
  while (inside_character(text, begin))
    --begin;
  while (inside_character(text, end))
    ++end;
  std::size_t from = 0;
  std::size_t to = text.size();
  if (text.size() > widest_line) {
    if (end > widest_line)
      from = begin - std::min<std::size_t>(begin, 40);
    to = std::min(text.size(), from + widest_line);
    while (inside_character(text, from))
      --from;
    while (inside_character(text, to))
      --to;
    end = std::min(end, to);
  }
  return {
      (from > 0 ? "…" : "") + printable_line(text.substr(from, begin - from)),
      printable_line(text.substr(begin, end - begin)),
      printable_line(text.substr(end, to - end)) +
          (to < text.size() ? "…" : "")};
}

std::string sentence(std::string_view text) {
  if (text.size() <= longest_sentence)
    return printable_line(text);
  std::size_t end = longest_sentence;
  while (inside_character(text, end))
    --end;
  return printable_line(text.substr(0, end)) + "…";
}

class TextWriter {
 public:
  TextWriter(const RuleSet& rules, const LogFindings& findings,
             const TextStyle& style)
      : rules_(rules),
        findings_(findings),
        style_(style),
        paint_{style.colour} {}

  std::string write() {
    std::map<std::string, int> hidden;
    const Diagnosis* last = nullptr;
    for (std::size_t i = 0; i < findings_.diagnoses.size(); ++i) {
      const Diagnosis& diagnosis = findings_.diagnoses[i];
      if (diagnosis.severity == Severity::consequence && !style_.all) {
        ++hidden[diagnosis.kind];
        continue;
      }
      if (last != nullptr)
        text_ += '\n';
      part(diagnosis,
           i < findings_.excerpts.size() ? findings_.excerpts[i] : Excerpt());
      if (style_.explain) {
        explain(diagnosis);
        if (last != nullptr)
          text_ +=
              "  behind " + last->rule + ": " + order(*last, diagnosis) + "\n";
      }
      last = &diagnosis;
    }
    if (findings_.diagnoses.empty())
      nothing_found();
    if (!hidden.empty())
      text_ += "\n" + consequences(hidden);
    if (style_.explain)
      text_ += set_aside();
    return std::move(text_);
  }

 private:
  void part(const Diagnosis& diagnosis, const Excerpt& excerpt) {
    const bool consequence = diagnosis.severity == Severity::consequence;
    text_ += paint_(consequence ? yellow : red, diagnosis.kind) +
             paint_(bold, printable_line(place_of(diagnosis))) +
             (consequence ? ", a consequence" : "") + "\n\n";
    text_ += lines(diagnosis, excerpt);
    text_ += "\n";
    if (diagnosis.severity == Severity::undetermined) {
      unexplained(diagnosis);
      return;
    }
    if (!diagnosis.why.empty())
      text_ += "  " + paint_(bold, sentence(diagnosis.why)) + "\n";
    if (!diagnosis.cure.empty())
      text_ +=
          "  " + paint_(green, "Cure:") + " " + sentence(diagnosis.cure) + "\n";
    const std::string fixes = what_build_does(diagnosis);
    if (!fixes.empty())
      text_ += "  " + paint_(green, "autopin build") + " " + fixes + "\n";
  }

  std::string lines(const Diagnosis& diagnosis, const Excerpt& excerpt) const {
    const Rule* rule = rules_.find(diagnosis.rule);
    const int width = static_cast<int>(
        excerpt.empty() ? 1 : std::to_string(excerpt.back().number).size());
    std::string text;
    std::size_t matched = 0;
    for (std::size_t i = 0; i < excerpt.size(); ++i) {
      const ExcerptLine& line = excerpt[i];
      if (line.matched && ++matched > most_matched_lines) {
        text += fmt::format(
            "    {:>{}} ┆ and {} more lines\n", "", width,
            std::count_if(
                excerpt.begin() + static_cast<std::ptrdiff_t>(i), excerpt.end(),
                [](const ExcerptLine& rest) { return rest.matched; }));
        break;
      }
      if (i > 0 && !line.follows(excerpt[i - 1]))
        text += fmt::format("    {:>{}} ┆\n", "", width);
      const auto match = line.matched && rule != nullptr
                             ? matched_part(*rule, line.text)
                             : std::pair<std::size_t, std::size_t>{0, 0};
      const Parts parts = parts_of(line.text, match);
      const std::string gutter = fmt::format(
          "  {} {:>{}} │", line.matched ? ">" : " ", line.number, width);
      text += line.matched ? gutter : paint_(faint, gutter);
      text += " " + parts.before + paint_(red, parts.match) + parts.after;
      while (!text.empty() && text.back() == ' ')
        text.pop_back();
      text += '\n';
    }
    return text;
  }

  static std::string what_build_does(const Diagnosis& diagnosis) {
    if (diagnosis.severity == Severity::environment)
      return "stops here: this is the machine, not the draft.";
    if (diagnosis.severity == Severity::consequence)
      return "";
    std::vector<std::string> there;
    for (const std::string& name : diagnosis.fixes)
      if (const fix::Fix* fix = fix::find_fix(name))
        there.push_back(
            fix->word.empty() ? name : fmt::format("{} ({})", name, fix->word));
    return there.empty() ? "has no fix for this."
                         : "tries: " + join(there, ", ");
  }

  void unexplained(const Diagnosis& diagnosis) {
    if (has_telling_line(diagnosis)) {
      text_ += "  " +
               paint_(bold,
                      "No rule knows this failure; these are the last lines "
                      "that look like it.") +
               "\n";
    } else {
      text_ += "  " + paint_(bold, sentence(diagnosis.why)) + "\n";
    }
    if (!findings_.whole && !diagnosis.cure.empty() &&
        !has_telling_line(diagnosis))
      text_ +=
          "  " + paint_(green, "Cure:") + " " + sentence(diagnosis.cure) + "\n";
    if (!has_telling_line(diagnosis) && findings_.diagnoses.size() == 1)
      text_ += "\n  The log ends so:\n\n" + end_of_log();
    if (has_telling_line(diagnosis))
      text_ += "  " + paint_(green, "A rule for it:") + " " +
               how_to_begin_a_rule() + " begins one.\n";
  }

  std::string how_to_begin_a_rule() const {
    return "autopin rules new --from " +
           (findings_.file.empty() && !findings_.whole
                ? "LOG"
                : printable_line(findings_.log));
  }

  void nothing_found() {
    if (!findings_.no_text.empty()) {
      text_ += "Nothing can be read here: " + findings_.no_text + ".\n";
      return;
    }
    text_ += "Nothing in this log says that it failed, as far as rules know.\n";
    if (findings_.last_lines.empty()) {
      text_ += "The log is empty. ";
      text_ += findings_.file.empty() && !findings_.whole
                   ? "Nix writes it to standard error (nix-build 2>&1 | "
                     "autopin diagnose).\n"
                   : "Was standard error left out (2>&1) when it was made?\n";
      return;
    }
    text_ += "Its last lines:\n\n";
    text_ += end_of_log();
    text_ += "\nWhere line N of it is the failure, " + how_to_begin_a_rule() +
             " --line N begins a rule.\n";
  }

  std::string end_of_log() const {
    std::string text;
    if (findings_.last_lines.empty())
      return text;
    const int width = static_cast<int>(
        std::to_string(findings_.last_lines.back().number).size());
    for (const EvidenceLine& line : findings_.last_lines)
      text += paint_(faint, fmt::format("    {:>{}} │", line.number, width)) +
              " " + parts_of(line.text, {0, 0}).after + "\n";
    return text;
  }

  static std::string consequences(const std::map<std::string, int>& hidden) {
    std::vector<std::string> kinds;
    int count = 0;
    for (const auto& [kind, times] : hidden) {
      kinds.push_back(times == 1 ? kind : fmt::format("{} ×{}", kind, times));
      count += times;
    }
    return fmt::format("{} consequence{} of it: {} (--all shows {})\n", count,
                       count == 1 ? "" : "s", join(kinds, ", "),
                       count == 1 ? "it" : "them");
  }

  void explain(const Diagnosis& diagnosis) {
    text_ += '\n';
    if (const Rule* rule = rules_.find(diagnosis.rule)) {
      text_ += fmt::format(
          "  rule: {} ({}.json), rank {}{}\n", rule->id, rule->family,
          rule->rank, rule->weak ? ", where nothing better explains it" : "");
      if (!rule->explains.empty())
        text_ += "  explains: " + join(rule->explains, ", ") + "\n";
      if (!rule->url.empty())
        text_ += "  see: " + rule->url + "\n";
    }
    if (diagnosis.severity == Severity::consequence)
      explain_consequence(diagnosis);
    for (const auto& [name, values] : diagnosis.params)
      text_ += fmt::format("  {}: {}\n", name, values_text(values));
  }

  void explain_consequence(const Diagnosis& diagnosis) {
    const auto note =
        std::find_if(findings_.notes.begin(), findings_.notes.end(),
                     [&](const RankingNote& one) {
                       return one.rule == diagnosis.rule &&
                              (one.derivation == diagnosis.derivation ||
                               one.derivation.empty());
                     });
    if (note != findings_.notes.end())
      text_ += "  a consequence: " + note->why + "\n";
  }

  static std::string values_text(const std::vector<std::string>& values) {
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < values.size() && i < most_values; ++i)
      shown.push_back(sentence(values[i]));
    if (values.size() > shown.size())
      shown.push_back(fmt::format("and {} more", values.size() - shown.size()));
    return join(shown, ", ");
  }

  /// Why `behind` stands behind `before`; see rank_findings.
  std::string order(const Diagnosis& before, const Diagnosis& behind) const {
    if (before.severity != behind.severity) {
      if (before.severity == Severity::environment)
        return "that is the machine, without which nothing builds";
      if (behind.severity == Severity::consequence)
        return "this is a consequence";
      return "that is known, this is not";
    }
    const Rule* one = rules_.find(before.rule);
    const Rule* other = rules_.find(behind.rule);
    if (one != nullptr && other != nullptr && one->rank != other->rank)
      return fmt::format("rank {} is nearer to the cause than {}", one->rank,
                         other->rank);
    return "of the same rank, and later in the log";
  }

  std::string set_aside() const {
    std::string text;
    for (const RankingNote& note : findings_.notes)
      text += fmt::format("  line {}: {} ({}): {}\n", note.number, note.rule,
                          note.kind, note.why);
    return text.empty() ? text : "\nFound too, and no cause:\n" + text;
  }

  const RuleSet& rules_;
  const LogFindings& findings_;
  const TextStyle& style_;
  Paint paint_;
  std::string text_;
};

}  // namespace

std::string place_of(const Diagnosis& diagnosis) {
  std::string text;
  if (!diagnosis.derivation.empty())
    text += " in " + std::string(derivation_name(diagnosis.derivation));
  if (!diagnosis.phase.empty())
    text += ", " + diagnosis.phase;
  return text;
}

bool has_telling_line(const Diagnosis& diagnosis) {
  return diagnosis.severity == Severity::undetermined &&
         telling_line(diagnosis.lines).has_value();
}

std::string diagnoses_to_text(const RuleSet& rules, const LogFindings& findings,
                              const TextStyle& style) {
  return TextWriter(rules, findings, style).write();
}

}  // namespace autopin
