#include "cli/diagnose.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cli/diagnosis_text.h"
#include "log/diagnoser.h"
#include "log/diagnosis_json.h"
#include "log/rule_set.h"

namespace autopin {

namespace {

void feed_stream(Diagnoser& diagnoser, std::istream& in,
                 const std::string& name) {
  std::vector<char> buffer(256 * 1024);
  while (in) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    diagnoser.feed({buffer.data(), static_cast<std::size_t>(in.gcount())});
  }
  if (in.bad())
    throw Error("reading the log", name, "the read failed");
}

void feed_log(Diagnoser& diagnoser, const std::string& name) {
  if (name == "-") {
    feed_stream(diagnoser, std::cin, "standard input");
    return;
  }
  if (std::filesystem::is_directory(name))
    throw Error("reading the log", name, "it is a folder");
  std::ifstream file(name, std::ios::binary);
  if (!file)
    throw Error("reading the log", name,
                "no such file, or no right to read it");
  feed_stream(diagnoser, file, name);
}

}  // namespace

int run_diagnose(const DiagnoseOptions& options, std::ostream& out) {
  const RuleSet rules = load_rules(rule_folders(options.rules));
  if (rules.rules().empty())
    throw Error("reading rules", "rules/",
                "no folder with rules was found; see --rules");
  Diagnoser diagnoser(rules);
  feed_log(diagnoser, options.log);
  const std::vector<Diagnosis> diagnoses = diagnoser.finish();
  switch (options.format) {
    case DiagnoseFormat::json:
      out << diagnoses_to_json(rules, diagnoses);
      break;
    case DiagnoseFormat::github:
      out << github_annotations(diagnoses);
      break;
    case DiagnoseFormat::text:
      out << diagnoses_to_text(rules, diagnoses, options);
      break;
  }
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
  command->add_option("log", options->log,
                      "The log; - or nothing: standard input");
  command->add_option("--format", options->format, "text, json or github")
      ->transform(CLI::CheckedTransformer(formats));
  command->add_flag_callback(
      "--json", [options] { options->format = DiagnoseFormat::json; },
      "Same as --format json");
  command->add_flag("--all", options->all, "Show consequences too");
  command->add_flag("--explain", options->explain,
                    "Say why this rule and no other");
  command->add_option("--rules", options->rules, "Further folders with rules");
  command->callback([options, &exit_code] {
    options->colour =
        isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
    exit_code = run_diagnose(*options, std::cout);
  });
}

}  // namespace autopin
