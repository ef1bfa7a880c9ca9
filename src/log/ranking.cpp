#include "log/ranking.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "log/attribution.h"
#include "log/captures.h"
#include "log/collector.h"

namespace autopin {

namespace {

struct Candidate {
  Finding finding;
  std::string derivation;
  Severity severity = Severity::cause;
  bool dropped = false;
};

using Group = std::vector<Candidate*>;

bool is_real(const Candidate& candidate) {
  return !candidate.dropped &&
         candidate.finding.rule->severity != Severity::undetermined;
}

/// What stands in the tail and in the lines above it counts once, from above.
void drop_repeated_tails(Group& group) {
  for (Candidate* tail : group)
    if (tail->finding.origin == Origin::tail)
      for (const Candidate* full : group)
        if (full->finding.origin != Origin::tail &&
            full->finding.rule->kind == tail->finding.rule->kind)
          tail->dropped = true;
}

void drop_overridden(Group& group) {
  for (const Candidate* one : group) {
    if (one->dropped)
      continue;
    const std::vector<std::string>& overrides = one->finding.rule->overrides;
    for (Candidate* other : group)
      if (other != one && std::find(overrides.begin(), overrides.end(),
                                    other->finding.rule->id) != overrides.end())
        other->dropped = true;
  }
}

/// Two rules that found the same failure: the one nearer to the cause speaks.
void merge_same(const RuleSet& rules, Group& group) {
  std::stable_sort(group.begin(), group.end(),
                   [](const Candidate* a, const Candidate* b) {
                     return a->finding.rule->rank < b->finding.rule->rank;
                   });
  for (std::size_t i = 0; i < group.size(); ++i) {
    Finding& one = group[i]->finding;
    for (std::size_t j = i + 1; j < group.size() && !group[i]->dropped; ++j) {
      Finding& other = group[j]->finding;
      if (group[j]->dropped || one.rule->kind != other.rule->kind ||
          one.superseded != other.superseded ||
          one.rule->weak != other.rule->weak ||
          !same_failure(rules, one.rule->kind, one.params, other.params))
        continue;
      merge_into(rules, one.rule->kind, one.params, other.params);
      merge_evidence(one.lines, other.lines);
      one.number = std::min(one.number, other.number);
      group[j]->dropped = true;
    }
  }
}

/// What did not stop the build, or is only a hint, counts where the failure has
/// no better explanation.
void drop_unneeded(Group& group, bool failed) {
  const auto any = [&](bool superseded, bool weak) {
    return std::any_of(group.begin(), group.end(),
                       [&](const Candidate* candidate) {
                         return is_real(*candidate) &&
                                candidate->finding.superseded == superseded &&
                                candidate->finding.rule->weak == weak;
                       });
  };
  struct Class {
    bool superseded, weak;
  };
  // In falling worth; a build that did not fail has nothing from earlier
  // phases.
  const std::vector<Class> classes =
      failed ? std::vector<Class>{{false, false},
                                  {false, true},
                                  {true, false},
                                  {true, true}}
             : std::vector<Class>{{false, false}, {false, true}};
  const auto best =
      std::find_if(classes.begin(), classes.end(),
                   [&](const Class& c) { return any(c.superseded, c.weak); });
  for (Candidate* candidate : group)
    if (is_real(*candidate) &&
        (best == classes.end() ||
         candidate->finding.superseded != best->superseded ||
         candidate->finding.rule->weak != best->weak))
      candidate->dropped = true;
}

/// A warning is no cause by itself; it is one where the build failed and
/// nothing better is known (drop_unneeded has seen to that).
void promote_warnings(Group& group) {
  for (Candidate* candidate : group)
    if (is_real(*candidate) && candidate->finding.rule->weak &&
        candidate->severity == Severity::consequence)
      candidate->severity = Severity::cause;
}

void mark_consequences(Group& group) {
  for (const Candidate* one : group) {
    if (!is_real(*one))
      continue;
    const std::vector<std::string>& explains = one->finding.rule->explains;
    for (Candidate* other : group) {
      if (other == one || !is_real(*other) ||
          other->finding.rule->kind == one->finding.rule->kind ||
          other->finding.rule->rank < one->finding.rule->rank)
        continue;
      const bool named =
          std::any_of(explains.begin(), explains.end(), [&](const auto& kind) {
            return kind == "*" || kind == other->finding.rule->kind;
          });
      if (named)
        other->severity = Severity::consequence;
    }
  }
}

/// A missing home, network or model makes tests fail: what switches the tests
/// off wants their names, which another rule read.
void lend_tests(const RuleSet& rules, Group& group) {
  for (Candidate* cause : group) {
    const auto kind = rules.kinds().find(cause->finding.rule->kind);
    if (!is_real(*cause) || cause->severity == Severity::consequence ||
        kind == rules.kinds().end() || kind->second.params.count("tests") == 0)
      continue;
    for (const Candidate* other : group) {
      const auto tests = other->finding.params.find("tests");
      if (is_real(*other) && other->severity == Severity::consequence &&
          other->finding.rule->kind == "test-failed" &&
          tests != other->finding.params.end())
        cause->finding.params.insert(*tests);
    }
  }
}

Diagnosis to_diagnosis(const Candidate& candidate) {
  const Finding& finding = candidate.finding;
  Diagnosis diagnosis;
  diagnosis.kind = finding.rule->kind;
  for (const auto& [name, values] : finding.params)
    for (const std::string& value : values)
      diagnosis.params[name].push_back(to_utf8(value));
  diagnosis.derivation = to_utf8(candidate.derivation);
  diagnosis.phase = to_utf8(finding.phase);
  for (const EvidenceLine& line : finding.lines)
    diagnosis.lines.push_back({line.number, to_utf8(line.text)});
  std::stable_sort(diagnosis.lines.begin(), diagnosis.lines.end(),
                   [](const EvidenceLine& a, const EvidenceLine& b) {
                     return a.number < b.number;
                   });
  diagnosis.rule = finding.rule->id;
  diagnosis.severity = candidate.severity;
  diagnosis.fixes = finding.rule->fixes;
  diagnosis.why = fill_sentence(finding.rule->why, diagnosis.params);
  diagnosis.cure = fill_sentence(finding.rule->cure, diagnosis.params);
  return diagnosis;
}

/// The failure whose cause is not in the log, with the command that shows it.
Diagnosis undetermined(const std::string& derivation,
                       const std::vector<EvidenceLine>& lines) {
  Diagnosis diagnosis;
  diagnosis.kind = "undetermined";
  diagnosis.severity = Severity::undetermined;
  diagnosis.derivation = to_utf8(derivation);
  for (const EvidenceLine& line : lines)
    diagnosis.lines.push_back({line.number, to_utf8(line.text)});
  diagnosis.rule = "undetermined";
  diagnosis.why = "This log does not say why it failed.";
  if (!derivation.empty()) {
    const std::string command = "nix-store --read-log " + diagnosis.derivation;
    diagnosis.params["command"] = {command};
    diagnosis.cure = "Read the whole log: " + command;
  } else {
    diagnosis.cure = "Read the whole log of the build that failed first.";
  }
  return diagnosis;
}

int severity_order(Severity severity) {
  switch (severity) {
    case Severity::environment:
      return 0;
    case Severity::cause:
      return 1;
    case Severity::undetermined:
      return 2;
    case Severity::consequence:
      break;
  }
  return 3;
}

class Ranking {
 public:
  Ranking(const RuleSet& rules, const LogReader& reader,
          std::vector<Finding> findings, const std::vector<Outcome>& outcomes)
      : rules_(rules), attribution_(reader, outcomes) {
    for (Finding& finding : findings) {
      Candidate candidate;
      candidate.severity = finding.rule->severity;
      candidate.derivation = attribution_.derivation_of(finding);
      candidate.finding = std::move(finding);
      if (attribution_.ended_well(candidate.finding, candidate.derivation))
        continue;
      candidates_.push_back(std::move(candidate));
    }
    for (Candidate& candidate : candidates_)
      groups_[candidate.derivation].push_back(&candidate);
  }

  std::vector<Diagnosis> run() {
    for (auto& [derivation, group] : groups_) {
      drop_repeated_tails(group);
      drop_overridden(group);
      merge_same(rules_, group);
      drop_unneeded(group, attribution_.failed(derivation));
      if (attribution_.failed(derivation))
        promote_warnings(group);
      mark_consequences(group);
      lend_tests(rules_, group);
    }
    std::vector<const Candidate*> kept;
    for (const Candidate& candidate : candidates_)
      if (is_real(candidate))
        kept.push_back(&candidate);
    std::stable_sort(kept.begin(), kept.end(),
                     [](const Candidate* a, const Candidate* b) {
                       const int one = severity_order(a->severity);
                       const int other = severity_order(b->severity);
                       if (one != other)
                         return one < other;
                       if (a->finding.rule->rank != b->finding.rule->rank)
                         return a->finding.rule->rank < b->finding.rule->rank;
                       return a->finding.number < b->finding.number;
                     });
    std::vector<Diagnosis> diagnoses;
    for (const Candidate* candidate : kept)
      diagnoses.push_back(to_diagnosis(*candidate));
    add_undetermined(diagnoses);
    return diagnoses;
  }

 private:
  /// Lines that look like the failure, where no rule knows them.
  std::vector<EvidenceLine> key_lines(const std::string& derivation) const {
    std::vector<EvidenceLine> lines;
    const auto group = groups_.find(derivation);
    if (group != groups_.end())
      for (const Candidate* candidate : group->second)
        if (candidate->finding.rule->severity == Severity::undetermined &&
            !candidate->finding.superseded)
          merge_evidence(lines, candidate->finding.lines);
    std::stable_sort(lines.begin(), lines.end(),
                     [](const EvidenceLine& a, const EvidenceLine& b) {
                       return a.number < b.number;
                     });
    return lines;
  }

  void add_undetermined(std::vector<Diagnosis>& diagnoses) const {
    std::set<std::string> explained;
    bool everything = false;
    for (const Diagnosis& diagnosis : diagnoses) {
      if (diagnosis.severity != Severity::consequence)
        explained.insert(diagnosis.derivation);
      everything = everything || (diagnosis.severity == Severity::environment &&
                                  diagnosis.derivation.empty());
    }
    if (everything)
      return;
    std::vector<Diagnosis> unknown;
    for (const Outcome& failure : attribution_.failures()) {
      if (explained.count(to_utf8(failure.derivation)) != 0)
        continue;
      std::vector<EvidenceLine> lines = key_lines(failure.derivation);
      merge_evidence(lines, {{failure.number, failure.text}});
      unknown.push_back(undetermined(failure.derivation, lines));
    }
    if (unknown.empty() && diagnoses.empty())
      for (const auto& [derivation, group] : groups_) {
        const std::vector<EvidenceLine> lines = key_lines(derivation);
        if (!lines.empty())
          unknown.push_back(undetermined(derivation, lines));
      }
    const auto consequences = std::find_if(
        diagnoses.begin(), diagnoses.end(), [](const Diagnosis& diagnosis) {
          return diagnosis.severity == Severity::consequence;
        });
    diagnoses.insert(consequences, unknown.begin(), unknown.end());
  }

  const RuleSet& rules_;
  Attribution attribution_;
  std::vector<Candidate> candidates_;
  std::map<std::string, Group> groups_;
};

}  // namespace

std::vector<Diagnosis> rank_findings(const RuleSet& rules,
                                     const LogReader& reader,
                                     std::vector<Finding> findings,
                                     const std::vector<Outcome>& outcomes) {
  return Ranking(rules, reader, std::move(findings), outcomes).run();
}

}  // namespace autopin
