#include "cli/docs.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "base/exit_code.h"
#include "cli/completions.h"
#include "cli/man.h"

namespace autopin {

namespace {

ManSection exit_status() {
  ManSection section{"Exit status", {}};
  for (const ExitCodeRow& row : exit_codes) {
    section.entries.emplace_back(std::to_string(static_cast<int>(row.code)),
                                 row.meaning);
  }
  return section;
}

ManSection files() {
  return {"Files",
          {{"DRAFT.fixed.nix",
            "The repaired draft (or DRAFT itself, with --in-place)."},
           {"DRAFT.autopin/",
            "The patch log: log.json, a patch for each step, cumulative.patch, "
            "report.md, report.html and the logs of the builds."},
           {"$XDG_CONFIG_HOME/autopin/rules/",
            "Rules of your own; they add to or override the ones installed."},
           {"$XDG_STATE_HOME/autopin/", "State of runs that are not over."}}};
}

ManSection environment() {
  return {"Environment",
          {{"NIX_PATH, NIX_CONFIG, NIXPKGS_*",
            "As for nix-build, which autopin runs."},
           {"PIP_INDEX_URL, PIP_EXTRA_INDEX_URL, PIP_CONFIG_FILE",
            "Where pip would look for packages, autopin looks as well."},
           {"NO_COLOR", "No colours, whatever the terminal."}}};
}

}  // namespace

void add_docs_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("docs", "Prints the manual page or completions.")
          ->group("");
  const auto what = std::make_shared<std::string>();
  command->add_option("what", *what, "man, bash, zsh or fish")->required();
  command->callback([&app, &exit_code, what] {
    std::cout << (*what == "man"
                      ? man_page(app, AUTOPIN_VERSION,
                                 {exit_status(), files(), environment()})
                      : completions(app, *what));
    exit_code = 0;
  });
}

}  // namespace autopin
