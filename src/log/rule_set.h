#pragma once
// All rules as one machine: a line is tried against every pattern of every rule
// in one pass (RE2::Set), so that the cost does not grow with the number of
// rules; groups are captured only on lines that hit.

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "log/rule.h"

namespace autopin {

class RuleSet {
 public:
  RuleSet();
  ~RuleSet();
  RuleSet(RuleSet&&) noexcept;
  RuleSet& operator=(RuleSet&&) noexcept;

  /// What a pattern in the automaton stands for.
  struct Hit {
    std::size_t rule = 0;
    std::size_t pattern = 0;
    bool is_context = false;
  };

  /// All patterns that match `line`. Const and safe from several threads.
  void match(std::string_view line, std::vector<Hit>& hits) const;

  const std::vector<Rule>& rules() const { return rules_; }
  const Rule* find(std::string_view id) const;
  const std::map<std::string, Kind>& kinds() const { return kinds_; }
  const std::map<std::string, LookupTable>& tables() const { return tables_; }

  /// How the param of a kind behaves; a key where nobody says.
  ParamType param_type(const std::string& kind, const std::string& param) const;

  // For the loader.
  void add_kind(Kind kind);
  void add_table(const std::string& name, LookupTable table);
  /// A rule with the id of an earlier one replaces it.
  void add_rule(Rule rule);
  /// After the last rule. Throws Error where the automaton cannot be built.
  void compile();

 private:
  class Automaton;
  std::vector<Rule> rules_;
  std::map<std::string, Kind> kinds_;
  std::map<std::string, LookupTable> tables_;
  std::unique_ptr<Automaton> automaton_;
};

/// Reads kinds.json, tables/*.json and every other *.json of each folder (or
/// one file of rules); a later folder adds to the earlier ones and overrides by
/// rule id. Throws Error that names the file and the rule.
RuleSet load_rules(const std::vector<std::filesystem::path>& folders);

/// The folders that hold rules for this user, in loading order: the installed
/// or built-in one, the user's own, then `extra`.
std::vector<std::filesystem::path> rule_folders(
    const std::vector<std::filesystem::path>& extra);

}  // namespace autopin
