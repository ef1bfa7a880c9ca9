#include "cli/diagnose.h"

#include <unistd.h>

#include <array>
#include <iostream>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/printable.h"
#include "cli/format_option.h"
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

/// Why bytes that begin so are no log, "" where they may be one.
std::string why_no_text(std::string_view begin) {
  using namespace std::literals;
  // Each format's own first bytes.
  static constexpr std::array<std::array<std::string_view, 3>, 4> packed{{
      {"BZh"sv, "bzip2"sv, "bzcat"sv},
      {"\x1f\x8b"sv, "gzip"sv, "zcat"sv},
      {"\xfd"
       "7zXZ"sv,
       "xz"sv, "xzcat"sv},
      {"\x28\xb5\x2f\xfd"sv, "zstd"sv, "zstdcat"sv},
  }};
  for (const auto& [magic, name, program] : packed)
    if (begin.starts_with(magic))
      return fmt::format("it is compressed ({}): {} FILE | autopin diagnose",
                         name, program);
  // As grep and git tell: a NUL in what is read first.
  if (begin.substr(0, 8192).find('\0') != std::string_view::npos)
    return "it has NUL bytes, as no text has";
  return "";
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
  bool first = true;
  log.read([&](std::string_view bytes) {
    if (std::exchange(first, false))
      findings.no_text = why_no_text(bytes);
    diagnoser.feed(bytes);
  });
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
  for (const LogInput& log : find_logs(world, request, notes)) {
    all.push_back(read_findings(rules, log, with_excerpts));
    if (!all.back().no_text.empty() && all.back().diagnoses.empty())
      notes << "autopin: " << printable_line(log.name)
            << " is no log: " << all.back().no_text << '\n';
  }
  print(rules, all, options, out);
  return 0;
}

void add_diagnose_command(CLI::App& app, int& exit_code) {
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
  add_format_option<DiagnoseFormat>(*command, options->format,
                                    {{"text", DiagnoseFormat::text},
                                     {"json", DiagnoseFormat::json},
                                     {"github", DiagnoseFormat::github}});
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
