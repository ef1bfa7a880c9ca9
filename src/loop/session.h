#pragma once
// One run of `autopin build`, put together from its parts: real, recorded or
// replayed, only the world differs.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "loop/deliver.h"
#include "loop/loop.h"
#include "nix/invocation.h"
#include "report/progress.h"

namespace autopin {

struct IndexChoice {
  std::optional<std::string> index_url;
  std::vector<std::string> extra_index_urls;
  std::vector<std::string> find_links;
};

struct Session {
  nix::Invocation invocation;
  LoopOptions options;
  IndexChoice index;
  std::vector<std::filesystem::path> rule_folders;
  bool look_ahead = true;  ///< See fix::Parts.
  /// Where the run's state and patch log are while it goes on.
  std::filesystem::path state_folder;
};

struct SessionEnd {
  LoopEnd end;
  report::PatchLog log;
  std::filesystem::path log_folder;
};

/// The loop, from the draft to the patch log in the state folder. Nothing is
/// delivered yet. `log_files` is where the patch log goes: the disk, also when
/// `world` is a tape.
SessionEnd run_session(World& world, const Session& session,
                       report::Progress& progress, Files& log_files);

/// `suggest`: one round from a log, without a build.
struct Suggestion {
  std::vector<Diagnosis> diagnoses;
  std::vector<report::Step> steps;
  std::string outcome;  ///< "fixed", "refused" or "nothing"
  std::vector<std::string> why_not;
  std::string diff;
  nix::Draft draft;
};
Suggestion suggest(World& world, const Session& session, std::string_view log,
                   report::Progress& progress);

/// The state folder of a draft: $XDG_STATE_HOME/autopin/<name>-<digest>.
std::filesystem::path state_folder_for(World& world,
                                       const std::filesystem::path& draft);

}  // namespace autopin
