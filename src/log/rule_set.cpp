#include "log/rule_set.h"

#include <algorithm>

#include <re2/re2.h>
#include <re2/set.h>

#include "base/error.h"

namespace autopin {

namespace {

RE2::Options automaton_options() {
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);
  options.set_log_errors(false);
  // The lazily built DFA of all rules; it is emptied when full, so this bounds
  // memory and not what can be matched.
  options.set_max_mem(24 << 20);
  return options;
}

re2::StringPiece piece(std::string_view text) {
  return {text.data(), text.size()};
}

}  // namespace

class RuleSet::Automaton {
 public:
  Automaton() : set_(automaton_options(), RE2::UNANCHORED) {}

  void add(const Pattern& pattern, Hit hit) {
    std::string problem;
    if (set_.Add(pattern.text, &problem) < 0)
      throw Error("reading rules", pattern.text, problem);
    hits_.push_back(hit);
    patterns_.push_back(pattern);
  }

  void compile() {
    if (!hits_.empty() && !set_.Compile())
      throw Error("reading rules", "all patterns together",
                  "the automaton does not fit in memory");
  }

  void match(std::string_view line, std::vector<Hit>& hits) const {
    hits.clear();
    if (hits_.empty())
      return;
    thread_local std::vector<int> found;
    found.clear();
    RE2::Set::ErrorInfo info{};
    if (set_.Match(piece(line), &found, &info)) {
      std::sort(found.begin(), found.end());
      for (const int index : found)
        hits.push_back(hits_[static_cast<std::size_t>(index)]);
    } else if (info.kind != RE2::Set::kNoError) {
      one_by_one(line, hits);
    }
  }

 private:
  /// Where the DFA ran out of memory on one line.
  void one_by_one(std::string_view line, std::vector<Hit>& hits) const {
    for (std::size_t i = 0; i < patterns_.size(); ++i)
      if (RE2::PartialMatch(piece(line), *patterns_[i].regex))
        hits.push_back(hits_[i]);
  }

  RE2::Set set_;
  std::vector<Hit> hits_;
  std::vector<Pattern> patterns_;
};

RuleSet::RuleSet() = default;
RuleSet::~RuleSet() = default;
RuleSet::RuleSet(RuleSet&&) noexcept = default;
RuleSet& RuleSet::operator=(RuleSet&&) noexcept = default;

void RuleSet::match(std::string_view line, std::vector<Hit>& hits) const {
  if (automaton_)
    automaton_->match(line, hits);
  else
    hits.clear();
}

const Rule* RuleSet::find(std::string_view id) const {
  const auto found =
      std::find_if(rules_.begin(), rules_.end(),
                   [&](const Rule& rule) { return rule.id == id; });
  return found == rules_.end() ? nullptr : &*found;
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

void RuleSet::add_table(const std::string& name, LookupTable table) {
  LookupTable& mine = tables_[name];
  if (mine.source.empty())
    mine.source = table.source;
  for (auto& [key, value] : table.rows)
    mine.rows[key] = value;
}

void RuleSet::add_rule(Rule rule) {
  const auto same =
      std::find_if(rules_.begin(), rules_.end(),
                   [&](const Rule& other) { return other.id == rule.id; });
  if (same == rules_.end())
    rules_.push_back(std::move(rule));
  else
    *same = std::move(rule);
}

void RuleSet::compile() {
  automaton_ = std::make_unique<Automaton>();
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    for (std::size_t p = 0; p < rules_[r].patterns.size(); ++p)
      automaton_->add(rules_[r].patterns[p], {r, p, false});
    for (std::size_t c = 0; c < rules_[r].context.size(); ++c)
      automaton_->add(rules_[r].context[c].pattern, {r, c, true});
  }
  automaton_->compile();
}

}  // namespace autopin
