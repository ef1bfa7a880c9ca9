#include "cli/session_options.h"

#include <CLI/CLI.hpp>
#include <array>

#include "base/error.h"
#include "nix/build.h"

namespace autopin {
namespace {

namespace fs = std::filesystem;

struct PassedFlag {
  const char* names;
  const char* value;  ///< What its values are called; "" for a plain flag.
  int values;
  const char* what;
  bool evaluates;
  bool builds;
};

/// Flags of nix-build(1) that pass through, and which half takes them.
constexpr std::array<PassedFlag, 12> passed{{
    {"-I", "PATH", 1, "Add to the search path of <...>", true, false},
    {"--arg", "NAME EXPR", 2, "Give the draft's function an argument", true,
     false},
    {"--argstr", "NAME TEXT", 2, "Give it an argument that is a string", true,
     false},
    {"--option", "NAME VALUE", 2, "Set an option of Nix", true, true},
    {"--show-trace", "", 0, "Have evaluation errors traced", true, false},
    {"--store", "URL", 1, "Use another store", true, true},
    {"-j,--max-jobs", "N", 1, "Builds at a time", false, true},
    {"--cores", "N", 1, "Cores for one build", false, true},
    {"-k,--keep-going", "", 0, "Always on: one round shows all failures", false,
     true},
    {"-K,--keep-failed", "", 0, "Keep the folders of failed builds", false,
     true},
    {"--builders", "SPEC", 1, "Remote builders", false, true},
    {"--substituters", "URLS", 1, "Binary caches", false, true},
}};

std::string long_name(const std::string& names) {
  const std::size_t comma = names.find(',');
  return comma == std::string::npos ? names : names.substr(comma + 1);
}

/// Where a flag's words go; nothing: the half that does not take it.
struct PassedTo {
  std::vector<std::string>* evaluation = nullptr;
  std::vector<std::string>* build = nullptr;
};

void pass_on(const PassedFlag& flag, const PassedTo& to,
             const std::vector<std::string>& words) {
  if (flag.evaluates && to.evaluation != nullptr)
    to.evaluation->insert(to.evaluation->end(), words.begin(), words.end());
  // It is always on: a second one would be harmless, and show in the log.
  if (flag.builds && to.build != nullptr && words.front() != "--keep-going")
    to.build->insert(to.build->end(), words.begin(), words.end());
}

void add_passed(CLI::App& command, PassedTo to) {
  for (const PassedFlag& flag : passed) {
    if (!(flag.evaluates && to.evaluation != nullptr) && to.build == nullptr)
      continue;
    const std::string name = long_name(flag.names);
    if (flag.values == 0) {
      command
          .add_flag_callback(
              flag.names, [&flag, to, name] { pass_on(flag, to, {name}); },
              flag.what)
          ->group("Passed on to Nix");
      continue;
    }
    const auto pass = [&flag, to,
                       name](const std::vector<std::string>& values) {
      const auto step = static_cast<std::size_t>(flag.values);
      for (std::size_t i = 0; i + step <= values.size(); i += step) {
        std::vector<std::string> words{name};
        for (std::size_t k = 0; k < step; ++k)
          words.push_back(values[i + k]);
        pass_on(flag, to, words);
      }
    };
    command
        .add_option_function<std::vector<std::string>>(flag.names, pass,
                                                       flag.what)
        ->type_size(flag.values)
        ->type_name(flag.value)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group("Passed on to Nix");
  }
}

std::set<Risk> risks(const std::vector<std::string>& names) {
  std::set<Risk> found;
  for (const auto& name : names) {
    const auto risk = risk_named(name);
    if (!risk)
      throw Error("reading options", name,
                  "no such risk; there are exact, pin, trust, permits, "
                  "weakens-checks and relaxes");
    found.insert(*risk);
  }
  return found;
}

fs::path draft_path(const SessionOptions& options) {
  fs::path draft = options.draft;
  if (draft.empty())
    draft = fs::exists("default.nix") ? "default.nix" : "shell.nix";
  draft = fs::absolute(draft).lexically_normal();
  if (fs::is_directory(draft))
    draft /= "default.nix";
  if (!fs::exists(draft))
    throw Error("reading the draft", draft.string(), "there is no such file");
  return draft;
}

}  // namespace

void add_session_options(CLI::App& command, SessionOptions& options) {
  command.add_option("draft", options.draft,
                     "The draft; nothing: ./default.nix, else ./shell.nix");
  command.add_option("-A,--attr", options.attributes, "Build this attribute")
      ->type_name("ATTR")
      ->allow_extra_args(false);
  command.add_option("-E,--expr", options.expression,
                     "An expression instead of a file");
  command
      .add_option("-p,--packages", options.packages,
                  "The draft that nix-shell -p would make of these packages")
      ->type_name("PKG");
  command.add_flag(
      "--in-place", options.in_place,
      "Change the draft itself instead of writing DRAFT.fixed.nix");
  command.add_flag("--json", options.json, "Print the answer as JSON");
  command.add_option("--allow", options.allow, "A risk that may be taken")
      ->type_name("RISK")
      ->allow_extra_args(false);
  command.add_option("--deny", options.deny, "A risk that may not be taken")
      ->type_name("RISK")
      ->allow_extra_args(false);
  command.add_flag("--accept-changed-hash", options.accept_changed_hash,
                   "Take a new hash where a real one no longer fits");
  command.add_flag("--no-lookahead", options.no_lookahead,
                   "Pin what the log asks for, and not what the metadata of "
                   "the pins will ask for next");
  command.add_option("--index-url", options.index_url,
                     "The Python package index");
  command
      .add_option("--extra-index-url", options.extra_index_urls,
                  "A further index")
      ->allow_extra_args(false);
  command
      .add_option("--find-links", options.find_links,
                  "A page or folder with Python packages")
      ->allow_extra_args(false);
  add_network_options(command, options.network);
  command.add_option("--rules", options.rules, "A folder with further rules")
      ->type_name("DIR")
      ->allow_extra_args(false);
  add_passed(command, {&options.evaluation_flags, &options.build_flags});
}

void add_evaluation_flags(CLI::App& command, std::vector<std::string>& flags) {
  add_passed(command, {&flags, nullptr});
}

Session session_of(World& world, const SessionOptions& options) {
  Session session;
  nix::Invocation& invocation = session.invocation;
  invocation.folder = fs::current_path();
  if (!options.packages.empty())
    invocation.expression = nix::shell_draft(options.packages);
  else if (!options.expression.empty())
    invocation.expression = options.expression;
  else
    invocation.entry = draft_path(options);
  invocation.attributes = options.attributes;
  invocation.evaluation_flags = options.evaluation_flags;
  invocation.build_flags = options.build_flags;
  invocation.out_link.wanted = !options.no_out_link;
  if (!options.out_link.empty())
    invocation.out_link.path = options.out_link;
  session.options.policy.allowed = risks(options.allow);
  session.options.policy.denied = risks(options.deny);
  session.options.policy.permissions.accept_changed_hash =
      options.accept_changed_hash;
  session.look_ahead = !options.no_lookahead;
  if (!options.index_url.empty())
    session.index.index_url = options.index_url;
  session.index.extra_index_urls = options.extra_index_urls;
  session.index.find_links = options.find_links;
  for (const auto& folder : options.rules)
    session.rule_folders.emplace_back(folder);
  const fs::path home = state_folder_for(
      world, invocation.entry.empty() ? invocation.folder / "shell.nix"
                                      : invocation.entry);
  session.state_folder = home;
  invocation.state_folder = home / "nix";
  return session;
}

}  // namespace autopin
