#include "loop/loop.h"

#include <algorithm>

#include "base/derivation_name.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/text.h"
#include "loop/check.h"
#include "loop/watch.h"

namespace autopin {
namespace {

using std::chrono::milliseconds;

std::string last_line(const std::string& log) {
  const auto lines = lines_of(log);
  for (auto line = lines.rbegin(); line != lines.rend(); ++line)
    if (!trim(*line).empty())
      return printable(trim(*line));
  return {};
}

}  // namespace

Loop::Loop(fix::Parts parts, const RuleSet& rules, LoopOptions options,
           report::Progress& progress, report::LogFolder& log)
    : parts_(parts),
      rules_(rules),
      options_(std::move(options)),
      progress_(progress),
      log_(log),
      planner_(parts, options_.policy,
               [&progress](std::string_view what) { progress.busy(what); }),
      builder_(parts.world, parts.evaluator.invocation()),
      started_(parts.world.clock.now()) {}

LoopEnd Loop::stop(ExitCode code, std::string message) const {
  return {code,         std::move(message), state_.draft,
          state_.roots, last_build_,        shell_};
}

milliseconds Loop::time_left() const {
  if (options_.timeout.count() == 0)
    return milliseconds{0};
  const auto spent = std::chrono::duration_cast<milliseconds>(
      parts_.world.clock.now() - started_);
  return std::max(options_.timeout - spent, milliseconds{1});
}

bool Loop::out_of_time() const {
  return options_.timeout.count() != 0 && time_left() == milliseconds{1};
}

LoopEnd Loop::run() {
  if (auto end = start())
    return *end;
  for (int number = 1; number <= options_.max_rounds; ++number) {
    if (out_of_time())
      return stop(ExitCode::limit, "--timeout was reached after " +
                                       std::to_string(number - 1) +
                                       " rounds; give it more time");
    if (auto end = round(number))
      return *end;
  }
  return stop(ExitCode::limit,
              "still red after " + std::to_string(options_.max_rounds) +
                  " rounds (--max-rounds); the patch log says how far it came");
}

std::optional<LoopEnd> Loop::start() {
  progress_.busy("evaluating");
  auto discovery = parts_.evaluator.discover();
  state_.draft = std::move(discovery.draft);
  seen_.insert(state_.draft.state());
  if (const auto* failed =
          std::get_if<nix::EvaluationFailed>(&discovery.evaluation)) {
    const auto findings = findings_of_evaluation(rules_, failed->log);
    report::Round told;
    told.number = 1;
    told.started = started_;
    tell_failures(told, findings, failed->log);
    log_.put_round(told);
    if (findings.failures.empty())
      return stop_evaluation(findings, failed->log);
    if (auto end = advance(1, findings.failures))
      return end->code == ExitCode::cannot_fix || end->code == ExitCode::no_rule
                 ? stop_evaluation(findings, failed->log)
                 : *end;
    return std::nullopt;
  }
  const auto& made = std::get<nix::Instantiated>(discovery.evaluation);
  state_.roots = made.drvs;
  state_.targets = made.targets;
  return std::nullopt;
}

LoopEnd Loop::stop_evaluation(const Findings& findings,
                              const std::string& log) {
  if (!findings.environment.empty())
    return stop(ExitCode::environment, findings.environment.front().why + " " +
                                           findings.environment.front().cure);
  if (findings.failures.empty())
    return stop(ExitCode::broken_draft,
                "the draft cannot be evaluated: " + last_line(log));
  const auto& cause = findings.failures.front().diagnosis;
  const std::string at =
      cause.lines.empty() ? "" : "\n  " + printable(cause.lines.front().text);
  return stop(ExitCode::broken_draft, "the draft cannot be evaluated: " +
                                          cause.why + " " + cause.cure + at);
}

void Loop::tell_failures(report::Round& told, const Findings& findings,
                         std::string_view log) {
  const auto logs = logs_by_derivation(log);
  for (const auto& diagnosis : findings.diagnoses) {
    if (diagnosis.severity == Severity::cause)
      progress_.diagnosed(diagnosis.derivation, diagnosis.why);
    auto there =
        std::find_if(told.failures.begin(), told.failures.end(),
                     [&](const report::Failure& failure) {
                       return failure.derivation == diagnosis.derivation;
                     });
    if (there == told.failures.end()) {
      report::Failure failure;
      failure.derivation = diagnosis.derivation;
      for (const auto& [drv, text] : logs)
        if (drv == diagnosis.derivation)
          failure.log = log_.keep_log(told.number, drv, text);
      if (failure.log.empty())
        failure.log = log_.keep_log(told.number, "whole", log);
      told.failures.push_back(std::move(failure));
      there = std::prev(told.failures.end());
    }
    there->diagnoses.push_back(diagnosis);
  }
}

std::optional<LoopEnd> Loop::build(int number, report::Round& told,
                                   Findings& findings) {
  const auto plan = builder_.plan(parts_.store, state_.targets);
  if (plan.shell && !shell_)
    progress_.note("the draft is a shell: its inputs are built, not itself (" +
                   plan.why_shell + ")");
  shell_ = plan.shell;
  BuildWatch watch(progress_);
  last_build_ = builder_.build(
      plan,
      [&](Stream stream, std::string_view bytes) {
        if (stream == Stream::err)
          watch.feed(bytes);
      },
      time_left());
  watch.finish();
  log_.count_build(!last_build_.ok());
  if (last_build_.timed_out)
    return stop(ExitCode::limit, "--timeout was reached in round " +
                                     std::to_string(number) +
                                     "; give it more time");
  if (last_build_.ok())
    return std::nullopt;
  findings =
      findings_of_build(rules_, last_build_.log, parts_.store, state_.roots);
  told.outcome = report::RoundOutcome::failed;
  tell_failures(told, findings, last_build_.log);
  return std::nullopt;
}

std::optional<LoopEnd> Loop::check(report::Round& told, Findings& findings) {
  progress_.busy("checking: " + *options_.check);
  const auto result = run_check(parts_, *options_.check, state_.roots,
                                last_build_, shell_, time_left());
  if (result.timed_out)
    return stop(ExitCode::limit, "--timeout was reached while checking");
  if (result.exit_code == 0)
    return std::nullopt;
  const std::string log = result.err + result.out;
  findings = findings_of_check(rules_, log, parts_.store, state_.roots);
  told.outcome = report::RoundOutcome::check_failed;
  tell_failures(told, findings, log);
  if (findings.diagnoses.empty())
    return stop(
        ExitCode::no_rule,
        "the build is green, but the check fails and no rule says why: " +
            last_line(log));
  return std::nullopt;
}

std::optional<LoopEnd> Loop::round(int number) {
  progress_.round_started(number);
  report::Round told;
  told.number = number;
  told.started = parts_.world.clock.now();
  told.outcome = report::RoundOutcome::green;
  Findings findings;
  auto end = build(number, told, findings);
  if (!end && told.outcome == report::RoundOutcome::green && options_.check)
    end = check(told, findings);
  told.seconds =
      std::chrono::duration<double>(parts_.world.clock.now() - told.started)
          .count();
  log_.put_round(told);
  progress_.round_ended(number, report::name_of(told.outcome), told.seconds);
  if (end)
    return end;
  if (told.outcome == report::RoundOutcome::green)
    return stop(ExitCode::green, options_.check
                                     ? "the build is green and the check passes"
                                     : "the build is green");
  return go_on(number, findings);
}

std::optional<LoopEnd> Loop::go_on(int number, const Findings& findings) {
  if (!findings.environment.empty()) {
    const auto& first = findings.environment.front();
    return stop(ExitCode::environment, first.why + " " + first.cure);
  }
  if (findings.failures.empty())
    return stop(
        ExitCode::no_rule,
        findings.diagnoses.empty()
            ? "no rule describes this failure: " + last_line(last_build_.log) +
                  "\n`autopin rules new --from LOG` writes the "
                  "beginning of one"
            : findings.diagnoses.front().why + " " +
                  findings.diagnoses.front().cure);
  if (take_back(findings)) {
    const Past redo = past_.back();
    past_.pop_back();
    state_ = redo.before;
    return advance(number, redo.failures);
  }
  return advance(number, findings.failures);
}

/// Steps of the last round whose failure is still there as it was: they were no
/// help, and will not be proposed again.
bool Loop::take_back(const Findings& findings) {
  if (past_.empty())
    return false;
  bool any = false;
  Past& last = past_.back();
  for (std::size_t i = 0; i < last.steps.size(); ++i) {
    const auto& step = last.steps[i];
    const bool same = std::any_of(
        findings.failures.begin(), findings.failures.end(),
        [&](const fix::Failure& now) {
          fix::Failure before;
          before.diagnosis = step.failure;
          before.drv = now.drv;  // its name may have changed with its version
          return (now.drv == step.drv_after || now.drv == step.drv_before) &&
                 signature_of(now) == signature_of(before);
        });
    if (!same)
      continue;
    any = true;
    planner_.ban(last.step_keys[i]);
  }
  if (!any)
    return false;
  for (auto& step : last.steps) {
    step.taken_back = "it did not change the failure that it was for";
    log_.put_step(step);
    progress_.taken_back(step.number, step.taken_back);
  }
  return true;
}

std::optional<LoopEnd> Loop::advance(
    int number, const std::vector<fix::Failure>& failures) {
  auto planned = planner_.plan(state_.draft, state_.roots, state_.targets,
                               failures, steps_ + 1, number);
  for (const auto& step : planned.steps) {
    log_.put_step(step);
    progress_.step(step.number, step.risk, step.summary);
  }
  steps_ += static_cast<int>(planned.steps.size());
  if (!planned.unfixed.empty())
    return stop_unfixed(planned.unfixed);
  past_.push_back({state_, failures, planned.steps, planned.step_keys});
  state_ = {std::move(planned.draft), std::move(planned.roots),
            std::move(planned.targets)};
  if (!seen_.insert(state_.draft.state()).second)
    return stop(ExitCode::circles,
                "the fixes lead back to a state that was there before: what "
                "one needs, another undoes; the patch log has both");
  return std::nullopt;
}

LoopEnd Loop::stop_unfixed(const std::vector<Unfixed>& unfixed) const {
  ExitCode code = ExitCode::no_rule;
  std::string message;
  for (const auto& one : unfixed) {
    const auto& cause = one.failure.diagnosis;
    message += (message.empty() ? "" : "\n") +
               derivation_prefix(one.failure.drv.empty() ? cause.derivation
                                                         : one.failure.drv) +
               cause.why;
    for (const auto& why : one.why_not)
      message += "\n  " + why.fix + ": " + printable(why.why);
    if (!cause.cure.empty())
      message += "\n  What you can do: " + cause.cure;
    const std::string_view name = derivation_name(one.failure.drv);
    log_.add_learned(cause.kind +
                     (name.empty() ? "" : " in " + std::string(name)) + ": " +
                     cause.why);
    if (one.refused())
      code = ExitCode::refused;
    else if (code != ExitCode::refused)
      code = ExitCode::cannot_fix;
  }
  return stop(code, message);
}

}  // namespace autopin
