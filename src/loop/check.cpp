#include "loop/check.h"

#include "nix/edit.h"

namespace autopin {

CommandResult run_check(const fix::Parts& parts, const std::string& command,
                        const std::vector<std::string>& roots,
                        const nix::BuildResult& build, bool shell,
                        std::chrono::milliseconds timeout) {
  const auto& invocation = parts.evaluator.invocation();
  Command nix_shell;
  nix_shell.folder = invocation.folder;
  nix_shell.timeout = timeout;
  nix_shell.argv = {"nix-shell"};
  const auto& flags = invocation.evaluation_flags;
  nix_shell.argv.insert(nix_shell.argv.end(), flags.begin(), flags.end());
  if (shell) {
    nix_shell.argv.push_back(roots.front());
  } else {
    std::string inputs;
    for (const auto& path : build.out_paths)
      inputs += " (builtins.storePath " + nix::quote(path) + ")";
    nix_shell.argv.insert(
        nix_shell.argv.end(),
        {"-E",
         "with import <nixpkgs> { }; runCommand \"autopin-check\" { "
         "buildInputs = [" +
             inputs + " ]; } \"\""});
  }
  nix_shell.argv.insert(nix_shell.argv.end(), {"--run", command});
  return parts.world.commands.run(nix_shell);
}

}  // namespace autopin
