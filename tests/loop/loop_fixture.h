#pragma once
// The loop over drafts that the real Nix evaluates and nobody builds: what
// nix-build would say is told by the test.

#include <set>

#include "fix/fix_fixture.h"
#include "loop/loop.h"

namespace autopin {

/// What the builders of one build say: name of the derivation -> its log where
/// it fails. What is not named is built.
using Failing = std::map<std::string, std::string>;

/// Answers nix-build and nix-store --realise, and runs all else.
class ScriptedBuilds : public CommandRunner {
 public:
  /// Given the names in the closure of the targets and the build's number.
  using Script = std::function<Failing(const std::set<std::string>&, int)>;
  using CommandRunner::run;

  CommandResult run(const Command& command, const OutputSink& sink) override {
    // A shell's inputs are realised, all else is built.
    const bool builds = command.argv.at(0) == "nix-build" ||
                        (command.argv.at(0) == "nix-store" &&
                         command.argv.at(1) == "--realise");
    if (!builds)
      return real_.run(command, sink);
    CommandResult result;
    std::map<std::string, std::string> drvs;
    for (const auto& word : command.argv)
      if (const auto drv = word.substr(0, word.find('!'));
          drv.starts_with("/nix/store/") && drv.ends_with(".drv"))
        for (const auto& member : store->closure(drv, nix::Edges::build))
          drvs[store->derivation(member).name()] = member;
    std::set<std::string> names;
    for (const auto& [name, drv] : drvs)
      names.insert(name);
    ++builds_;
    for (const auto& [name, log] : script(names, builds_))
      if (drvs.count(name) != 0)
        fail(drvs.at(name), log, result);
    result.timed_out = times_out;
    if (sink && !result.err.empty())
      sink(Stream::err, result.err);
    return result;
  }

  Script script = [](const auto&, int) { return Failing{}; };
  nix::Store* store = nullptr;
  bool times_out = false;
  int builds() const { return builds_; }

 private:
  static std::string quoted(const std::string& text) {
    std::string json = "\"";
    for (const char c : text)
      json += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return json + "\"";
  }
  static void fail(const std::string& drv, const std::string& log,
                   CommandResult& result) {
    static int id = 0;
    const std::string number = std::to_string(++id);
    result.exit_code = 1;
    result.err +=
        "@nix {\"action\":\"start\",\"id\":" + number +
        ",\"level\":3,\"type\":105,\"text\":\"building\",\"fields\":[" +
        quoted(drv) +
        ",\"\",1,1]}\n@nix {\"action\":\"result\",\"id\":" + number +
        ",\"type\":101,\"fields\":[" + quoted(log) +
        "]}\n@nix {\"action\":\"stop\",\"id\":" + number +
        "}\n@nix {\"action\":\"msg\",\"level\":0,\"msg\":" +
        quoted("error: builder for '" + drv + "' failed with exit code 1") +
        "}\n";
  }

  ProcessRunner real_;
  int builds_ = 0;
};

inline const RuleSet& shipped_rules() {
  static const RuleSet rules =
      load_rules({std::string(AUTOPIN_SOURCE_DIR) + "/rules"});
  return rules;
}

struct Run {
  LoopEnd end;
  report::PatchLog log;
  int builds = 0;
  std::string text;  ///< The entry at the end.
};

inline Run run_loop(const std::string& draft, ScriptedBuilds::Script script,
                    LoopOptions options = {}, bool times_out = false) {
  TemporaryFolder temporary;
  nix::DraftFixture fixture;
  fixture.invocation.evaluation_flags = {
      "-I",
      std::string("nixpkgs=") + AUTOPIN_SOURCE_DIR + "/tests/fix/package_set"};
  fixture.write("draft.nix", draft);
  ScriptedBuilds commands;
  World world{commands, fixture.world.http, fixture.world.files,
              fixture.world.clock, fixture.world.environment};
  nix::Evaluator evaluator(world, fixture.invocation);
  nix::Store store(world, fixture.invocation);
  commands.store = &store;
  commands.script = std::move(script);
  commands.times_out = times_out;
  fix::NoIndex index;
  const fix::Tables tables(shipped_rules().tables());
  report::LogFolder log(world.files, temporary.path() / "log", {});
  const auto progress = report::silent_progress();
  Loop loop({world, evaluator, store, index, tables, temporary.path()},
            shipped_rules(), std::move(options), *progress, log);
  Run run{loop.run(), {}, commands.builds(), {}};
  run.log = log.log();
  if (!run.end.draft.entry().empty())
    run.text = run.end.draft.text(run.end.draft.entry());
  return run;
}

}  // namespace autopin
