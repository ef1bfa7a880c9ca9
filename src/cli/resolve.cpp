#include "cli/resolve.h"
#include "cli/format_option.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <memory>

#include "base/error.h"
#include "base/exit_code.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/real_world.h"
#include "cli/resolution_view.h"
#include "cli/resolve_against.h"
#include "cli/session_options.h"
#include "python/name.h"

namespace autopin {

namespace {

std::vector<python::Demand> demands_of(const ResolveCommand& command) {
  std::vector<python::Demand> out;
  for (const std::string& text : command.requirements) {
    python::RequirementProblem problem;
    auto requirement = python::Requirement::parse(text, &problem);
    if (!requirement)
      throw Error("read the requirement", printable_line(text), problem.what);
    out.push_back({*std::move(requirement), "the command line"});
  }
  return out;
}

/// What the user says counts before what the set is.
python::Target target_of(const ResolveCommand& command,
                         const fix::EvaluatedSet* set) {
  const std::string platform = command.platform.empty() && set == nullptr
                                   ? "x86_64-linux"
                                   : command.platform;
  const std::string python = command.python.empty() ? "3.11" : command.python;
  auto target = python::Target::from_words(python, platform);
  if (!target)
    throw Error("read the target", python + ", " + platform,
                "not a Python version and a platform such as x86_64-linux");
  if (set == nullptr)
    return *target;
  python::Target out = set->interpreter().target;
  if (!platform.empty()) {
    out.system = target->system;
    out.machine = target->machine;
    out.glibc = target->glibc;
    out.musl = target->musl;
    out.macos = target->macos;
  }
  return out;
}

std::string shown(const python::Resolution& resolution,
                  ResolutionFormat format) {
  switch (format) {
    case ResolutionFormat::json:
      return to_json(resolution);
    case ResolutionFormat::nix:
      return to_nix(resolution);
    case ResolutionFormat::text:
      break;
  }
  return to_text(resolution);
}

std::string shown(const python::NoSolution& none, ResolutionFormat format) {
  if (format == ResolutionFormat::json)
    return to_json(none);
  const std::string why = printable(none.why);
  // Still an expression's file, with nothing in it but the reason.
  return format == ResolutionFormat::nix
             ? "# " + replace_all(why, "\n", "\n# ") + '\n'
             : why + '\n';
}

int run_for_real(const ResolveCommand& command) {
  RealWorld real(command.network);
  return run_resolve(command, real.world(), std::cout);
}

}  // namespace

int run_resolve(const ResolveCommand& command, World& world,
                std::ostream& out) {
  const auto demands = demands_of(command);
  std::optional<Against> against;
  if (!command.against.empty())
    against.emplace(world, command.against, command.evaluation_flags,
                    command.python);
  const python::Target target =
      target_of(command, against ? &against->set() : nullptr);
  const auto index = python::make_index(
      world, python::find_index_options(
                 world,
                 command.index_url.empty() ? std::nullopt
                                           : std::optional(command.index_url),
                 command.extra_index_urls, command.find_links));
  python::ResolveOptions options;
  options.prefer_all_wheels = command.all_wheels;
  options.allow_prereleases = command.prereleases;
  options.build_and_test_needs = !command.no_tests;
  options.builder_brings_tools = against.has_value();
  if (against) {
    for (const auto& interpreter : against->set().interpreters()) {
      if (interpreter.target.implementation == "cpython")
        options.pythons.push_back(interpreter.version);
    }
  }
  for (const std::string& name : command.wheels)
    options.prefer_wheel.insert(python::normalize_name(name));
  python::EmptyPackageSet none_there;
  python::PackageSet& set =
      against ? static_cast<python::PackageSet&>(against->set()) : none_there;
  const auto result = python::resolve(demands, set, *index, target, options);
  if (const auto* none = std::get_if<python::NoSolution>(&result)) {
    out << shown(*none, command.format);
    return static_cast<int>(ExitCode::cannot_fix);
  }
  out << shown(std::get<python::Resolution>(result), command.format);
  return static_cast<int>(ExitCode::green);
}

void add_resolve_command(CLI::App& app, int& exit_code) {
  const auto given = std::make_shared<ResolveCommand>();
  CLI::App* command = app.add_subcommand(
      "resolve", "Find the versions that requirements come down to");
  command
      ->add_option("requirements", given->requirements,
                   "What is needed, as pip takes it: 'name>=1.0,<2'")
      ->required()
      ->option_text("REQ...");
  command
      ->add_option(
          "--python", given->python,
          "The interpreter to resolve for (3.11, or the set's python3)")
      ->type_name("VERSION");
  command
      ->add_option("--platform", given->platform,
                   "The platform to resolve for, as Nix or a wheel names it "
                   "(x86_64-linux)")
      ->type_name("PLATFORM");
  command
      ->add_option(
          "--against", given->against,
          "Take what this package set has where it satisfies: nixpkgs, "
          "a path, a URL or an expression")
      ->type_name("SET");
  add_evaluation_flags(*command, given->evaluation_flags);
  command
      ->add_option("-i,--index-url", given->index_url,
                   "The package index, instead of pip's")
      ->type_name("URL");
  command
      ->add_option("--extra-index-url", given->extra_index_urls,
                   "A further index")
      ->type_name("URL");
  command
      ->add_option("-f,--find-links", given->find_links,
                   "A page or a folder with files")
      ->type_name("PLACE");
  add_network_options(*command, given->network);
  command
      ->add_option("--wheel", given->wheels,
                   "Take this project as a wheel where there is one")
      ->type_name("NAME");
  command->add_flag("--all-wheels", given->all_wheels,
                    "Take wheels wherever there are some");
  command->add_flag("--pre", given->prereleases, "Take pre-releases too");
  command->add_flag("--no-tests", given->no_tests,
                    "Leave aside what builds and tests ask for");
  add_format_option<ResolutionFormat>(*command, given->format,
                                      {{"text", ResolutionFormat::text},
                                       {"json", ResolutionFormat::json},
                                       {"nix", ResolutionFormat::nix}});
  command->callback([given, &exit_code] { exit_code = run_for_real(*given); });
}

}  // namespace autopin
