#include "cli/diagnosis_text.h"

#include <fmt/format.h>

#include "base/text.h"
#include "log/clean.h"
#include "log/diagnosis_json.h"

namespace autopin {

namespace {

/// Values come out of a log: nothing of them may steer the terminal.
std::string printable(std::string_view text) {
  std::string scratch;
  return std::string(strip_escapes(text, scratch));
}

struct Paint {
  bool on = false;
  std::string operator()(std::string_view code, const std::string& text) const {
    return on ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
  }
};

std::string where(const Diagnosis& diagnosis) {
  std::string text;
  if (!diagnosis.derivation.empty())
    text += " in " + std::string(store_name(diagnosis.derivation));
  if (!diagnosis.phase.empty())
    text += " (" + diagnosis.phase + ")";
  return printable(text);
}

std::string params_text(const Diagnosis& diagnosis) {
  std::string text;
  for (const auto& [name, values] : diagnosis.params) {
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < values.size() && i < 20; ++i)
      shown.push_back(printable(values[i]));
    if (values.size() > shown.size())
      shown.push_back(fmt::format("and {} more", values.size() - shown.size()));
    text += fmt::format("  {}: {}\n", name, join(shown, ", "));
  }
  return text;
}

std::string explanation(const RuleSet& rules, const Diagnosis& diagnosis) {
  const Rule* rule = rules.find(diagnosis.rule);
  if (rule == nullptr)
    return {};
  std::string text = fmt::format(
      "  rule: {} ({}.json), rank {}{}\n", rule->id, rule->family, rule->rank,
      rule->weak ? ", only for want of a better one" : "");
  if (!rule->explains.empty())
    text += "  explains: " + join(rule->explains, ", ") + "\n";
  if (!rule->overrides.empty())
    text += "  before: " + join(rule->overrides, ", ") + "\n";
  if (!rule->url.empty())
    text += "  see: " + rule->url + "\n";
  return text;
}

std::string paragraph(const RuleSet& rules, const Diagnosis& diagnosis,
                      const DiagnoseOptions& options) {
  const Paint paint{options.colour};
  const bool consequence = diagnosis.severity == Severity::consequence;
  std::string text = fmt::format(
      "{} [{}]{}\n", paint(consequence ? "33" : "31;1", diagnosis.kind),
      severity_word(diagnosis.severity), where(diagnosis));
  if (!diagnosis.why.empty())
    text += "  " + printable(diagnosis.why) + "\n";
  text += params_text(diagnosis);
  for (std::size_t i = 0; i < diagnosis.lines.size() && i < 8; ++i)
    text += fmt::format(
        "  {:>7} | {}\n", diagnosis.lines[i].number,
        paint("1", printable(diagnosis.lines[i].text.substr(0, 300))));
  if (!diagnosis.cure.empty())
    text +=
        "  " + paint("32", "cure") + ": " + printable(diagnosis.cure) + "\n";
  if (options.explain)
    text += explanation(rules, diagnosis);
  return text;
}

/// Escapes of workflow commands: percent, CR and LF in the message.
std::string command_text(const std::string& text) {
  std::string escaped = replace_all(text, "%", "%25");
  escaped = replace_all(escaped, "\r", "%0D");
  return replace_all(escaped, "\n", "%0A");
}

}  // namespace

std::string diagnoses_to_text(const RuleSet& rules,
                              const std::vector<Diagnosis>& diagnoses,
                              const DiagnoseOptions& options) {
  std::string text;
  std::size_t hidden = 0;
  for (const Diagnosis& diagnosis : diagnoses) {
    if (diagnosis.severity == Severity::consequence && !options.all) {
      ++hidden;
      continue;
    }
    if (!text.empty())
      text += "\n";
    text += paragraph(rules, diagnosis, options);
  }
  if (diagnoses.empty())
    text += "No failure that a rule knows is in this log.\n";
  if (hidden > 0)
    text += fmt::format("\n{} consequence{} not shown; --all shows them.\n",
                        hidden, hidden == 1 ? "" : "s");
  return text;
}

std::string github_annotations(const std::vector<Diagnosis>& diagnoses) {
  std::string text;
  for (const Diagnosis& diagnosis : diagnoses) {
    const bool cause = diagnosis.severity != Severity::consequence;
    std::string message = diagnosis.why;
    for (std::size_t i = 0; i < diagnosis.lines.size() && i < 5; ++i)
      message += "\n" + diagnosis.lines[i].text;
    if (!diagnosis.cure.empty())
      message += "\n" + diagnosis.cure;
    text += fmt::format(
        "::{} title={}::{}\n", cause ? "error" : "notice",
        replace_all(replace_all(command_text(diagnosis.kind + where(diagnosis)),
                                ":", "%3A"),
                    ",", "%2C"),
        command_text(printable(message).empty() ? diagnosis.kind : message));
  }
  return text;
}

}  // namespace autopin
