#include "cli/github.h"

#include <fmt/format.h>

#include <optional>

#include <re2/re2.h>

#include "base/printable.h"
#include "base/text.h"

namespace autopin {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_lines = 12;
constexpr std::size_t longest_line = 300;
/// GitHub cuts what is longer without a word.
constexpr std::size_t longest_message = 4000;

/// What a workflow command's message may not hold (GitHub, actions/toolkit,
/// packages/core/src/command.ts: escapeData).
std::string message_text(std::string_view text) {
  std::string escaped = replace_all(printable(text), "%", "%25");
  escaped = replace_all(escaped, "\r", "%0D");
  return replace_all(escaped, "\n", "%0A");
}

/// The same for a property (escapeProperty), which a colon or comma would end.
std::string property_text(std::string_view text) {
  std::string escaped = message_text(text);
  escaped = replace_all(escaped, ":", "%3A");
  return replace_all(escaped, ",", "%2C");
}

std::string cut(std::string_view text, std::size_t most) {
  if (text.size() <= most)
    return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U)
    --most;
  return std::string(text.substr(0, most)) + "…";
}

struct Position {
  std::string file;
  long line = 0;
};

/// A flake's files are evaluated from a copy in the store.
std::string in_checkout(const std::string& file, const fs::path& folder) {
  static const RE2 copy("^/.*/[0-9a-z]{32}-[^/]*/(.+)$");
  std::error_code problem;
  std::string inside;
  if (RE2::FullMatch(file, copy, &inside) &&
      fs::exists(folder / inside, problem))
    return inside;
  const fs::path path = (folder / file).lexically_normal();
  const fs::path relative = path.lexically_relative(folder.lexically_normal());
  return relative.empty() || *relative.begin() == ".." ? file
                                                       : relative.string();
}

/// Where the expression is wrong, if the evaluator said so; else the log.
std::optional<Position> position_of(const Diagnosis& diagnosis,
                                    const LogFindings& findings,
                                    const fs::path& folder) {
  static const RE2 position("^(.+?):(\\d{1,9})(?::\\d+)?$");
  Position found;
  if (!RE2::FullMatch(diagnosis.param("position"), position, &found.file,
                      &found.line)) {
    if (findings.file.empty())
      return std::nullopt;
    found.file = findings.file;
    found.line = diagnosis.lines.empty() ? 0 : diagnosis.lines.back().number;
  }
  found.file = in_checkout(found.file, folder);
  return found;
}

std::string message_of(const Diagnosis& diagnosis, const Excerpt& excerpt) {
  std::string message = diagnosis.why;
  std::size_t shown = 0;
  for (const ExcerptLine& line : excerpt) {
    if (++shown > most_lines)
      break;
    message += fmt::format("\n{} {:>5} | {}", line.matched ? ">" : " ",
                           line.number, cut(line.text, longest_line));
  }
  if (!diagnosis.cure.empty())
    message += "\n" + diagnosis.cure;
  return cut(message, longest_message);
}

std::string_view level(Severity severity) {
  return severity == Severity::consequence ? "notice" : "error";
}

}  // namespace

std::string github_annotations(const LogFindings& findings, bool all,
                               const fs::path& folder) {
  std::string text;
  for (std::size_t i = 0; i < findings.diagnoses.size(); ++i) {
    const Diagnosis& diagnosis = findings.diagnoses[i];
    if (diagnosis.severity == Severity::consequence && !all)
      continue;
    text += fmt::format("::{} ", level(diagnosis.severity));
    if (const auto position = position_of(diagnosis, findings, folder)) {
      text += "file=" + property_text(position->file) + ",";
      if (position->line > 0)
        text += fmt::format("line={},", position->line);
    }
    text += fmt::format(
        "title={}::{}\n", property_text(diagnosis.kind + place_of(diagnosis)),
        message_text(message_of(diagnosis, i < findings.excerpts.size()
                                               ? findings.excerpts[i]
                                               : Excerpt())));
  }
  if (findings.diagnoses.empty())
    text += fmt::format("::warning title=autopin::{}\n",
                        message_text("Nothing in " + findings.log +
                                     " says that it failed, as far as rules "
                                     "know."));
  return text;
}

}  // namespace autopin
