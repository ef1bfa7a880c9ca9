#include "cli/suggest.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "base/printable.h"
#include "cli/log_input.h"
#include "cli/real_world.h"
#include "cli/session_options.h"
#include "report/json.h"

namespace autopin {
namespace {

struct SuggestOptions {
  SessionOptions session;
  std::string log = "-";
};

std::string read_log(const std::string& name) {
  std::string log;
  log_file(name, true).read([&](std::string_view bytes) { log += bytes; });
  return log;
}

void print_json(const Suggestion& suggestion) {
  report::Json json;
  json["schema"] = 1;
  json["diagnoses"] = report::Json::array();
  for (const auto& diagnosis : suggestion.diagnoses)
    json["diagnoses"].push_back(report::json_of(diagnosis));
  json["steps"] = report::Json::array();
  for (const auto& step : suggestion.steps) {
    report::Json row;
    row["rule"] = step.failure.rule;
    row["fix"] = step.fix;
    row["risk"] = name_of(step.risk);
    row["summary"] = step.summary;
    row["why"] = step.why;
    row["diff"] = step.diff;
    json["steps"].push_back(std::move(row));
  }
  json["outcome"] = suggestion.outcome;
  json["why_not"] = suggestion.why_not;
  std::cout << report::dump(json, 2) << '\n';
}

void print_text(const Suggestion& suggestion) {
  for (const auto& diagnosis : suggestion.diagnoses)
    if (diagnosis.severity != Severity::consequence)
      std::cerr << "autopin: " << printable(diagnosis.why) << '\n';
  for (const auto& step : suggestion.steps)
    std::cerr << "  " << step.number << ". " << printable(step.summary) << " ["
              << name_of(step.risk) << "]\n";
  if (suggestion.outcome != "fixed")
    for (const auto& why : suggestion.why_not)
      std::cerr << "  " << printable(why) << '\n';
  std::cout << suggestion.diff;
}

ExitCode exit_code_of(const Suggestion& suggestion) {
  if (suggestion.outcome == "fixed")
    return ExitCode::green;
  if (suggestion.outcome == "refused")
    return ExitCode::refused;
  return suggestion.why_not.empty() ? ExitCode::no_rule : ExitCode::cannot_fix;
}

int run_suggest(const SuggestOptions& options) {
  RealWorld real(options.session.network);
  const std::string log = read_log(options.log);
  const Session session = session_of(real.world(), options.session);
  const auto progress = report::silent_progress();
  const Suggestion suggestion = suggest(real.world(), session, log, *progress);
  if (suggestion.outcome == "fixed" && options.session.in_place)
    for (const auto& file : suggestion.draft.files())
      if (suggestion.draft.changed(file))
        real.files().write(file, suggestion.draft.text(file));
  if (options.session.json)
    print_json(suggestion);
  else
    print_text(suggestion);
  return static_cast<int>(exit_code_of(suggestion));
}

}  // namespace

void add_suggest_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<SuggestOptions>();
  CLI::App* command = app.add_subcommand(
      "suggest",
      "One round from a log that you have: prints a diff, builds nothing");
  add_session_options(*command, options->session);
  command
      ->add_option("--log", options->log,
                   "The log of the failed build; -: standard input")
      ->type_name("FILE");
  command->callback(
      [options, &exit_code] { exit_code = run_suggest(*options); });
}

}  // namespace autopin
