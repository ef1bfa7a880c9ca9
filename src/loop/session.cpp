#include "loop/session.h"

#include <algorithm>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "io/interrupt.h"
#include "loop/draft_diff.h"
#include "nix/version.h"

namespace autopin {
namespace {

/// The parts that one session owns; fix::Parts refers to them.
struct Workshop {
  Workshop(World& world, const Session& session)
      : rules(load_rules(rule_folders(session.rule_folders))),
        tables(rules.tables()),
        evaluator(world, session.invocation),
        store(world, session.invocation),
        index(python::make_index(
            world, python::find_index_options(world, session.index.index_url,
                                              session.index.extra_index_urls,
                                              session.index.find_links))),
        parts{world,
              evaluator,
              store,
              *index,
              tables,
              session.state_folder / "downloads",
              session.look_ahead} {
    if (rules.rules().empty())
      throw Error("reading rules", "rules/",
                  "no folder with rules was found; see --rules");
  }

  RuleSet rules;
  fix::Tables tables;
  nix::Evaluator evaluator;
  nix::Store store;
  std::unique_ptr<python::Index> index;
  fix::Parts parts;
};

std::string_view word_of(ExitCode code) {
  for (const auto& row : exit_codes)
    if (row.code == code)
      return row.word;
  return "error";
}

/// The draft as it stands when it is fixed here, or in its own words.
Findings findings_of_log(const Workshop& shop, std::string_view log,
                         nix::Store& store,
                         const std::vector<std::string>& roots) {
  if (roots.empty())
    return findings_of_evaluation(shop.rules, log);
  Findings findings = findings_of_build(shop.rules, log, store, roots);
  const Findings looser = findings_of_check(shop.rules, log, store, roots);
  if (!findings.failures.empty())
    return findings;
  // A log without Nix's own words: the package that its paths name, or the
  // only one there is.
  findings.failures = looser.failures;
  for (auto& failure : findings.failures)
    if (failure.drv.empty() && roots.size() == 1)
      failure.drv = roots.front();
  std::erase_if(findings.failures, [](const fix::Failure& failure) {
    return failure.drv.empty();
  });
  return findings;
}

}  // namespace

std::filesystem::path state_folder_for(World& world,
                                       const std::filesystem::path& draft) {
  const auto given = world.environment.get("XDG_STATE_HOME");
  const auto home = world.environment.get("HOME");
  const std::filesystem::path base =
      given && !given->empty() ? std::filesystem::path(*given)
      : home && !home->empty()
          ? std::filesystem::path(*home) / ".local" / "state"
          : throw Error("finding the state folder", "$HOME", "it is not set");
  return base / "autopin" /
         (draft.stem().string() + "-" +
          to_hex(sha256(draft.string())).substr(0, 12));
}

SessionEnd run_session(World& world, const Session& session,
                       report::Progress& progress, Files& log_files) {
  Workshop shop(world, session);
  report::PatchLog start;
  start.autopin = AUTOPIN_VERSION;
  start.nix = nix::nix_version(world).text;
  const auto system = shop.evaluator.evaluate_json("builtins.currentSystem");
  if (const auto* json = std::get_if<std::string>(&system))
    start.system = replace_all(std::string(trim(*json)), "\"", "");
  start.draft = session.invocation.entry.empty()
                    ? "shell.nix"
                    : session.invocation.entry.filename().string();
  start.started = world.clock.now();
  report::LogFolder log(log_files, session.state_folder / "log", start);
  Loop loop(shop.parts, shop.rules, session.options, progress, log);
  SessionEnd ended{{}, {}, log.folder()};
  try {
    ended.end = loop.run();
  } catch (const Interrupted&) {
    ended.end.code = ExitCode::interrupted;
    ended.end.message =
        "stopped by the user; the draft is as it was. Run the same command "
        "again to start over";
  }
  const double seconds =
      std::chrono::duration<double>(world.clock.now() - start.started).count();
  log.end(std::string(word_of(ended.end.code)),
          static_cast<int>(ended.end.code), ended.end.message, seconds,
          ended.end.draft.entry().empty()
              ? ""
              : diff_from_original(ended.end.draft));
  ended.log = log.log();
  return ended;
}

Suggestion suggest(World& world, const Session& session, std::string_view log,
                   report::Progress& progress) {
  Workshop shop(world, session);
  auto discovery = shop.evaluator.discover();
  std::vector<std::string> roots;
  std::vector<std::string> targets;
  if (const auto* made =
          std::get_if<nix::Instantiated>(&discovery.evaluation)) {
    roots = made->drvs;
    targets = made->targets;
  }
  const auto findings = findings_of_log(shop, log, shop.store, roots);
  Suggestion suggestion;
  suggestion.diagnoses = findings.diagnoses;
  suggestion.draft = discovery.draft;
  suggestion.outcome = "nothing";
  if (!findings.environment.empty()) {
    suggestion.outcome = "refused";
    suggestion.why_not.push_back(findings.environment.front().why);
    return suggestion;
  }
  Planner planner(shop.parts, session.options.policy,
                  [&](std::string_view what) { progress.busy(what); });
  auto planned =
      planner.plan(discovery.draft, roots, targets, findings.failures, 1, 1);
  bool refused = false;
  for (const auto& unfixed : planned.unfixed) {
    refused = refused || unfixed.refused();
    for (const auto& why : unfixed.why_not)
      suggestion.why_not.push_back(why.fix + ": " + why.why);
  }
  if (refused || planned.steps.empty()) {
    suggestion.outcome = refused ? "refused" : "nothing";
    return suggestion;
  }
  suggestion.outcome = "fixed";
  suggestion.steps = std::move(planned.steps);
  suggestion.draft = std::move(planned.draft);
  suggestion.diff = diff_from_original(suggestion.draft);
  return suggestion;
}

}  // namespace autopin
