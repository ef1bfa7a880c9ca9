#include "cli/rules.h"

#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/text.h"
#include "log/diagnosis_json.h"
#include "log/rule_check.h"
#include "log/rule_set.h"

namespace autopin {

namespace {

using Folders = std::vector<std::filesystem::path>;

std::string templates_text(
    const std::map<std::string, std::vector<std::string>>& params) {
  std::string text;
  for (const auto& [name, values] : params)
    text += fmt::format("  {} = {}\n", name, join(values, " or "));
  return text;
}

}  // namespace

int run_rules_list(const Folders& extra, std::ostream& out) {
  const RuleSet rules = load_rules(rule_folders(extra));
  for (const Rule& rule : rules.rules())
    out << fmt::format("{:<44} {:<34} {}\n", rule.id, rule.kind, rule.family);
  return 0;
}

int run_rules_show(const Folders& extra, const std::string& id,
                   std::ostream& out) {
  const RuleSet rules = load_rules(rule_folders(extra));
  const Rule* rule = rules.find(id);
  if (rule == nullptr)
    throw Error("showing a rule", id,
                "there is none of that name; see `autopin rules list`");
  out << fmt::format("{}: {} ({}, rank {})\n", rule->id, rule->kind,
                     severity_word(rule->severity), rule->rank);
  out << "why: " << rule->why << "\ncure: " << rule->cure << '\n';
  if (!rule->url.empty())
    out << "see: " << rule->url << '\n';
  for (const Context& context : rule->context)
    out << fmt::format("{} above, within {} lines: {}\n",
                       context.required ? "needs" : "takes", context.within,
                       context.pattern.text);
  for (const Pattern& pattern : rule->patterns)
    out << "pattern: " << pattern.text << '\n';
  for (const Pattern& pattern : rule->block.lines)
    out << "below: " << pattern.text << '\n';
  if (!rule->params.empty())
    out << "params:\n" << templates_text(rule->params);
  if (!rule->explains.empty())
    out << "explains: " << join(rule->explains, ", ") << '\n';
  if (!rule->fixes.empty())
    out << "fixes: " << join(rule->fixes, ", ") << '\n';
  for (const RuleSample& sample : rule->samples)
    out << (sample.positive ? "sample:\n" : "not:\n") << sample.log << '\n';
  return 0;
}

int run_rules_check(const Folders& extra, std::ostream& out) {
  const RuleSet rules = load_rules(rule_folders(extra));
  const std::vector<RuleProblem> problems = check_rules(rules);
  for (const RuleProblem& problem : problems)
    out << problem.rule << ": " << problem.what << '\n';
  std::size_t samples = 0;
  for (const Rule& rule : rules.rules())
    samples += rule.samples.size();
  out << fmt::format("{} rules, {} kinds, {} samples, {} problems\n",
                     rules.rules().size(), rules.kinds().size(), samples,
                     problems.size());
  return problems.empty() ? 0 : 1;
}

void add_rules_command(CLI::App& app, int& exit_code) {
  struct Options {
    Folders rules;
    std::string id;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("rules", "List, show or prove the rules");
  command->require_subcommand(1);
  command->add_option("--rules", options->rules, "Further folders with rules");
  command->add_subcommand("list", "One line per rule")
      ->callback([options, &exit_code] {
        exit_code = run_rules_list(options->rules, std::cout);
      });
  CLI::App* show = command->add_subcommand("show", "All of one rule");
  show->add_option("id", options->id, "The rule")->required();
  show->callback([options, &exit_code] {
    exit_code = run_rules_show(options->rules, options->id, std::cout);
  });
  CLI::App* check =
      command->add_subcommand("check", "Prove every rule by its samples");
  check->add_option("folders", options->rules,
                    "Folders with rules beside the usual ones");
  check->callback([options, &exit_code] {
    exit_code = run_rules_check(options->rules, std::cout);
  });
}

}  // namespace autopin
