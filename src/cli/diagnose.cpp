#include "cli/diagnose.h"

#include <unistd.h>

#include <iostream>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/printable.h"
#include "cli/github.h"
#include "cli/real_world.h"
#include "cli/session_options.h"
#include "log/diagnoser.h"
#include "log/diagnosis_json.h"
#include "report/progress.h"

namespace autopin {

namespace {

void print(const RuleSet& rules, const std::vector<LogFindings>& all,
           const DiagnoseOptions& options, std::ostream& out) {
  if (options.format == DiagnoseFormat::json) {
    std::vector<Diagnosis> diagnoses;
    for (const LogFindings& findings : all)
      diagnoses.insert(diagnoses.end(), findings.diagnoses.begin(),
                       findings.diagnoses.end());
    out << diagnoses_to_json(rules, diagnoses);
    return;
  }
  for (const LogFindings& findings : all) {
    if (options.format == DiagnoseFormat::github) {
      out << github_annotations(findings, options.style.all,
                                std::filesystem::current_path());
      continue;
    }
    if (all.size() > 1)
      out << (&findings == &all.front() ? "" : "\n")
          << "== " << printable_line(findings.log) << "\n\n";
    out << diagnoses_to_text(rules, findings, options.style);
  }
}

}  // namespace

RuleSet rules_for(const std::vector<std::filesystem::path>& extra) {
  RuleSet rules = load_rules(rule_folders(extra));
  if (rules.rules().empty())
    throw Error("reading rules", "rules/",
                "no folder with rules was found; see --rules");
  return rules;
}

LogFindings read_findings(const RuleSet& rules, const LogInput& log,
                          bool with_excerpts) {
  LogFindings findings;
  findings.log = log.name;
  findings.file = log.file;
  findings.whole = !log.derivation.empty();
  Diagnoser diagnoser(rules);
  log.read([&](std::string_view bytes) { diagnoser.feed(bytes); });
  findings.diagnoses = diagnoser.finish(&findings.notes);
  if (with_excerpts) {
    ExcerptReader reader(findings.diagnoses, diagnoser.line_count());
    log.read([&](std::string_view bytes) { reader.feed(bytes); });
    reader.finish();
    for (const Diagnosis& diagnosis : findings.diagnoses)
      findings.excerpts.push_back(reader.around(diagnosis));
    findings.last_lines = reader.last_lines();
  }
  // A builder's own log does not say whose it is.
  for (Diagnosis& diagnosis : findings.diagnoses)
    if (diagnosis.derivation.empty())
      diagnosis.derivation = log.derivation;
  return findings;
}

int run_diagnose(World& world, const DiagnoseOptions& options,
                 std::ostream& out, std::ostream& notes) {
  const RuleSet rules = rules_for(options.rules);
  const bool with_excerpts = options.format != DiagnoseFormat::json;
  LogRequest request = options.log;
  request.once = !with_excerpts;
  std::vector<LogFindings> all;
  for (const LogInput& log : find_logs(world, request, notes))
    all.push_back(read_findings(rules, log, with_excerpts));
  print(rules, all, options, out);
  return 0;
}

void add_diagnose_command(CLI::App& app, int& exit_code) {
  static const std::map<std::string, DiagnoseFormat> formats = {
      {"text", DiagnoseFormat::text},
      {"json", DiagnoseFormat::json},
      {"github", DiagnoseFormat::github}};
  auto options = std::make_shared<DiagnoseOptions>();
  CLI::App* command =
      app.add_subcommand("diagnose", "Say why a build failed, from its log");
  command
      ->add_option("log", options->log.what,
                   "A log; -: standard input; a .drv or other store path: the "
                   "log that Nix keeps of it; a .nix file, a folder or an "
                   "installable (.#name): the log of its derivation, or of "
                   "what that waits for")
      ->type_name("LOG");
  command
      ->add_option("-A,--attr", options->log.attributes,
                   "The log of this attribute of FILE.nix (or default.nix, or "
                   "'<nixpkgs>')")
      ->type_name("ATTR")
      ->allow_extra_args(false);
  command
      ->add_option("-E,--expr", options->log.expression,
                   "The log of what an expression makes")
      ->type_name("EXPR");
  command->add_option("--format", options->format, "text, json or github")
      ->transform(CLI::CheckedTransformer(formats))
      ->type_name("text|json|github");
  command->add_flag_callback(
      "--json", [options] { options->format = DiagnoseFormat::json; },
      "Same as --format json");
  command->add_flag("--all", options->style.all, "Show consequences too");
  command->add_flag("--explain", options->style.explain,
                    "Say why this rule, why before that one, and what else "
                    "was found");
  command->add_option("--rules", options->rules, "A folder with further rules")
      ->type_name("DIR")
      ->allow_extra_args(false);
  add_evaluation_flags(*command, options->log.evaluation_flags);
  command->footer(
      "nix-build 2>&1 | autopin diagnose\n\n"
      "autopin diagnose .#name\n\n"
      "autopin diagnose -A name default.nix\n\n"
      "autopin diagnose --format github build.log");
  command->callback([options, &exit_code] {
    if (options->log.what.empty() && options->log.attributes.empty() &&
        options->log.expression.empty() && isatty(STDIN_FILENO) != 0)
      throw CLI::RequiredError("a log");
    options->style.colour = report::wants_colour(STDOUT_FILENO);
    RealWorld real;
    exit_code = run_diagnose(real.world(), *options, std::cout, std::cerr);
  });
}

}  // namespace autopin
