#include "loop/planner.h"

#include <algorithm>

#include "base/derivation_name.h"
#include "base/text.h"
#include "fix/pin_demands.h"
#include "loop/draft_diff.h"

namespace autopin {
namespace {

std::string key_of(const fix::Failure& failure, const fix::Proposal& proposal) {
  return signature_of(failure) + " => " + proposal.id();
}

std::vector<report::DerivationChange> changed_members(
    const fix::Situation& before, const fix::Situation& after) {
  std::vector<report::DerivationChange> changes;
  auto& store = after.store();
  for (const auto& drv : store.closure(after.roots(), nix::Edges::build))
    if (!before.in_closure(drv))
      changes.push_back({std::string(derivation_name(drv)), "", drv});
  return changes;
}

}  // namespace

std::optional<std::string> Policy::objection(Risk risk) const {
  if (denied.count(risk) != 0)
    return "--deny " + std::string(name_of(risk));
  if (risk == Risk::permits && allowed.count(risk) == 0)
    return "it needs your word: run again with --allow permits";
  return std::nullopt;
}

bool Unfixed::refused() const {
  return std::any_of(why_not.begin(), why_not.end(),
                     [](const fix::WhyNot& why) { return why.refused; });
}

std::string signature_of(const fix::Failure& failure) {
  std::string signature =
      std::string(derivation_name(failure.drv)) + " " + failure.diagnosis.kind;
  for (const auto& [name, values] : failure.diagnosis.params)
    signature += " " + name + "=" + join(values, ",");
  return signature;
}

namespace {

/// The failures of `drv` that could not be fixed themselves become
/// alternatives of the step that was taken instead.
void settle(Planned& planned, const std::string& drv) {
  auto& alternatives = planned.steps.back().alternatives;
  std::erase_if(planned.unfixed, [&](const Unfixed& unfixed) {
    if (unfixed.failure.drv != drv)
      return false;
    for (const auto& why : unfixed.why_not)
      alternatives.push_back({why.fix, why.why});
    return true;
  });
}

}  // namespace

namespace {

/// The last line of the evaluator's message that says "error: …".
std::string error_line(const std::string& log) {
  std::string found;
  for (const auto line : lines_of(log))
    if (const auto text = trim(line); text.starts_with("error:"))
      found = std::string(text);
  return found;
}

}  // namespace

std::optional<Planner::Trial> Planner::attempt(const fix::Situation& before,
                                               const fix::Proposal& proposal,
                                               std::string& why_not) {
  Trial trial;
  trial.draft = before.draft();
  for (const auto& [file, edits] : proposal.edits) {
    nix::EditSet set;
    if (!set.add_all(edits)) {
      why_not = "its edits overlap";
      return std::nullopt;
    }
    const std::string text = set.apply(trial.draft.text(file));
    if (nix::Source::parse(text).has_errors()) {
      why_not = "the edited source does not parse";
      return std::nullopt;
    }
    trial.draft.set_text(file, text);
  }
  auto evaluation = parts_.evaluator.instantiate(trial.draft);
  if (const auto* failed = std::get_if<nix::EvaluationFailed>(&evaluation)) {
    why_not = "the edited draft does not evaluate: " + error_line(failed->log);
    return std::nullopt;
  }
  trial.made = std::get<nix::Instantiated>(std::move(evaluation));
  trial.situation =
      std::make_unique<fix::Situation>(parts_, trial.draft, trial.made.drvs);
  if (const auto problem = proposal.check(*trial.situation)) {
    why_not = *problem;
    return std::nullopt;
  }
  return trial;
}

bool Planner::fix_one(fix::Failure failure, Planned& planned,
                      std::unique_ptr<fix::Situation>& situation, int step,
                      int round) {
  failure.step = step;
  const auto started = parts_.world.clock.now();
  auto offer = fix::offer_for(failure, *situation, policy_.permissions);
  Unfixed unfixed{failure, std::move(offer.why_not)};
  std::vector<report::Alternative> alternatives;
  for (const auto& why : unfixed.why_not)
    alternatives.push_back({why.fix, why.why});
  for (const auto& proposal : offer.proposals) {
    std::string why_not;
    bool refused = false;
    std::optional<Trial> trial;
    if (banned_.count(key_of(failure, proposal)) != 0) {
      why_not = "it was tried and did not change the failure";
    } else if (const auto objection = policy_.objection(proposal.risk)) {
      why_not = *objection;
      refused = true;
    } else {
      busy_("trying: " + proposal.summary + " " + proposal.where);
      trial = attempt(*situation, proposal, why_not);
    }
    if (!trial) {
      unfixed.why_not.push_back({proposal.fix, why_not, refused});
      alternatives.push_back(
          {proposal.fix + " (" + proposal.where + ")", why_not});
      continue;
    }
    report::Step done;
    done.number = step;
    done.round = round;
    done.failure = failure.diagnosis;
    done.failure.derivation = failure.drv;
    done.fix = proposal.fix;
    done.risk = proposal.risk;
    done.summary = proposal.summary;
    done.why = proposal.why;
    done.alternatives = std::move(alternatives);
    for (const auto& source : proposal.sources)
      done.provenance.push_back({source.index, source.file, source.hash});
    done.diff = diff_between(situation->draft(), trial->draft);
    done.drv_before = failure.drv;
    if (!failure.drv.empty())
      done.drv_after =
          fix::successor_of(*situation, failure.drv, *trial->situation)
              .value_or("");
    done.changed = changed_members(*situation, *trial->situation);
    done.weakens = proposal.weakens;
    done.seconds =
        std::chrono::duration<double>(parts_.world.clock.now() - started)
            .count();
    planned.steps.push_back(std::move(done));
    planned.step_keys.push_back(key_of(failure, proposal));
    planned.draft = trial->draft;
    planned.roots = trial->made.drvs;
    planned.targets = trial->made.targets;
    situation = std::move(trial->situation);
    return true;
  }
  planned.unfixed.push_back(std::move(unfixed));
  return false;
}

Planned Planner::plan(const nix::Draft& draft,
                      const std::vector<std::string>& roots,
                      const std::vector<std::string>& targets,
                      std::vector<fix::Failure> failures, int first_step,
                      int round) {
  Planned planned;
  planned.draft = draft;
  planned.roots = roots;
  planned.targets = targets;
  auto situation = std::make_unique<fix::Situation>(parts_, draft, roots);
  // What an earlier step replaced is looked for in the state that it made.
  std::vector<std::unique_ptr<fix::Situation>> earlier;
  for (auto& failure : failures) {
    for (std::size_t i = 0; i < earlier.size() && !failure.drv.empty(); ++i) {
      const auto& next = i + 1 < earlier.size() ? *earlier[i + 1] : *situation;
      if (!next.in_closure(failure.drv))
        failure.drv =
            fix::successor_of(*earlier[i], failure.drv, next).value_or("");
    }
    if (failure.drv.empty() && !earlier.empty() &&
        !failure.diagnosis.derivation.empty())
      continue;  // gone with what an earlier step replaced
    if (fix::is_settled(failure, *situation))
      continue;
    auto before =
        std::make_unique<fix::Situation>(parts_, planned.draft, planned.roots);
    const int step = first_step + static_cast<int>(planned.steps.size());
    bool fixed = fix_one(failure, planned, situation, step, round);
    for (const auto& consequence : failure.consequences) {
      if (fixed)
        break;
      fix::Failure milder = failure;
      milder.diagnosis = consequence;
      fixed = fix_one(milder, planned, situation, step, round);
      if (fixed)  // what could not be done about its cause is told with it
        settle(planned, failure.drv);
    }
    if (fixed)
      earlier.push_back(std::move(before));
  }
  return planned;
}

}  // namespace autopin
