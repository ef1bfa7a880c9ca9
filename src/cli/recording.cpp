#include "cli/recording.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "io/disk.h"
#include "report/json.h"

namespace autopin {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Where the placeholders of a tape point in this run.
struct Paths {
  std::string draft;
  std::string state;
  std::vector<std::string> search_path;  ///< Folders of NIX_PATH, in order.
  std::string index;
  std::string folder;  ///< Where the user stood, if not beside the draft.
};

ScrubRules scrub_rules(const Paths& paths, bool recording) {
  ScrubRules rules = recording ? rules_of_this_machine() : ScrubRules{};
  const auto add = [&](const std::string& text, const std::string& name) {
    if (!text.empty())
      rules.substitutions.push_back({text, "@" + name + "@"});
  };
  add(paths.draft, "DRAFT");
  add(paths.state, "STATE");
  for (std::size_t i = 0; i < paths.search_path.size(); ++i)
    add(paths.search_path[i],
        i == 0 ? "NIXPKGS" : "SEARCH" + std::to_string(i));
  add(paths.index, "INDEX");
  add(paths.folder, "FOLDER");
  if (!recording)
    for (const char* gone : {"HOME"})
      add("/home/of-the-recording", gone);
  return rules;
}

std::vector<std::string> search_path_of(World& world) {
  std::vector<std::string> folders;
  for (const auto& entry :
       split(world.environment.get("NIX_PATH").value_or(""), ':')) {
    const std::string path = entry.substr(entry.find('=') + 1);
    if (path.starts_with('/') && !path.starts_with("/nix/store/"))
      folders.push_back(path);
  }
  return folders;
}

std::string draft_folder(const Session& session) {
  return session.invocation.entry.empty()
             ? session.invocation.folder.string()
             : session.invocation.entry.parent_path().string();
}

/// "http://host:1" of "http://host:1/simple/": files may lie beside the pages.
std::string origin_of(const std::string& url) {
  const std::size_t host = url.find("://");
  const std::size_t path =
      host == std::string::npos ? host : url.find('/', host + 3);
  return url.substr(0, path);
}

Json json_of(const Session& session, std::size_t search_path_entries) {
  const auto& invocation = session.invocation;
  Json run;
  run["schema"] = 1;
  run["entry"] = invocation.entry.filename().string();
  if (invocation.expression)
    run["expression"] = *invocation.expression;
  run["attributes"] = invocation.attributes;
  run["evaluation_flags"] = invocation.evaluation_flags;
  run["build_flags"] = invocation.build_flags;
  run["out_link"] = invocation.out_link.wanted
                        ? invocation.out_link.path.string()
                        : std::string();
  run["check"] = session.options.check.value_or("");
  run["max_rounds"] = session.options.max_rounds;
  run["timeout_ms"] = session.options.timeout.count();
  for (const char* list : {"allow", "deny"}) {
    run[list] = Json::array();
    const auto& risks = std::string_view(list) == "allow"
                            ? session.options.policy.allowed
                            : session.options.policy.denied;
    for (const Risk risk : risks)
      run[list].push_back(name_of(risk));
  }
  run["accept_changed_hash"] =
      session.options.policy.permissions.accept_changed_hash;
  if (!session.look_ahead)
    run["look_ahead"] = false;
  run["beside_draft"] = draft_folder(session) == invocation.folder.string();
  run["index_url"] = session.index.index_url.value_or("");
  run["search_path_entries"] = search_path_entries;
  return run;
}

Session session_of_json(const Json& run, const fs::path& folder,
                        const Paths& paths) {
  Session session;
  auto& invocation = session.invocation;
  invocation.folder = paths.folder.empty() ? folder : fs::path(paths.folder);
  if (run.contains("expression"))
    invocation.expression = run["expression"].get<std::string>();
  else
    invocation.entry = folder / run.at("entry").get<std::string>();
  invocation.attributes = run.at("attributes").get<std::vector<std::string>>();
  invocation.evaluation_flags =
      run.at("evaluation_flags").get<std::vector<std::string>>();
  invocation.build_flags =
      run.at("build_flags").get<std::vector<std::string>>();
  const auto link = run.at("out_link").get<std::string>();
  invocation.out_link.wanted = !link.empty();
  if (!link.empty())
    invocation.out_link.path = link;
  const auto check = run.at("check").get<std::string>();
  if (!check.empty())
    session.options.check = check;
  session.options.max_rounds = run.at("max_rounds");
  session.options.timeout =
      std::chrono::milliseconds(run.at("timeout_ms").get<std::int64_t>());
  for (const auto& name : run.at("allow"))
    session.options.policy.allowed.insert(
        risk_named(name.get<std::string>()).value());
  for (const auto& name : run.at("deny"))
    session.options.policy.denied.insert(
        risk_named(name.get<std::string>()).value());
  session.options.policy.permissions.accept_changed_hash =
      run.at("accept_changed_hash");
  session.look_ahead = run.value("look_ahead", true);
  if (const auto url = run.at("index_url").get<std::string>(); !url.empty())
    session.index.index_url = url;
  session.state_folder = paths.state;
  invocation.state_folder = fs::path(paths.state) / "nix";
  return session;
}

}  // namespace

Recording::Recording(const fs::path& folder, const Session& session,
                     World& real)
    : folder_(fs::absolute(folder)) {
  Paths paths{draft_folder(session), session.state_folder.string(),
              search_path_of(real), "", ""};
  if (session.index.index_url)
    paths.index = origin_of(*session.index.index_url);
  if (session.invocation.folder.string() != paths.draft)
    paths.folder = session.invocation.folder.string();
  rules_ = scrub_rules(paths, true);
  fs::create_directories(folder_);
  fs::remove_all(folder_ / "tape");
  recorder_ = std::make_unique<Recorder>(folder_ / "tape", rules_, real);
  DiskFiles files;
  files.write(folder_ / "run.json",
              Scrubber(rules_).hide(
                  json_of(session, paths.search_path.size()).dump(2)) +
                  "\n");
}

World& Recording::world() {
  return recorder_->world();
}

void Recording::close(const Session& session, const SessionEnd& ended) {
  recorder_->close();
  DiskFiles files;
  const auto& draft = ended.end.draft;
  files.write(folder_ / "log.json",
              Scrubber(rules_).hide(report::to_json(ended.log)));
  if (draft.entry().empty())
    return;
  for (const auto& file : draft.files()) {
    const fs::path name = file == draft.entry()
                              ? fs::path("before.nix")
                              : file.lexically_proximate(draft_folder(session));
    if (!fs::exists(folder_ / name)) {
      fs::create_directories((folder_ / name).parent_path());
      files.write(folder_ / name, draft.original(file));
    }
  }
  if (ended.end.code != ExitCode::green || !draft.changed())
    return;
  for (const auto& [file, text] : fixed_copies(draft)) {
    const fs::path expected =
        file == fixed_name(draft.entry())
            ? folder_ / "expected.nix"
            : folder_ / "expected" /
                  file.lexically_proximate(draft_folder(session));
    fs::create_directories(expected.parent_path());
    files.write(expected, text);
  }
}

Replayed replay(const fs::path& given, const std::vector<fs::path>& rules,
                report::Progress& progress) {
  // Paths in the tape have no slash at their end, whatever the user typed.
  const fs::path folder =
      (fs::absolute(given) / "").lexically_normal().parent_path();
  DiskFiles files;
  const auto run_text = files.read(folder / "run.json");
  const auto expected = files.read(folder / "log.json");
  if (!run_text || !expected)
    throw Error("replaying", folder.string(), "it holds no recorded run");
  const Json run = Json::parse(*run_text);
  Paths paths;
  paths.draft = folder.string();
  const fs::path state = files.make_temporary_folder();
  paths.state = state.string();
  for (std::size_t i = 0; i < run.at("search_path_entries").get<std::size_t>();
       ++i)
    paths.search_path.push_back("/search-path-of-the-recording/" +
                                std::to_string(i));
  if (!run.at("index_url").get<std::string>().empty())
    paths.index = "http://index-of-the-recording.invalid";
  if (!run.at("beside_draft").get<bool>())
    paths.folder = "/folder-of-the-recording";
  const ScrubRules scrub = scrub_rules(paths, false);
  Session session = session_of_json(
      Json::parse(Scrubber(scrub).show(*run_text)), folder, paths);
  session.rule_folders = rules;
  Player player(folder / "tape", scrub);
  Replayed replayed;
  replayed.ended = run_session(player.world(), session, progress, files);
  player.finish();
  replayed.log = Scrubber(scrub).hide(report::to_json(replayed.ended.log));
  fs::remove_all(state);
  if (replayed.log != *expected)
    replayed.difference =
        "log.json: " + first_difference(*expected, replayed.log);
  return replayed;
}

}  // namespace autopin
