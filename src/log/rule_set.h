#pragma once
// All rules as one machine: one look at a line (Scout) tells the few patterns
// that it may match, and only those are tried, so that the cost does not grow
// with the number of rules; groups are captured only on lines that hit.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "log/rule.h"
#include "log/scout.h"

namespace autopin {

class RuleSet {
 public:
  /// What a pattern in the automaton stands for.
  struct Hit {
    std::size_t rule = 0;
    std::size_t pattern = 0;
    bool is_context = false;
  };

  /// All patterns of rules and of their contexts that match `line`, which holds
  /// no line feed; but not those that wait for their context, unless `waited`.
  /// Const and safe from several threads.
  void match(std::string_view line, std::vector<Hit>& hits,
             bool waited = true) const;

  /// Passes over lines that match nothing here, are no lines of a block that is
  /// `passable`, and are neither Nix's words nor to be cleaned.
  const Scout& scout() const { return scout_; }
  /// Whether the pattern that asks the scout as `owner` matches `line`.
  bool matches(std::uint32_t owner, std::string_view line) const;
  /// False where a rule, or this one, may match any line, so that none can be
  /// passed over.
  bool passable() const { return passable_; }
  bool passable(std::size_t rule) const { return aims_[rule].passable; }
  /// False where a line of the rule's block may be any line.
  bool passable_block(std::size_t rule) const {
    return aims_[rule].passable_block;
  }
  /// The rule may match any line once its context was seen.
  bool waits_for_context(std::size_t rule) const {
    return aims_[rule].waits_for_context;
  }

  const std::vector<Rule>& rules() const { return rules_; }
  const Rule* find(std::string_view id) const;
  const std::map<std::string, Kind>& kinds() const { return kinds_; }
  const std::map<std::string, LookupTable>& tables() const { return tables_; }

  /// How the param of a kind behaves; a key where nobody says.
  ParamType param_type(const std::string& kind, const std::string& param) const;

  // For the loader.
  void add_kind(Kind kind);
  void add_table(const std::string& name, const LookupTable& table);
  /// A rule with the id of an earlier one replaces it.
  void add_rule(Rule rule);
  /// After the last rule.
  void compile();

 private:
  struct Aim {
    bool passable = true;
    bool passable_block = true;
    bool waits_for_context = false;
  };

  void add_pattern(const Pattern& pattern, Hit hit, const Aim& aim);
  const Pattern& pattern_of(const Hit& hit) const;
  Aim aim_at(const Rule& rule);

  std::vector<Rule> rules_;
  std::unordered_map<std::string, std::size_t> by_id_;
  std::map<std::string, Kind> kinds_;
  std::map<std::string, LookupTable> tables_;
  Scout scout_;
  std::vector<Hit> hits_;                 ///< By the scout's owner.
  std::vector<std::uint32_t> unguarded_;  ///< Tried on every line.
  std::vector<std::uint32_t> waiting_;    ///< Those and the waiting ones.
  std::vector<Aim> aims_;                 ///< By rule.
  bool passable_ = true;
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
