#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/derivation_name.h"
#include "base/text.h"
#include "report/shown.h"
#include "report/views.h"

namespace autopin::report {
namespace {

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// A stranger's text as plain words: no markup, no mention (@), no reference
/// (#1), no cell of a table (GitHub Flavored Markdown, 2.4 and 6.1).
std::string words(std::string_view text) {
  std::string safe;
  const std::string line = shown_line(text);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    // Within a word it is no markup (6.2, rule 2).
    if (c == '_' && i > 0 && is_letter(line[i - 1]) && i + 1 < line.size() &&
        is_letter(line[i + 1])) {
      safe += c;
      continue;
    }
    switch (c) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      case '@':
        safe += "&#64;";
        break;
      case '#':
        safe += "&#35;";
        break;
      case '\\':
      case '`':
      case '*':
      case '_':
      case '[':
      case ']':
      case '|':
      case '~':
        safe += '\\';
        [[fallthrough]];
      default:
        safe += c;
    }
  }
  return safe;
}

std::size_t longest_run_of_backticks(std::string_view text) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

/// A block in which nothing is markup: its fence is longer than any inside.
std::string block(std::string_view text, std::string_view language) {
  const std::string inside = shown(text);
  const std::string fence(
      std::max<std::size_t>(3, longest_run_of_backticks(inside) + 1), '`');
  return fmt::format("{}{}\n{}{}{}\n", fence, language, inside,
                     inside.empty() || inside.ends_with('\n') ? "" : "\n",
                     fence);
}

std::string evidence(const Diagnosis& failure) {
  std::string text;
  for (const EvidenceLine& line : failure.lines)
    text += fmt::format("{:>6}  {}\n", line.number, shown_line(line.text));
  return text;
}

/// The derivation with the kind of its first cause; one of the evaluation has
/// no derivation.
std::string failure_cell(const Failure& failure) {
  std::string name = words(derivation_name(failure.derivation));
  if (failure.diagnoses.empty())
    return name;
  const std::string kind = words(failure.diagnoses.front().kind);
  return name.empty() ? kind : name + " (" + kind + ")";
}

std::string rounds(const PatchLog& log) {
  std::string text =
      "| round | outcome | seconds | failures |\n|--:|---|--:|---|\n";
  for (const Round& round : log.rounds) {
    std::vector<std::string> failures;
    for (const Failure& failure : round.failures)
      failures.push_back(failure_cell(failure));
    text += fmt::format("| {} | {} | {:.1f} | {} |\n", round.number,
                        name_of(round.outcome), round.seconds,
                        join(failures, ", "));
  }
  return text;
}

std::string steps(const PatchLog& log) {
  std::string text = "| step | change | because | risk |\n|--:|---|---|---|\n";
  for (const Step* step : standing_steps(log))
    text += fmt::format("| {} | {} | {} | {} |\n", step->number,
                        words(step->summary), words(step->why),
                        name_of(step->risk));
  return text;
}

std::string details(const Step& step) {
  std::string text =
      fmt::format("### {}. {}\n\n", step.number, words(step.summary));
  text += fmt::format("{} Rule {}, risk **{}**.\n\n", sentence(words(step.why)),
                      words(step.failure.rule), name_of(step.risk));
  if (!step.taken_back.empty())
    text += "Taken back: " + words(step.taken_back) + "\n\n";
  for (const std::string& check : step.weakens)
    text += "- No longer checked: " + words(check) + "\n";
  for (const Provenance& from : step.provenance)
    text += fmt::format("- From {}: {} {}\n", words(from.index),
                        words(from.file), words(from.hash));
  for (const Alternative& other : step.alternatives)
    text +=
        fmt::format("- Not {}: {}\n", words(other.fix), words(other.why_not));
  if (!text.ends_with("\n\n"))
    text += "\n";
  if (!step.failure.lines.empty())
    text +=
        "What the log says:\n\n" + block(evidence(step.failure), "text") + "\n";
  if (!step.diff.empty())
    text += block(step.diff, "diff") + "\n";
  return text;
}

}  // namespace

std::string to_markdown(const PatchLog& log) {
  std::string text = fmt::format("# {}: {}\n\n", words(log.draft), log.outcome);
  if (!log.message.empty())
    text += words(log.message) + "\n\n";
  text += fmt::format(
      "{} of {} builds failed. autopin {}, Nix {}, {}, {:.0f} s.\n\n",
      log.failing_builds, log.builds, words(log.autopin), words(log.nix),
      words(log.system), log.seconds);
  if (!standing_steps(log).empty())
    text += "## What changed\n\n" + steps(log) + "\n";
  if (!log.rounds.empty())
    text += "## Rounds\n\n" + rounds(log) + "\n";
  if (!log.learned.empty()) {
    text += "## Learned\n\n";
    for (const std::string& sentence : log.learned)
      text += "- " + words(sentence) + "\n";
    text += "\n";
  }
  if (!log.steps.empty())
    text += "## Steps\n\n";
  for (const Step& step : log.steps)
    text += details(step);
  text.pop_back();
  return text;
}

}  // namespace autopin::report
