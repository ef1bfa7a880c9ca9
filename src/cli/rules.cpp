#include "cli/rules.h"

#include <iostream>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/diagnose.h"
#include "cli/real_world.h"
#include "fix/fix.h"
#include "log/diagnosis_json.h"
#include "log/rule_check.h"
#include "log/rule_set.h"

namespace autopin {

namespace {

using Folders = std::vector<std::filesystem::path>;
using Json = nlohmann::ordered_json;

Json to_json(const Rule& rule) {
  Json patterns = Json::array();
  for (const Pattern& pattern : rule.patterns)
    patterns.push_back(pattern.text);
  Json samples = Json::array();
  for (const RuleSample& sample : rule.samples)
    samples.push_back({{"log", sample.log}, {"matches", sample.positive}});
  return {{"id", rule.id},
          {"kind", rule.kind},
          {"family", rule.family},
          {"severity", severity_word(rule.severity)},
          {"rank", rule.rank},
          {"weak", rule.weak},
          {"why", rule.why},
          {"cure", rule.cure},
          {"url", rule.url},
          {"patterns", patterns},
          {"explains", rule.explains},
          {"fixes", rule.fixes},
          {"fix_needs", rule.fix_needs},
          {"samples", samples}};
}

void print(const Json& json, std::ostream& out) {
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

std::string templates_text(
    const std::map<std::string, std::vector<std::string>>& params) {
  std::string text;
  for (const auto& [name, values] : params)
    text += fmt::format("  {} = {}\n", name, join(values, " or "));
  return text;
}

/// What `rule` offers and is no fix.
std::set<std::string> missing_fixes(const Rule& rule) {
  std::set<std::string> missing;
  for (const std::string& name : rule.fixes)
    if (fix::find_fix(name) == nullptr)
      missing.insert(name);
  return missing;
}

/// Adds a problem for each fix that is none, and returns those that our own
/// rules offer in the hope that somebody writes them.
std::string check_fixes(const RuleSet& rules,
                        std::vector<RuleProblem>& problems) {
  std::set<std::string> wanted;
  const Folders folders = rule_folders({});
  const RuleSet shipped = load_rules({folders.front()});
  for (const Rule& rule : shipped.rules())
    wanted.merge(missing_fixes(rule));
  for (const Rule& rule : rules.rules())
    for (const std::string& name : missing_fixes(rule))
      if (wanted.count(name) == 0)
        problems.push_back(
            {rule.id, "it offers " + name + ", and there is no such fix"});
  return join({wanted.begin(), wanted.end()}, ", ");
}

}  // namespace

int run_rules_list(const Folders& extra, bool json, std::ostream& out) {
  const RuleSet rules = rules_for(extra);
  if (json) {
    Json all = Json::array();
    for (const Rule& rule : rules.rules())
      all.push_back(to_json(rule));
    print(all, out);
    return 0;
  }
  out << fmt::format("{:<44} {:<34} {}\n", "RULE", "KIND", "FILE");
  for (const Rule& rule : rules.rules())
    out << fmt::format("{:<44} {:<34} {}\n", rule.id, rule.kind, rule.family);
  return 0;
}

int run_rules_show(const Folders& extra, const std::string& id, bool json,
                   std::ostream& out) {
  const RuleSet rules = rules_for(extra);
  const Rule* rule = rules.find(id);
  if (rule == nullptr)
    throw Error("showing a rule", id,
                "there is none of that name; see `autopin rules list`");
  if (json) {
    print(to_json(*rule), out);
    return 0;
  }
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
    out << (sample.positive ? "sample:\n" : "not:\n") << printable(sample.log)
        << '\n';
  return 0;
}

int run_rules_kinds(const Folders& extra, bool json, std::ostream& out) {
  const RuleSet rules = rules_for(extra);
  if (json) {
    Json all = Json::object();
    for (const auto& [name, kind] : rules.kinds()) {
      Json params = Json::object();
      for (const auto& [param, type] : kind.params)
        params[param] = type == ParamType::list ? "list" : "one";
      all[name] = {{"meaning", kind.text}, {"params", params}};
    }
    print(all, out);
    return 0;
  }
  out << "| kind | params | meaning |\n|---|---|---|\n";
  for (const auto& [name, kind] : rules.kinds()) {
    std::vector<std::string> params;
    for (const auto& [param, type] : kind.params)
      params.push_back(param + (type == ParamType::list ? "[]" : ""));
    out << fmt::format("| {} | {} | {} |\n", name, join(params, ", "),
                       kind.text);
  }
  return 0;
}

int run_rules_check(const Folders& extra, bool json, std::ostream& out) {
  const RuleSet rules = rules_for(extra);
  std::vector<RuleProblem> problems = check_rules(rules);
  const std::string wanted = check_fixes(rules, problems);
  std::size_t samples = 0;
  for (const Rule& rule : rules.rules())
    samples += rule.samples.size();
  if (json) {
    Json found = Json::array();
    for (const RuleProblem& problem : problems)
      found.push_back({{"rule", problem.rule}, {"what", problem.what}});
    print({{"rules", rules.rules().size()},
           {"kinds", rules.kinds().size()},
           {"samples", samples},
           {"problems", found}},
          out);
    return problems.empty() ? 0 : 1;
  }
  for (const RuleProblem& problem : problems)
    out << printable_line(problem.rule + ": " + problem.what) << '\n';
  if (!wanted.empty())
    out << "note: fixes that rules offer and nobody has written yet: " << wanted
        << '\n';
  out << fmt::format("{} rules, {} kinds, {} samples, {} problems\n",
                     rules.rules().size(), rules.kinds().size(), samples,
                     problems.size());
  return problems.empty() ? 0 : 1;
}

namespace {

struct Options {
  Folders rules;
  std::string id;
  bool json = false;
  NewRule made;
};

void add_new(CLI::App& rules, const std::shared_ptr<Options>& options,
             int& exit_code) {
  CLI::App* begin = rules.add_subcommand(
      "new", "Print the skeleton of a rule for a log that no rule explains");
  begin
      ->add_option("--from", options->made.from.what,
                   "The log, in any form that diagnose takes; -: standard "
                   "input")
      ->type_name("LOG")
      ->required();
  begin
      ->add_option("--id", options->made.id,
                   "What to call the rule; else its line's words")
      ->type_name("ID");
  begin
      ->add_option("--line", options->made.line,
                   "The line that the rule is about; else the last that says "
                   "what failed")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  begin->callback([options, &exit_code] {
    options->made.rules = options->rules;
    RealWorld real;
    exit_code =
        run_rules_new(real.world(), options->made, std::cout, std::cerr);
  });
}

}  // namespace

void add_rules_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("rules", "List, show, prove or begin rules");
  command->require_subcommand(1);
  command->add_option("--rules", options->rules, "A folder with further rules")
      ->type_name("DIR")
      ->allow_extra_args(false);
  const auto add_json = [&options](CLI::App* one) {
    one->add_flag("--json", options->json, "Print the answer as JSON");
    return one;
  };
  add_json(command->add_subcommand("list", "One line per rule"))
      ->callback([options, &exit_code] {
        exit_code = run_rules_list(options->rules, options->json, std::cout);
      });
  CLI::App* show = add_json(command->add_subcommand("show", "All of one rule"));
  show->add_option("id", options->id, "The rule")->required();
  show->callback([options, &exit_code] {
    exit_code =
        run_rules_show(options->rules, options->id, options->json, std::cout);
  });
  CLI::App* check = add_json(
      command->add_subcommand("check", "Prove every rule by its samples"));
  check->add_option("folders", options->rules,
                    "Folders or files with rules, beside the usual ones");
  check->callback([options, &exit_code] {
    exit_code = run_rules_check(options->rules, options->json, std::cout);
  });
  add_json(
      command->add_subcommand("kinds", "What can be diagnosed, as a table"))
      ->callback([options, &exit_code] {
        exit_code = run_rules_kinds(options->rules, options->json, std::cout);
      });
  add_new(*command, options, exit_code);
}

}  // namespace autopin
