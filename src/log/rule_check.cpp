#include "log/rule_check.h"

#include <algorithm>
#include <set>

#include <re2/re2.h>

#include "base/text.h"
#include "log/captures.h"
#include "log/collector.h"
#include "log/diagnoser.h"
#include "log/rule_skeleton.h"

namespace autopin {

namespace {

bool matches(const Pattern& pattern, std::string_view line) {
  return RE2::PartialMatch(re2::StringPiece(line.data(), line.size()),
                           *pattern.regex);
}

bool names(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool related(const Rule& one, const Rule& other) {
  return one.rank != other.rank || one.kind == other.kind ||
         one.weak != other.weak || names(one.overrides, other.id) ||
         names(other.overrides, one.id) || names(one.explains, other.kind) ||
         names(other.explains, one.kind) || one.severity != other.severity;
}

/// All findings of a sample, by rule, as the collector gives them.
std::vector<Finding> findings_of(const RuleSet& rules, const std::string& log) {
  Collector collector(rules);
  LogReader reader(collector);
  collector.watch(reader);
  reader.feed(log);
  reader.finish();
  collector.finish();
  return collector.findings();
}

class Checker {
 public:
  explicit Checker(const RuleSet& rules) : rules_(rules) {}

  std::vector<RuleProblem> run() {
    for (const Rule& rule : rules_.rules()) {
      rule_ = &rule;
      check_words();
      check_patterns();
      for (const RuleSample& sample : rule.samples)
        check_sample(sample);
    }
    check_kinds();
    return std::move(problems_);
  }

 private:
  void report(const std::string& what) {
    problems_.push_back({rule_->id, what});
  }

  void check_kinds() {
    for (const auto& [name, kind] : rules_.kinds()) {
      if (kind.text.empty())
        problems_.push_back({name,
                             "this kind has no sentence that says what "
                             "it means"});
      const auto leads_here = [&, &wanted = name](const Rule& rule) {
        return rule.kind == wanted &&
               std::any_of(
                   rule.samples.begin(), rule.samples.end(),
                   [](const RuleSample& sample) { return sample.positive; });
      };
      if (std::none_of(rules_.rules().begin(), rules_.rules().end(),
                       leads_here))
        problems_.push_back({name, "no rule's sample leads to this kind"});
    }
  }

  void check_words() {
    for (const std::string* text : {&rule_->why, &rule_->cure})
      if (text->starts_with(todo))
        report("it is not finished: " + *text);
    const auto kind = rules_.kinds().find(rule_->kind);
    if (kind == rules_.kinds().end()) {
      report("its kind " + rule_->kind + " is not in kinds.json");
      return;
    }
    if (rule_->why.empty() && rule_->severity != Severity::undetermined)
      report("it has no sentence that says why");
    for (const std::string& name : produced_params())
      if (kind->second.params.count(name) == 0)
        report("its param " + name + " is not documented for " + rule_->kind);
    for (const std::string& explained : rule_->explains)
      if (explained != "*" && rules_.kinds().count(explained) == 0)
        report("it explains a kind that is not there: " + explained);
    for (const auto& [fix, param] : rule_->fix_needs)
      if (std::find(rule_->fixes.begin(), rule_->fixes.end(), fix) ==
              rule_->fixes.end() ||
          kind->second.params.count(param) == 0)
        report("its fix_needs names no fix of its own or no param: " + fix +
               ", " + param);
    for (const std::string& other : rule_->overrides)
      if (rules_.find(other) == nullptr)
        report("it overrides a rule that is not there: " + other);
  }

  std::set<std::string> produced_params() const {
    std::set<std::string> names;
    const auto add = [&](const Pattern& pattern) {
      for (const auto& [index, name] : pattern.regex->CapturingGroupNames())
        if (name.front() != '_' && name != "derivation")
          names.insert(name.substr(0, name.find("__")));
    };
    for (const Pattern& pattern : rule_->patterns)
      add(pattern);
    for (const Context& context : rule_->context)
      add(context.pattern);
    if (rule_->block.item.empty())
      for (const Pattern& pattern : rule_->block.lines)
        add(pattern);
    for (const auto& [name, templates] : rule_->params) {
      if (templates.empty())
        names.erase(name);
      else
        names.insert(name);
    }
    for (const auto& [name, templates] : rule_->block.emit)
      if (name.front() != '_')
        names.insert(name);
    return names;
  }

  void check_patterns() {
    const auto shown = [&](const Pattern& pattern) {
      return std::any_of(
          rule_->samples.begin(), rule_->samples.end(),
          [&](const RuleSample& sample) {
            const std::vector<std::string_view> lines = lines_of(sample.log);
            return sample.positive &&
                   std::any_of(lines.begin(), lines.end(), [&](auto line) {
                     return matches(pattern, line);
                   });
          });
    };
    for (const Pattern& pattern : rule_->patterns)
      if (!shown(pattern))
        report("no sample matches the pattern " + pattern.text);
    if (!rules_.passable(
            static_cast<std::size_t>(rule_ - rules_.rules().data())))
      report(
          "no four characters stand in every match of a pattern: such a rule "
          "slows the reading of every log");
    for (const Pattern& pattern : rule_->block.lines)
      if (!shown(pattern))
        report("no sample matches the block line " + pattern.text);
  }

  void check_sample(const RuleSample& sample) {
    const std::vector<Finding> findings = findings_of(rules_, sample.log);
    const auto mine = std::find_if(
        findings.begin(), findings.end(),
        [&](const Finding& finding) { return finding.rule == rule_; });
    const std::string shown = sample.log.substr(0, 120);
    if (!sample.positive) {
      if (mine != findings.end())
        report("it matches its negative sample: " + shown);
      return;
    }
    if (mine == findings.end()) {
      report("it does not match its own sample: " + shown);
      return;
    }
    for (const std::string& text : {rule_->why, rule_->cure})
      for (const std::string& param : fill_sentence(text, mine->params).missing)
        report("its sentence \"" + text + "\" has a gap for {" + param +
               "}, which this sample lacks (write it as [… {" + param +
               "} …]): " + shown);
    for (const Finding& other : findings)
      if (!related(*rule_, *other.rule))
        report("its sample is also matched by " + other.rule->id +
               ", with neither rank, explains nor overrides between them: " +
               shown);
    const std::vector<Diagnosis> diagnoses = diagnose(rules_, sample.log);
    check_answer(sample, findings, diagnoses);
    check_params(sample, diagnoses);
  }

  /// Another rule may speak in its place only where one of them says so.
  void check_answer(const RuleSample& sample,
                    const std::vector<Finding>& findings,
                    const std::vector<Diagnosis>& diagnoses) {
    if (rule_->weak || rule_->severity != Severity::cause)
      return;
    const auto says_it = [&](const Diagnosis& diagnosis) {
      return diagnosis.kind == rule_->kind &&
             diagnosis.severity != Severity::consequence;
    };
    if (std::any_of(diagnoses.begin(), diagnoses.end(), says_it))
      return;
    const auto declared = [&](const Finding& other) {
      return names(other.rule->overrides, rule_->id) ||
             names(other.rule->explains, rule_->kind) ||
             names(other.rule->explains, "*");
    };
    if (std::any_of(findings.begin(), findings.end(), declared))
      return;
    report("its sample is answered by " +
           (diagnoses.empty() ? "nobody" : diagnoses.front().rule) +
           " in its place, and nothing says that it may be: " +
           sample.log.substr(0, 120));
  }

  void check_params(const RuleSample& sample,
                    const std::vector<Diagnosis>& diagnoses) {
    if (sample.params.empty())
      return;
    const bool right = std::any_of(
        diagnoses.begin(), diagnoses.end(), [&](const Diagnosis& diagnosis) {
          return diagnosis.kind == rule_->kind &&
                 std::all_of(sample.params.begin(), sample.params.end(),
                             [&](const auto& param) {
                               const auto found =
                                   diagnosis.params.find(param.first);
                               return found == diagnosis.params.end()
                                          ? param.second.empty()
                                          : found->second == param.second;
                             });
        });
    if (right)
      return;
    std::string got;
    for (const Diagnosis& diagnosis : diagnoses) {
      got += " " + diagnosis.kind + " {";
      for (const auto& [name, values] : diagnosis.params)
        got += name + ": " + join(values, ", ") + "; ";
      got += "}";
    }
    report("its sample gives other params than listed:" + got +
           " from: " + sample.log.substr(0, 120));
  }

  const RuleSet& rules_;
  const Rule* rule_ = nullptr;
  std::vector<RuleProblem> problems_;
};

}  // namespace

std::vector<RuleProblem> check_rules(const RuleSet& rules) {
  return Checker(rules).run();
}

}  // namespace autopin
