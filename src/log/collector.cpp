#include "log/collector.h"

#include <algorithm>
#include <limits>

#include <re2/re2.h>

namespace autopin {

namespace {

/// Bounds: what a log of ten million matching lines may take.
constexpr std::size_t longest_text = 16U << 10;
constexpr std::size_t most_findings = 4000;
constexpr std::size_t most_of_one_rule = 200;
constexpr std::size_t most_outcomes = 10000;
constexpr std::size_t most_blocks = 20;
constexpr std::size_t most_evidence = 24;
constexpr std::size_t longest_evidence = 2000;

EvidenceLine evidence(const LogLine& line) {
  return {line.number, std::string(line.text.substr(0, longest_evidence))};
}

void add_evidence(std::vector<EvidenceLine>& lines, EvidenceLine line) {
  if (lines.size() >= most_evidence)
    return;
  for (const EvidenceLine& there : lines)
    if (there.number == line.number && there.text == line.text)
      return;
  lines.push_back(std::move(line));
}

void add_captures(Captures& into, const Captures& from) {
  for (const auto& [group, values] : from)
    for (const std::string& value : values)
      append_unique(into[group], value);
}

bool any_matches(const std::vector<Pattern>& patterns, std::string_view text) {
  return std::any_of(
      patterns.begin(), patterns.end(), [&](const Pattern& pattern) {
        return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()),
                                 *pattern.regex);
      });
}

}  // namespace

bool same_failure(const RuleSet& rules, const std::string& kind,
                  const Params& one, const Params& other) {
  return std::all_of(one.begin(), one.end(), [&](const auto& param) {
    if (rules.param_type(kind, param.first) != ParamType::key)
      return true;
    const auto there = other.find(param.first);
    return there == other.end() || there->second == param.second;
  });
}

void merge_into(const RuleSet& rules, const std::string& kind, Params& into,
                const Params& from) {
  for (const auto& [name, values] : from) {
    const auto there = into.find(name);
    if (there == into.end())
      into[name] = values;
    else if (rules.param_type(kind, name) == ParamType::list)
      for (const std::string& value : values)
        append_unique(there->second, value);
  }
}

void merge_evidence(std::vector<EvidenceLine>& into,
                    const std::vector<EvidenceLine>& from) {
  for (const EvidenceLine& line : from)
    add_evidence(into, line);
}

void Collector::on_line(const LogLine& line) {
  LogLine short_line = line;
  short_line.text = line.text.substr(0, longest_text);
  StreamState& state = streams_[line.stream];
  if (!line.redrawn) {
    ++state.lines;
    feed_blocks(state, short_line);
  }
  rules_.match(short_line.text, hits_, state.lines <= state.waits_until);
  // Of a rule's patterns the first that says something speaks for the line;
  // the others may add to it, and not say something else.
  const Rule* spoke = nullptr;
  for (const RuleSet::Hit& hit : hits_) {
    const Rule* const rule = &rules_.rules()[hit.rule];
    if (!hit.is_context && trigger(state, short_line, hit, rule == spoke))
      spoke = rule;
  }
  for (const RuleSet::Hit& hit : hits_) {
    if (!hit.is_context)
      continue;
    ContextHit& context = state.contexts[{hit.rule, hit.pattern}];
    context.at = state.lines;
    context.captures.clear();
    capture(rules_.rules()[hit.rule].context[hit.pattern].pattern,
            short_line.text, context.captures);
    context.line = evidence(short_line);
    if (rules_.waits_for_context(hit.rule)) {
      const int within = rules_.rules()[hit.rule].context[hit.pattern].within;
      state.waits_until =
          within == 0 ? std::numeric_limits<long>::max()
                      : std::max(state.waits_until, state.lines + within);
    }
  }
}

void Collector::feed_blocks(StreamState& state, const LogLine& line) {
  for (std::size_t i = 0; i < state.blocks.size();) {
    OpenBlock& block = state.blocks[i];
    const Block& shape = block.finding.rule->block;
    ++block.lines;
    const bool ends = any_matches(shape.until, line.text);
    if (!ends)
      feed_block(block, line);
    if (ends || (shape.most > 0 && block.lines >= shape.most))
      close_block(state, i);
    else
      ++i;
  }
}

long Collector::passable(std::size_t stream, long /*number*/) const {
  constexpr long any = std::numeric_limits<long>::max();
  const auto found = streams_.find(stream);
  if (!rules_.passable() || found == streams_.end())
    return rules_.passable() ? any : 0;
  const StreamState& state = found->second;
  const bool none = state.lines < state.waits_until ||
                    std::any_of(state.blocks.begin(), state.blocks.end(),
                                [&](const OpenBlock& block) {
                                  return !rules_.passable_block(block.rule);
                                });
  return none ? 0 : any;
}

void Collector::on_passed_lines(std::size_t stream, long count) {
  StreamState& state = streams_[stream];
  state.lines += count;
  // Blocks end after so many lines, in the order in which the lines came.
  while (count > 0 && !state.blocks.empty()) {
    long step = count;
    for (const OpenBlock& block : state.blocks)
      if (const int most = block.finding.rule->block.most; most > 0)
        step = std::min(step, static_cast<long>(most) - block.lines);
    for (std::size_t i = 0; i < state.blocks.size();) {
      OpenBlock& block = state.blocks[i];
      block.lines += step;
      const int most = block.finding.rule->block.most;
      if (most > 0 && block.lines >= most)
        close_block(state, i);
      else
        ++i;
    }
    count -= step;
  }
}

void Collector::feed_block(OpenBlock& block, const LogLine& line) {
  const Block& shape = block.finding.rule->block;
  for (const Pattern& pattern : shape.lines) {
    Captures captures;
    if (!capture(pattern, line.text, captures))
      continue;
    if (shape.item.empty()) {
      add_captures(block.captures, captures);
    } else {
      if (captures.count(shape.item) != 0)
        flush_item(block);
      for (auto& [group, values] : captures)
        block.item.emplace(group, values);  // The first of an item counts.
    }
    add_evidence(block.finding.lines, evidence(line));
    return;
  }
}

void Collector::flush_item(OpenBlock& block) const {
  const Block& shape = block.finding.rule->block;
  if (block.item.count(shape.item) != 0)
    for (const auto& [param, templates] : shape.emit)
      for (const std::string& text : templates) {
        const std::vector<std::string> values =
            fill(text, block.item, rules_.tables());
        if (values.empty())
          continue;
        for (const std::string& value : values)
          append_unique(block.captures[param], value);
        break;
      }
  block.item.clear();
}

bool Collector::trigger(StreamState& state, const LogLine& line,
                        const RuleSet::Hit& hit, bool only_adds) {
  const Rule& rule = rules_.rules()[hit.rule];
  if (only_adds && rule.has_block)
    return false;
  Finding finding;
  finding.rule = &rule;
  finding.stream = line.stream;
  finding.phase = reader_ == nullptr ? "" : reader_->stream(line.stream).phase;
  finding.number = line.number;
  finding.origin = line.origin;
  if (!rule.phases.empty() && !finding.phase.empty() &&
      std::find(rule.phases.begin(), rule.phases.end(), finding.phase) ==
          rule.phases.end())
    return false;
  if (any_matches(rule.unless, line.text))
    return false;
  Captures captures;
  if (!gather_context(state, hit.rule, finding, captures))
    return false;
  Captures own;
  capture(rule.patterns[hit.pattern], line.text, own);
  for (auto& [group, values] : own)
    captures[group] =
        std::move(values);  // The trigger knows better than its context.
  add_evidence(finding.lines, evidence(line));
  if (!rule.has_block)
    return keep(state, std::move(finding), captures, only_adds);
  for (std::size_t i = 0; i < state.blocks.size(); ++i) {
    if (state.blocks[i].finding.rule != &rule &&
        state.blocks.size() < most_blocks)
      continue;
    close_block(state, i);
    break;
  }
  OpenBlock block;
  block.finding = std::move(finding);
  block.rule = hit.rule;
  if (!rule.block.item.empty() && captures.count(rule.block.item) != 0)
    block.item = captures;
  else
    block.captures = std::move(captures);
  state.blocks.push_back(std::move(block));
  return true;
}

bool Collector::gather_context(StreamState& state, std::size_t rule,
                               Finding& finding, Captures& captures) const {
  const std::vector<Context>& contexts = rules_.rules()[rule].context;
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    const auto seen = state.contexts.find({rule, i});
    const bool near = seen != state.contexts.end() &&
                      (contexts[i].within == 0 ||
                       state.lines - seen->second.at <= contexts[i].within);
    if (!near && contexts[i].required)
      return false;
    if (near) {
      add_captures(captures, seen->second.captures);
      add_evidence(finding.lines, seen->second.line);
    }
  }
  return true;
}

void Collector::close_block(StreamState& state, std::size_t index) {
  OpenBlock closed = std::move(state.blocks[index]);
  state.blocks.erase(state.blocks.begin() + static_cast<std::ptrdiff_t>(index));
  close(state, std::move(closed));
}

void Collector::close(StreamState& state, OpenBlock&& block) {
  flush_item(block);
  keep(state, std::move(block.finding), block.captures, false);
}

bool Collector::keep(StreamState& state, Finding finding,
                     const Captures& captures, bool only_adds) {
  const Rule& rule = *finding.rule;
  finding.params = make_params(rule, captures, rules_.tables());
  for (auto& [name, values] : finding.params)
    if (rules_.param_type(rule.kind, name) != ParamType::list &&
        values.size() > 1)
      values.resize(1);
  const auto named = captures.find("derivation");
  if (named != captures.end() && !named->second.empty())
    finding.derivation = named->second.front();
  for (const std::string& name : rule.needs)
    if (finding.params.count(name) == 0 && captures.count(name) == 0)
      return false;
  SameRule& same = same_[{&rule, finding.stream}];
  std::string signature;
  if (Finding* there = find_same(same, finding, signature)) {
    merge_into(rules_, rule.kind, there->params, finding.params);
    if (rule.severity == Severity::undetermined) {
      // Of lines that only look like the failure the last are nearest to it.
      there->number = finding.number;
      if (there->lines.size() >= most_evidence)
        there->lines.erase(there->lines.begin());
    }
    merge_evidence(there->lines, finding.lines);
    return true;
  }
  if (only_adds || same.findings.size() >= most_of_one_rule ||
      findings_.size() >= most_findings)
    return true;
  same.by_signature.insert_or_assign(std::move(signature), findings_.size());
  same.findings.push_back(findings_.size());
  state.current_findings.push_back(findings_.size());
  findings_.push_back(std::move(finding));
  return true;
}

Finding* Collector::find_same(SameRule& same, const Finding& finding,
                              std::string& signature) {
  const std::string& kind = finding.rule->kind;
  std::string names;
  signature = std::to_string(static_cast<int>(finding.origin)) + '\n' +
              finding.phase + '\n' + finding.derivation;
  for (const auto& [name, values] : finding.params)
    if (rules_.param_type(kind, name) == ParamType::key) {
      names += name + '\n';
      for (const std::string& value : values)
        signature += '\n' + std::to_string(value.size()) + ':' + value;
    }
  if (same.findings.empty())
    same.names = names;
  if (same.uniform && names == same.names) {
    const auto found = same.by_signature.find(signature);
    return found == same.by_signature.end() ||
                   findings_[found->second].superseded
               ? nullptr
               : &findings_[found->second];
  }
  same.uniform = false;
  for (const std::size_t index : same.findings) {
    Finding& there = findings_[index];
    if (!there.superseded && there.origin == finding.origin &&
        there.phase == finding.phase &&
        there.derivation == finding.derivation &&
        same_failure(rules_, kind, there.params, finding.params))
      return &there;
  }
  return nullptr;
}

void Collector::on_phase(std::size_t stream, long /*number*/) {
  supersede(streams_[stream]);
}

void Collector::on_success(std::size_t stream) {
  supersede(streams_[stream]);
}

void Collector::supersede(StreamState& state) {
  while (!state.blocks.empty()) {
    OpenBlock block = std::move(state.blocks.back());
    state.blocks.pop_back();
    close(state, std::move(block));
  }
  // stdenv stops at the first phase that fails, and a runner that ends well
  // knows of no failure: what came before did no harm.
  for (const std::size_t index : state.current_findings)
    findings_[index].superseded = true;
  state.current_findings.clear();
}

void Collector::on_outcome(const Outcome& outcome) {
  if (outcomes_.size() < most_outcomes)
    outcomes_.push_back(outcome);
}

void Collector::finish() {
  for (auto& [index, state] : streams_)
    while (!state.blocks.empty()) {
      OpenBlock block = std::move(state.blocks.back());
      state.blocks.pop_back();
      close(state, std::move(block));
    }
}

}  // namespace autopin
