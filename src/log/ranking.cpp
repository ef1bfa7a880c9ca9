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

constexpr std::size_t most_key_lines = 12;

struct Candidate {
  Finding finding;
  std::string derivation;
  Severity severity = Severity::cause;
  bool dropped = false;
  std::string why_less;  ///< Why it is dropped, or a consequence.

  void drop(std::string why) {
    dropped = true;
    why_less = std::move(why);
  }
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
          tail->drop("the lines above say it; this is their repetition");
}

void drop_overridden(Group& group) {
  for (const Candidate* one : group) {
    if (one->dropped)
      continue;
    const std::vector<std::string>& overrides = one->finding.rule->overrides;
    for (Candidate* other : group)
      if (other != one && std::find(overrides.begin(), overrides.end(),
                                    other->finding.rule->id) != overrides.end())
        other->drop(one->finding.rule->id + " says the same more exactly");
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
      group[j]->drop("the same failure as " + one.rule->id + " found");
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
      candidate->drop(candidate->finding.superseded
                          ? "a later phase of the same build ran, so this did "
                            "not stop it"
                          : "a hint, and something better explains the "
                            "failure");
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
      if (named) {
        other->severity = Severity::consequence;
        other->why_less = one->finding.rule->id + " explains it";
      }
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
  for (const std::string& fix : finding.rule->fixes) {
    const auto need = finding.rule->fix_needs.find(fix);
    if (need == finding.rule->fix_needs.end() ||
        diagnosis.params.count(need->second) != 0)
      diagnosis.fixes.push_back(fix);
  }
  diagnosis.why = fill_sentence(finding.rule->why, diagnosis.params).text;
  diagnosis.cure = fill_sentence(finding.rule->cure, diagnosis.params).text;
  return diagnosis;
}

/// Nix repeats the end of a log, and make what it was told: once is enough.
void drop_repetitions(std::vector<EvidenceLine>& lines) {
  std::set<std::string> seen;
  std::erase_if(lines, [&](const EvidenceLine& line) {
    return !seen.insert(line.text).second;
  });
}

/// The failure whose cause is not in the log, with the command that shows it.
Diagnosis undetermined(const std::string& derivation,
                       const std::vector<EvidenceLine>& lines,
                       const std::string& phase) {
  Diagnosis diagnosis;
  diagnosis.kind = "undetermined";
  diagnosis.phase = to_utf8(phase);
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

/// A log of which only the consequences are left. What failed has no name in
/// it, and what is named has no log: it was not begun.
Diagnosis undetermined_dependency(const Outcome& dependent) {
  Diagnosis diagnosis = undetermined(dependent.derivation,
                                     {{dependent.number, dependent.text}}, "");
  const std::string command = "nix-store --realise " + diagnosis.derivation;
  diagnosis.params["command"] = {command};
  diagnosis.why = "A dependency failed; this log does not say which, or why.";
  diagnosis.cure = "Build it alone and read what fails first: " + command;
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
      if (attribution_.ended_well(candidate.finding, candidate.derivation)) {
        candidate.drop("that build ended well");
        ended_well_.push_back(note(candidate));
        continue;
      }
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

  /// What was found and is no cause, in the order of the log.
  std::vector<RankingNote> notes() const {
    std::vector<RankingNote> all = ended_well_;
    for (const Candidate& candidate : candidates_)
      if (!candidate.why_less.empty() &&
          candidate.finding.rule->severity != Severity::undetermined)
        all.push_back(note(candidate));
    std::stable_sort(all.begin(), all.end(),
                     [](const RankingNote& a, const RankingNote& b) {
                       return a.number < b.number;
                     });
    return all;
  }

 private:
  static RankingNote note(const Candidate& candidate) {
    return {candidate.finding.rule->id, candidate.finding.rule->kind,
            to_utf8(candidate.derivation), candidate.finding.number,
            candidate.why_less};
  }

  struct KeyLines {
    std::vector<EvidenceLine> lines;
    std::string phase;
  };
  /// The last lines that look like the failure, where no rule knows them.
  KeyLines key_lines(const std::string& derivation) const {
    KeyLines found;
    const auto group = groups_.find(derivation);
    if (group == groups_.end())
      return found;
    long last = 0;
    for (const Candidate* candidate : group->second) {
      const Finding& finding = candidate->finding;
      if (finding.rule->severity != Severity::undetermined ||
          finding.superseded)
        continue;
      found.lines.insert(found.lines.end(), finding.lines.begin(),
                         finding.lines.end());
      if (finding.number >= last) {
        last = finding.number;
        found.phase = finding.phase;
      }
    }
    std::stable_sort(found.lines.begin(), found.lines.end(),
                     [](const EvidenceLine& a, const EvidenceLine& b) {
                       return a.number < b.number;
                     });
    drop_repetitions(found.lines);
    if (found.lines.size() > most_key_lines)
      found.lines.erase(
          found.lines.begin(),
          found.lines.end() - static_cast<std::ptrdiff_t>(most_key_lines));
    return found;
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
      KeyLines found = key_lines(failure.derivation);
      merge_evidence(found.lines, {{failure.number, failure.text}});
      unknown.push_back(
          undetermined(failure.derivation, found.lines, found.phase));
    }
    const std::vector<Outcome>& dependents = attribution_.dependents();
    if (unknown.empty() && diagnoses.empty() && !dependents.empty())
      unknown.push_back(undetermined_dependency(dependents.front()));
    else if (unknown.empty() && diagnoses.empty())
      for (const auto& [derivation, group] : groups_) {
        const KeyLines found = key_lines(derivation);
        if (!found.lines.empty())
          unknown.push_back(undetermined(derivation, found.lines, found.phase));
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
  std::vector<RankingNote> ended_well_;
};

}  // namespace

std::vector<Diagnosis> rank_findings(const RuleSet& rules,
                                     const LogReader& reader,
                                     std::vector<Finding> findings,
                                     const std::vector<Outcome>& outcomes,
                                     std::vector<RankingNote>* notes) {
  Ranking ranking(rules, reader, std::move(findings), outcomes);
  std::vector<Diagnosis> diagnoses = ranking.run();
  if (notes != nullptr)
    *notes = ranking.notes();
  return diagnoses;
}

}  // namespace autopin
