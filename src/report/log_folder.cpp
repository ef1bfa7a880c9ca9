#include "report/log_folder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/derivation_name.h"
#include "base/error.h"
#include "base/text.h"
#include "report/parse.h"
#include "report/shown.h"
#include "report/views.h"

namespace autopin::report {
namespace {

namespace fs = std::filesystem;

/// Replaces the one with the same number, or adds it.
template <typename Item>
void put(std::vector<Item>& items, Item item) {
  const auto found = std::find_if(
      items.begin(), items.end(),
      [&](const Item& other) { return other.number == item.number; });
  if (found == items.end())
    items.push_back(std::move(item));
  else
    *found = std::move(item);
}

/// What changes a log, as it stands in log.jsonl.
void take_up(PatchLog& log, const Json& line) {
  const auto event = line.at("event").get<std::string>();
  const Json& value = line.at("value");
  if (event == "start" || event == "end") {
    log = log_from(value);
  } else if (event == "round") {
    put(log.rounds, round_from(value));
  } else if (event == "step") {
    put(log.steps, step_from(value));
  } else if (event == "learned") {
    log.learned.push_back(value.get<std::string>());
  } else if (event == "build") {
    ++log.builds;
    log.failing_builds += value.at("failed").get<bool>() ? 1 : 0;
  }  // others: of a later version, left aside
}

/// "/nix/store/<hash>-html5lib-0.9.drv" -> "html5lib-0.9"; never a path.
std::string file_name_of(std::string_view derivation) {
  std::string name(derivation_name(derivation));
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) &&
        std::string_view("+-._?=").find(c) == std::string_view::npos)
      c = '_';
  name.erase(0, name.find_first_not_of('.'));  // neither hidden nor ".."
  return name.empty() ? "build" : name.substr(0, 200);
}

bool is_ours(const std::string& name) {
  return name == "log.json" || name == "log.jsonl" || name == "report.md" ||
         name == "report.html" || name == "cumulative.patch" ||
         name.starts_with("build-") ||
         (name.size() > 5 && name.ends_with(".patch") &&
          std::isdigit(static_cast<unsigned char>(name[0])) && name[4] == '-');
}

}  // namespace

LogFolder::LogFolder(Files& files, fs::path folder, PatchLog start)
    : files_(files), folder_(std::move(folder)), log_(std::move(start)) {
  for (const std::string& name : files_.list(folder_))
    if (is_ours(name))
      files_.remove(folder_ / name);
  files_.make_folders(folder_);
  journal("start", to_json(log_));
  write_log();
}

std::string LogFolder::keep_log(int round, std::string_view derivation,
                                std::string_view text) {
  const std::string folder = fmt::format("build-{:02}", round);
  const std::string plain = file_name_of(derivation);
  std::string name;
  for (int n = 1;; ++n) {
    name = folder + "/" + plain + (n > 1 ? fmt::format("-{}", n) : "") + ".log";
    const auto [owner, is_new] =
        log_owners_.try_emplace(name, std::string(derivation));
    if (is_new || owner->second == derivation)
      break;
  }
  files_.make_folders(folder_ / folder);
  files_.write(folder_ / name, shown(text));
  return name;
}

void LogFolder::put_round(Round round) {
  journal("round", dump(json_of(round)));
  put(log_.rounds, std::move(round));
  write_log();
}

void LogFolder::put_step(Step step) {
  journal("step", dump(json_of(step)));
  put(log_.steps, std::move(step));
  write_log();
}

void LogFolder::add_learned(std::string sentence) {
  journal("learned", dump(sentence));
  log_.learned.push_back(std::move(sentence));
}

void LogFolder::count_build(bool failed) {
  journal("build", dump({{"failed", failed}}));
  ++log_.builds;
  log_.failing_builds += failed ? 1 : 0;
}

void LogFolder::end(std::string outcome, int exit_code, std::string message,
                    double seconds, std::string diff) {
  log_.outcome = std::move(outcome);
  log_.exit_code = exit_code;
  log_.message = std::move(message);
  log_.seconds = seconds;
  log_.diff = std::move(diff);
  journal("end", to_json(log_));
  write_log();
  write_views();
}

void LogFolder::journal(std::string_view event, const std::string& json_value) {
  const Json line{{"event", event}, {"value", Json::parse(json_value)}};
  files_.append(folder_ / "log.jsonl", dump(line) + "\n");
}

void LogFolder::write_log() {
  files_.write(folder_ / "log.json", to_json(log_));
}

void LogFolder::write_views() {
  for (const auto& [name, text] : patches(log_))
    files_.write(folder_ / name, text);
  files_.write(folder_ / "cumulative.patch", log_.diff);
  files_.write(folder_ / "report.md", to_markdown(log_));
  files_.write(folder_ / "report.html", to_html(log_));
}

PatchLog recover(std::string_view journal) {
  PatchLog log;
  // What follows the last line end was being written when the run ended.
  const std::size_t end = journal.rfind('\n');
  const std::string_view whole =
      journal.substr(0, end == std::string_view::npos ? 0 : end);
  if (whole.empty())
    throw Error("cannot read", "log.jsonl", "it holds no whole line");
  try {
    for (const std::string_view line : lines_of(whole))
      take_up(log, Json::parse(line));
  } catch (const std::exception& error) {
    throw Error("cannot read", "log.jsonl", error.what());
  }
  return log;
}

}  // namespace autopin::report
