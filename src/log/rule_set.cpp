#include "log/rule_set.h"

#include <algorithm>

#include <re2/re2.h>

#include "log/nix_lines.h"

namespace autopin {

namespace {

/// Owner of what only the scout needs to know: the words of Nix and of viewers,
/// and the lines of blocks.
constexpr std::uint32_t nobody = 0xffffffff;

}  // namespace

void RuleSet::match(std::string_view line, std::vector<Hit>& hits,
                    bool waited) const {
  hits.clear();
  thread_local std::vector<std::uint32_t> owners;
  scout_.find(line, owners);
  while (!owners.empty() && owners.back() == nobody)
    owners.pop_back();
  if (const auto& always = waited ? waiting_ : unguarded_; !always.empty()) {
    const auto middle = static_cast<std::ptrdiff_t>(owners.size());
    owners.insert(owners.end(), always.begin(), always.end());
    std::inplace_merge(owners.begin(), owners.begin() + middle, owners.end());
  }
  for (const std::uint32_t owner : owners)
    if (matches(owner, line))
      hits.push_back(hits_[owner]);
}

bool RuleSet::matches(std::uint32_t owner, std::string_view line) const {
  return owner == nobody ||
         RE2::PartialMatch(re2::StringPiece(line.data(), line.size()),
                           *pattern_of(hits_[owner]).regex);
}

const Pattern& RuleSet::pattern_of(const Hit& hit) const {
  const Rule& rule = rules_[hit.rule];
  return hit.is_context ? rule.context[hit.pattern].pattern
                        : rule.patterns[hit.pattern];
}

const Rule* RuleSet::find(std::string_view id) const {
  const auto found = by_id_.find(std::string(id));
  return found == by_id_.end() ? nullptr : &rules_[found->second];
}

ParamType RuleSet::param_type(const std::string& kind,
                              const std::string& param) const {
  const auto found = kinds_.find(kind);
  if (found == kinds_.end())
    return ParamType::key;
  const auto type = found->second.params.find(param);
  return type == found->second.params.end() ? ParamType::note : type->second;
}

void RuleSet::add_kind(Kind kind) {
  kinds_[kind.name] = std::move(kind);
}

void RuleSet::add_table(const std::string& name, const LookupTable& table) {
  LookupTable& mine = tables_[name];
  if (mine.source.empty())
    mine.source = table.source;
  for (const auto& [key, value] : table.rows)
    mine.rows[key] = value;
}

void RuleSet::add_rule(Rule rule) {
  const auto [same, is_new] = by_id_.emplace(rule.id, rules_.size());
  if (is_new)
    rules_.push_back(std::move(rule));
  else
    rules_[same->second] = std::move(rule);
}

void RuleSet::add_pattern(const Pattern& pattern, Hit hit, const Aim& aim) {
  const auto owner = static_cast<std::uint32_t>(hits_.size());
  hits_.push_back(hit);
  if (!pattern.guard.texts.empty()) {
    scout_.add(pattern.guard, owner);
    return;
  }
  waiting_.push_back(owner);
  if (!aim.waits_for_context || hit.is_context)
    unguarded_.push_back(owner);
}

RuleSet::Aim RuleSet::aim_at(const Rule& rule) {
  Aim aim;
  const auto guarded = [](const Pattern& pattern) {
    return !pattern.guard.texts.empty();
  };
  if (!std::all_of(rule.patterns.begin(), rule.patterns.end(), guarded)) {
    aim.waits_for_context = std::any_of(
        rule.context.begin(), rule.context.end(), [&](const Context& context) {
          return context.required && guarded(context.pattern);
        });
    aim.passable = aim.waits_for_context;
  }
  for (const Context& context : rule.context)
    aim.passable = aim.passable && guarded(context.pattern);
  passable_ = passable_ && aim.passable;
  // Ordinary lines of a block are waited for only while it is open.
  std::vector<const Pattern*> block;
  for (const Pattern& pattern : rule.block.lines)
    block.push_back(&pattern);
  for (const Pattern& pattern : rule.block.until)
    block.push_back(&pattern);
  aim.passable_block =
      std::all_of(block.begin(), block.end(), [&](const Pattern* pattern) {
        return guarded(*pattern) && !pattern->guard.is_ordinary();
      });
  if (aim.passable_block)
    for (const Pattern* pattern : block)
      scout_.add(pattern->guard, nobody);
  return aim;
}

void RuleSet::compile() {
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    aims_.push_back(aim_at(rules_[r]));
    for (std::size_t p = 0; p < rules_[r].patterns.size(); ++p)
      add_pattern(rules_[r].patterns[p], {r, p, false}, aims_[r]);
    for (std::size_t c = 0; c < rules_[r].context.size(); ++c)
      add_pattern(rules_[r].context[c].pattern, {r, c, true}, aims_[r]);
  }
  for (const std::string_view word : nix_words())
    scout_.add(word, nobody);
  scout_.compile();
}

}  // namespace autopin
