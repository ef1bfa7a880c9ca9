#pragma once
// The patch log on disk while a run goes on. Each event is first appended to
// log.jsonl and synced, then log.json is replaced in one step: whenever the run
// is killed, log.json is whole, and what is newer is in log.jsonl.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "io/files.h"
#include "report/patch_log.h"

namespace autopin::report {

class LogFolder {
 public:
  /// A log of `folder` from an earlier run is replaced. The folder is an output
  /// of the run: give it files that go to disk also while a tape plays.
  LogFolder(Files& files, std::filesystem::path folder, PatchLog start);

  const PatchLog& log() const { return log_; }
  const std::filesystem::path& folder() const { return folder_; }

  /// Keeps a build's whole log as "build-NN/<name>.log"; its name, for Failure.
  std::string keep_log(int round, std::string_view derivation,
                       std::string_view text);
  /// Replaces the round or step of the same number, or adds it.
  void put_round(Round round);
  void put_step(Step step);
  void add_learned(std::string sentence);
  void count_build(bool failed);
  /// The rest, and all views.
  void end(std::string outcome, int exit_code, std::string message,
           double seconds, std::string diff);

 private:
  void journal(std::string_view event, const std::string& json_value);
  void write_log();
  void write_views();

  Files& files_;
  std::filesystem::path folder_;
  PatchLog log_;
  std::map<std::string, std::string> log_owners_;  // file -> derivation
};

/// What log.jsonl tells of a run that did not end; Error where it is none. A
/// last line that is cut short is left aside.
PatchLog recover(std::string_view journal);

}  // namespace autopin::report
