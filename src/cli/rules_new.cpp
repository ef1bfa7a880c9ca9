// `autopin rules new`: the skeleton of a rule for a log that no rule explains.

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "cli/diagnose.h"
#include "cli/rules.h"
#include "log/rule_skeleton.h"

namespace autopin {

namespace {

long key_line(const LogFindings& findings) {
  for (const Diagnosis& diagnosis : findings.diagnoses)
    if (const auto line = diagnosis.severity == Severity::undetermined
                              ? telling_line(diagnosis.lines)
                              : std::nullopt)
      return line->number;
  for (const Diagnosis& diagnosis : findings.diagnoses)
    if (diagnosis.severity != Severity::undetermined)
      throw Error("beginning a rule", findings.log,
                  diagnosis.rule +
                      " explains it already; --line N takes "
                      "another line of it");
  throw Error("beginning a rule", findings.log,
              "no line of it looks like the failure; --line N names one");
}

void check_id(const std::string& id) {
  const bool right =
      !id.empty() &&
      id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") ==
          std::string::npos;
  if (!right)
    throw Error("beginning a rule", id,
                "an id is of small letters, digits and dashes");
}

}  // namespace

int run_rules_new(World& world, const NewRule& wanted, std::ostream& out,
                  std::ostream& notes) {
  if (!wanted.id.empty())
    check_id(wanted.id);
  const RuleSet rules = rules_for(wanted.rules);
  const LogInput log = find_logs(world, wanted.from, notes).front();
  const long number =
      wanted.line > 0 ? wanted.line : key_line(read_findings(rules, log, true));
  ExcerptReader reader({});
  reader.want(number);
  log.read([&](std::string_view bytes) { reader.feed(bytes); });
  reader.finish();
  const Excerpt excerpt = reader.around(number);
  const auto about =
      std::find_if(excerpt.begin(), excerpt.end(),
                   [](const ExcerptLine& line) { return line.matched; });
  if (about == excerpt.end())
    throw Error("beginning a rule", log.name,
                fmt::format("there is no line {}", number));
  const std::string id =
      wanted.id.empty() ? rule_id_for(about->text) : wanted.id;
  out << rule_skeleton(id, about->text, excerpt);
  notes << "A rule about line " << number << ": "
        << printable_line(about->text.substr(0, 200)) << "\n"
        << (rules.find(id) != nullptr
                ? "It replaces the rule that has this id.\n"
                : "")
        << "Fill in what is marked TODO, keep it as "
           "$XDG_CONFIG_HOME/autopin/rules/"
        << id << ".json (~/.config), and prove it: autopin rules check\n";
  return 0;
}

}  // namespace autopin
