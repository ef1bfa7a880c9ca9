#include "nix/build.h"

#include <set>

#include "base/text.h"

namespace autopin::nix {

namespace {

/// "/nix/store/….drv!dev" -> the .drv and "dev".
std::pair<std::string, std::string> split_target(const std::string& target) {
  const std::size_t mark = target.rfind('!');
  if (mark == std::string::npos)
    return {target, ""};
  return {target.substr(0, mark), target.substr(mark + 1)};
}

void append(std::vector<std::string>& to,
            const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

Builder::Builder(World& world, Invocation invocation)
    : world_(world), invocation_(std::move(invocation)) {}

BuildPlan Builder::plan(Store& store,
                        const std::vector<std::string>& targets) const {
  BuildPlan plan;
  std::set<std::string> seen;
  for (const std::string& target : targets) {
    const Derivation& drv = store.derivation(split_target(target).first);
    std::vector<std::string> wanted = {target};
    if (const auto reason = shell_reason(drv)) {
      plan.shell = true;
      if (plan.why_shell.empty())
        plan.why_shell = *reason;
      wanted = shell_inputs(drv);
    }
    for (std::string& path : wanted) {
      if (seen.insert(path).second)
        plan.targets.push_back(std::move(path));
    }
  }
  return plan;
}

BuildResult Builder::build(const BuildPlan& plan, const OutputSink& sink,
                           std::chrono::milliseconds timeout) {
  Command command;
  command.folder = invocation_.folder;
  command.timeout = timeout;
  // nix-build names links as its user expects; but nix-store alone takes what
  // is no result of the draft (a shell's inputs) without making links to it.
  std::filesystem::path link;
  if (plan.shell) {
    command.argv = {"nix-store", "--realise"};
  } else {
    command.argv = {"nix-build"};
    if (invocation_.out_link.wanted) {
      link = invocation_.folder / invocation_.out_link.path;
      append(command.argv, {"--out-link", link.string()});
    } else {
      command.argv.emplace_back("--no-out-link");
    }
  }
  append(command.argv, {"--log-format", "internal-json", "-v", "--keep-going"});
  append(command.argv, invocation_.build_flags);
  append(command.argv, plan.targets);
  if (plan.targets.empty())
    return {};  // A shell with no inputs.
  CommandResult result = world_.commands.run(command, sink);
  BuildResult built;
  built.exit_code = result.exit_code;
  built.timed_out = result.timed_out;
  built.log = std::move(result.err);
  for (const std::string_view line : lines_of(result.out)) {
    if (!store_name(line).empty())
      built.out_paths.emplace_back(line);
  }
  if (built.ok() && !link.empty()) {
    // nix-build: result, result-2, …, each with "-dev" for an output dev.
    for (std::size_t i = 0; i < plan.targets.size(); ++i) {
      std::string name = link.string();
      if (i > 0)
        name += "-" + std::to_string(i + 1);
      const std::string output = split_target(plan.targets[i]).second;
      if (!output.empty() && output != "out")
        name += "-" + output;
      built.out_links.emplace_back(name);
    }
  }
  return built;
}

}  // namespace autopin::nix
