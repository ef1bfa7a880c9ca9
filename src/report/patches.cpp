#include <fmt/format.h>

#include <cctype>

#include "report/shown.h"
#include "report/views.h"

namespace autopin::report {
namespace {

std::string slug(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!name.empty() && name.back() != '-')
      name += '-';
    if (name.size() == 48)
      break;
  }
  while (!name.empty() && name.back() == '-')
    name.pop_back();
  return name.empty() ? "step" : name;
}

/// Indented, so that nothing of a stranger's begins a line: git apply takes
/// "diff --git", "--- " and "@@ " there for parts of a patch.
std::string header(const Step& step) {
  std::string text =
      fmt::format("Subject: [autopin] {}\n\n  {}\n\n  rule: {}\n  risk: {}\n",
                  shown_line(step.summary), shown_line(step.why),
                  shown_line(step.failure.rule), name_of(step.risk));
  for (const EvidenceLine& line : step.failure.lines)
    text +=
        fmt::format("  log line {}: {}\n", line.number, shown_line(line.text));
  return text + "\n";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> patches(const PatchLog& log) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const Step* step : standing_steps(log)) {
    if (step->diff.empty())
      continue;
    files.emplace_back(
        fmt::format("{:04}-{}.patch", step->number, slug(step->summary)),
        header(*step) + step->diff);
  }
  return files;
}

std::string summary(const PatchLog& log) {
  std::string text;
  for (const Step* step : standing_steps(log)) {
    text += fmt::format("  {:>2}. {} [{}]\n", step->number,
                        shown_line(step->summary), name_of(step->risk));
    for (const std::string& check : step->weakens)
      text += "      no longer checked: " + shown_line(check) + "\n";
  }
  const std::size_t count = standing_steps(log).size();
  text +=
      fmt::format("{}: {} step{} in {} round{}, {} of {} build{} failed\n",
                  log.outcome, count, count == 1 ? "" : "s", log.rounds.size(),
                  log.rounds.size() == 1 ? "" : "s", log.failing_builds,
                  log.builds, log.builds == 1 ? "" : "s");
  if (!log.message.empty())
    text += shown(log.message) + (log.message.ends_with('\n') ? "" : "\n");
  return text;
}

}  // namespace autopin::report
