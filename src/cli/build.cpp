#include "cli/build.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "base/printable.h"
#include "cli/real_world.h"
#include "cli/recording.h"
#include "cli/run_lock.h"
#include "cli/session_options.h"
#include "report/json.h"
#include "report/views.h"

namespace autopin {
namespace {

struct BuildOptions {
  SessionOptions session;
  std::string check;
  int max_rounds = 20;
  double timeout_seconds = 0;
  std::string record;
  bool quiet = false;
};

std::unique_ptr<report::Progress> progress_for(bool quiet) {
  if (quiet)
    return report::silent_progress();
  return report::make_progress(
      report::options_for_stderr(),
      [](std::string_view text) { std::cerr << text << std::flush; });
}

void tell(const SessionEnd& ended, const Delivery& delivery, bool json) {
  if (json)
    std::cout << report::to_json(ended.log);
  else
    for (const auto& path : ended.end.build.out_paths)
      if (ended.end.code == ExitCode::green && !ended.end.shell)
        std::cout << path << '\n';
  std::cerr << report::summary(ended.log);
  if (!delivery.fixed.empty())
    std::cerr << "fixed draft: " << delivery.fixed.string() << '\n';
  if (!delivery.log_folder.empty())
    std::cerr << "patch log:   " << delivery.log_folder.string() << '\n';
  for (const auto& note : delivery.notes)
    std::cerr << "note: " << note << '\n';
}

int run_build(const BuildOptions& options) {
  NetworkOptions network = options.session.network;
  // A tape holds what an index sends, not what the cache made of it.
  network.no_cache = network.no_cache || !options.record.empty();
  RealWorld real(network);
  Session session = session_of(real.world(), options.session);
  session.options.max_rounds = options.max_rounds;
  session.options.timeout = std::chrono::milliseconds(
      static_cast<std::int64_t>(options.timeout_seconds * 1000));
  if (!options.check.empty())
    session.options.check = options.check;
  const auto progress = progress_for(options.quiet);
  const RunLock lock(session.state_folder,
                     [&](std::string_view text) { progress->warning(text); });

  std::optional<Recording> recording;
  if (!options.record.empty())
    recording.emplace(options.record, session, real.world());
  World& world = recording ? recording->world() : real.world();
  const SessionEnd ended = run_session(world, session, *progress, real.files());
  if (recording)
    recording->close(session, ended);

  nix::Evaluator evaluator(real.world(), session.invocation);
  nix::Draft delivered = ended.end.draft;
  if (ended.end.code != ExitCode::green)
    for (const auto& file : delivered.files())
      delivered.set_text(file, delivered.original(file));
  Delivery delivery;
  if (!delivered.entry().empty())
    delivery = deliver(
        evaluator, delivered,
        ended.end.code == ExitCode::green ? ended.end.roots
                                          : std::vector<std::string>{},
        {options.session.in_place, ended.log_folder, session.state_folder});
  tell(ended, delivery, options.session.json);
  return static_cast<int>(ended.end.code);
}

}  // namespace

void add_build_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<BuildOptions>();
  CLI::App* command = app.add_subcommand(
      "build", "Build a draft, fix what fails, until it is green");
  add_session_options(*command, options->session);
  command
      ->add_option("-o,--out-link", options->session.out_link,
                   "Name of the link to the result")
      ->type_name("PATH")
      ->group("Passed on to Nix");
  command
      ->add_flag("--no-out-link", options->session.no_out_link,
                 "Make no link to the result")
      ->group("Passed on to Nix");
  command->add_option("--check", options->check,
                      "A command that must succeed with the result at hand");
  command
      ->add_option("--max-rounds", options->max_rounds,
                   "Give up after so many rounds")
      ->capture_default_str();
  command->add_option("--timeout", options->timeout_seconds,
                      "Give up after so many seconds");
  command
      ->add_option("--record", options->record,
                   "Record the run into a folder, for replay")
      ->excludes("--offline")
      ->type_name("DIR");
  command->add_flag("-q,--quiet", options->quiet, "No progress");
  command->callback([options, &exit_code] { exit_code = run_build(*options); });
}

}  // namespace autopin
