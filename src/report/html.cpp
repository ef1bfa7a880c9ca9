#include <fmt/format.h>

#include "base/derivation_name.h"
#include "base/text.h"
#include "report/shown.h"
#include "report/views.h"

namespace autopin::report {
namespace {

constexpr std::string_view style = R"css(
:root { color-scheme: light dark; --back: #fff; --text: #1b1b1f; --soft: #5d5d66;
  --line: #d9d9e0; --panel: #f6f6f9; --plus: #e3f6e6; --minus: #fde7e7;
  --good: #1a7f37; --bad: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --back: #17171b; --text: #e4e4ea; --soft: #a0a0ab; --line: #3a3a44;
    --panel: #212127; --plus: #16331d; --minus: #3d1c1c; --good: #6fcf87;
    --bad: #ff8a80; } }
body { background: var(--back); color: var(--text); margin: 2rem auto;
  max-width: 60rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
h3 { font-size: 1rem; }
p.soft, td.soft { color: var(--soft); }
.good { color: var(--good); } .bad { color: var(--bad); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .6rem; vertical-align: top;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
section { border: 1px solid var(--line); border-radius: .5rem;
  padding: 0 1rem 1rem; margin: 1rem 0; }
section.back { opacity: .65; }
pre { background: var(--panel); padding: .75rem; border-radius: .4rem;
  overflow-x: auto; font: .85rem/1.45 ui-monospace, monospace; }
pre span { display: block; min-height: 1.45em; }
.plus { background: var(--plus); } .minus { background: var(--minus); }
.place { color: var(--soft); }
.risk { border: 1px solid currentColor; border-radius: 1rem; padding: 0 .6rem;
  font-size: .85rem; white-space: nowrap; }
)css";

/// A stranger's text between tags: it shows, and its direction ends with it.
std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : shown(text)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string words(std::string_view text) {
  return "<bdi>" + escaped(text) + "</bdi>";
}

std::string risk_label(Risk risk) {
  return fmt::format(R"(<span class="risk {}">{}</span>)",
                     risk == Risk::exact || risk == Risk::pin ? "" : "bad",
                     name_of(risk));
}

std::string diff(std::string_view text) {
  std::string html = "<pre>";
  for (const std::string_view line : lines_of(text)) {
    std::string_view kind;
    if (line.starts_with("@@") || line.starts_with("+++") ||
        line.starts_with("---"))
      kind = " class=\"place\"";
    else if (line.starts_with("+"))
      kind = " class=\"plus\"";
    else if (line.starts_with("-"))
      kind = " class=\"minus\"";
    html += fmt::format("<span{}>{}</span>", kind, escaped(line));
  }
  return html + "</pre>\n";
}

std::string evidence(const Diagnosis& failure) {
  std::string html = "<pre>";
  for (const EvidenceLine& line : failure.lines)
    html += fmt::format("<span><span class=\"place\">{}</span>{}</span>",
                        line.number, escaped(shown_line(line.text)));
  return html + "</pre>\n";
}

std::string item(std::string_view name, const std::string& html) {
  return fmt::format("<li>{}: {}</li>\n", name, html);
}

std::string facts(const Step& step) {
  std::string html;
  for (const std::string& check : step.weakens)
    html += item("no longer checked", words(check));
  for (const Provenance& from : step.provenance)
    html += item("from", words(from.index) + " " + words(from.file) + " " +
                             words(from.hash));
  for (const Alternative& other : step.alternatives)
    html += item("not", words(other.fix) + " — " + words(other.why_not));
  for (const DerivationChange& change : step.changed)
    html += item("changes", words(change.name));
  return html.empty() ? html : "<ul>\n" + html + "</ul>\n";
}

std::string section(const Step& step) {
  std::string html = fmt::format(
      "<section id=\"step-{}\"{}>\n<h3>{}. {} {}</h3>\n<p>{}</p>\n",
      step.number, step.taken_back.empty() ? "" : " class=\"back\"",
      step.number, words(step.summary), risk_label(step.risk), words(step.why));
  if (!step.taken_back.empty())
    html += "<p class=\"bad\">Taken back: " + words(step.taken_back) + "</p>\n";
  html += fmt::format("<p class=\"soft\">rule {}, fix {}, round {}</p>\n",
                      words(step.failure.rule), words(step.fix), step.round);
  html += facts(step);
  if (!step.failure.lines.empty())
    html += evidence(step.failure);
  if (!step.diff.empty())
    html += diff(step.diff);
  return html + "</section>\n";
}

std::string step_table(const PatchLog& log) {
  std::string html =
      "<h2>What changed</h2>\n<table>\n<tr><th></th><th>change</th>"
      "<th>because</th><th>risk</th></tr>\n";
  for (const Step* step : standing_steps(log))
    html += fmt::format(
        "<tr><td><a href=\"#step-{0}\">{0}</a></td><td>{1}</td><td>{2}</td>"
        "<td>{3}</td></tr>\n",
        step->number, words(step->summary), words(step->why),
        risk_label(step->risk));
  return html + "</table>\n";
}

std::string round_table(const PatchLog& log) {
  std::string html =
      "<h2>Rounds</h2>\n<table>\n<tr><th></th><th>outcome</th><th>seconds</th>"
      "<th>failures</th></tr>\n";
  for (const Round& round : log.rounds) {
    std::vector<std::string> failures;
    for (const Failure& failure : round.failures) {
      if (!failure.derivation.empty())
        failures.push_back(words(derivation_name(failure.derivation)));
      for (const Diagnosis& diagnosis : failure.diagnoses)
        failures.push_back(
            words(diagnosis.why.empty() ? diagnosis.kind : diagnosis.why));
    }
    html += fmt::format(
        "<tr><td>{}</td><td class=\"{}\">{}</td><td>{:.1f}</td><td>{}</td>"
        "</tr>\n",
        round.number, round.outcome == RoundOutcome::green ? "good" : "bad",
        name_of(round.outcome), round.seconds, join(failures, "<br>"));
  }
  return html + "</table>\n";
}

}  // namespace

std::string to_html(const PatchLog& log) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\" dir=\"ltr\">\n<head>\n"
      "<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<title>autopin: {}</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<h1>{}: <span class=\"{}\">{}</span></h1>\n",
      escaped(log.draft), style, words(log.draft),
      log.outcome == "green" ? "good" : "bad", escaped(log.outcome));
  if (!log.message.empty())
    html += "<p>" + words(log.message) + "</p>\n";
  html += fmt::format(
      "<p class=\"soft\">{} of {} builds failed. autopin {}, Nix {}, {}, "
      "{:.0f} s.</p>\n",
      log.failing_builds, log.builds, words(log.autopin), words(log.nix),
      words(log.system), log.seconds);
  if (!standing_steps(log).empty())
    html += step_table(log);
  if (!log.rounds.empty())
    html += round_table(log);
  if (!log.learned.empty()) {
    html += "<h2>Learned</h2>\n<ul>\n";
    for (const std::string& sentence : log.learned)
      html += "<li>" + words(sentence) + "</li>\n";
    html += "</ul>\n";
  }
  if (!log.steps.empty())
    html += "<h2>Steps</h2>\n";
  for (const Step& step : log.steps)
    html += section(step);
  return html + "</body>\n</html>\n";
}

}  // namespace autopin::report
