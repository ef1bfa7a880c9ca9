#include "nix/evaluator.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "nix/edit.h"
#include "nix/relocate.h"

namespace autopin::nix {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

void append(std::vector<std::string>& to,
            const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// What the evaluator calls the text that came on standard input: 2.3 has no
/// own name for it, up to 2.7 parentheses, then guillemets.
constexpr std::array names_of_input = {"«stdin»", "(stdin)", "(string)"};

/// "a.\"b.c\".d" as Nix strings (libexpr/attr-path.cc: parseAttrPath).
std::string quoted_names(std::string_view path) {
  std::string names;
  std::string name;
  bool in_quotes = false;
  for (const char c : path) {
    if (c == '"') {
      in_quotes = !in_quotes;
    } else if (c == '.' && !in_quotes) {
      names += " " + quote(name);
      name.clear();
    } else {
      name.push_back(c);
    }
  }
  if (!name.empty())
    names += " " + quote(name);
  return names;
}

std::string& log_of(Evaluation& evaluation) {
  if (auto* failed = std::get_if<EvaluationFailed>(&evaluation))
    return failed->log;
  return std::get<Instantiated>(evaluation).log;
}

/// What -v adds, taken out again: the rest is for people and rules.
std::string without_file_names(std::string_view log) {
  std::string rest;
  for (const std::string_view line : lines_of(log)) {
    if (line.rfind("evaluating file '", 0) == 0)
      continue;
    rest += line;
    rest += '\n';
  }
  return rest;
}

}  // namespace

/// A draft made ready for one command.
struct Evaluator::Prepared {
  Command command;   ///< Up to and without what is evaluated.
  std::string file;  ///< The entry's path, or "-".
  fs::path root;     ///< Where links to the .drv files go; empty: nowhere.
  std::map<fs::path, fs::path> stands_for;
  fs::path entry;
};

Evaluator::Evaluator(World& world, Invocation invocation)
    : world_(world), invocation_(std::move(invocation)) {}

Command Evaluator::base_command() const {
  Command command;
  command.argv = {"nix-instantiate"};
  command.folder = invocation_.folder;
  append(command.argv, invocation_.evaluation_flags);
  if (invocation_.in_nix_shell) {
    command.environment["IN_NIX_SHELL"] = "impure";
    append(command.argv, {"--arg", "inNixShell", "true"});
  }
  return command;
}

Evaluator::Prepared Evaluator::prepare(const Draft& draft,
                                       const Overlay& instrumented,
                                       std::string_view header) {
  std::map<fs::path, std::string> texts;
  std::set<fs::path> differing;
  for (const fs::path& file : draft.files()) {
    const auto changed = instrumented.find(file);
    if (changed != instrumented.end()) {
      texts[file] = std::string(header) + "(" + changed->second + "\n)";
      differing.insert(file);
    } else {
      texts[file] = draft.text(file);
      if (draft.changed(file))
        differing.insert(file);
    }
  }
  const std::string number = std::to_string(++evaluations_);
  const Relocated relocated = relocate(
      draft, texts, differing,
      invocation_.state_folder / ("evaluated-" + number), invocation_.folder);
  for (const auto& [copy, text] : relocated.copies) {
    world_.files.make_folders(copy.parent_path());
    world_.files.write(copy, text);
  }
  Prepared prepared;
  prepared.command = base_command();
  prepared.entry = draft.entry();
  prepared.stands_for = relocated.stands_for;
  prepared.file = "-";
  if (relocated.plain) {
    prepared.file = draft.entry().string();
  } else {
    prepared.command.input = relocated.entry_text;
    if (relocated.from_own_folder) {
      prepared.command.folder = draft.entry().parent_path();
    }
  }
  if (!invocation_.state_folder.empty()) {
    prepared.root = invocation_.state_folder / "roots" / ("drv-" + number);
    world_.files.make_folders(prepared.root.parent_path());
  }
  return prepared;
}

std::string Evaluator::in_drafts_names(const Prepared& prepared,
                                       std::string log) const {
  if (prepared.file == "-") {
    for (const char* name : names_of_input) {
      log = replace_all(std::move(log), name, prepared.entry.string());
    }
  }
  for (const auto& [copy, file] : prepared.stands_for) {
    log = replace_all(std::move(log), copy.string(), file.string());
  }
  return log;
}

Evaluation Evaluator::run(const Prepared& prepared, bool verbose) {
  Command command = prepared.command;
  if (verbose)
    command.argv.emplace_back("-v");
  for (const std::string& attribute : invocation_.attributes) {
    append(command.argv, {"-A", attribute});
  }
  if (!prepared.root.empty()) {
    append(command.argv, {"--add-root", prepared.root.string(), "--indirect"});
  }
  command.argv.push_back(prepared.file);
  const CommandResult result = world_.commands.run(command);
  std::string log = in_drafts_names(prepared, result.err);
  if (result.exit_code != 0) {
    return EvaluationFailed{std::move(log), result.exit_code};
  }
  Instantiated made;
  made.log = std::move(log);
  made.targets = targets_of(result.out, prepared.root);
  for (const std::string& target : made.targets) {
    made.drvs.push_back(target.substr(0, target.find('!')));
  }
  return made;
}

/// With --add-root nix-instantiate prints the links it made (not so for a store
/// that is elsewhere), with "!dev" behind where an output was chosen.
std::vector<std::string> Evaluator::targets_of(const std::string& out,
                                               const fs::path& root) {
  std::vector<std::string> targets;
  Command read_links;
  read_links.argv = {"readlink", "--"};
  for (const std::string_view line : lines_of(out)) {
    if (line.empty())
      continue;
    targets.emplace_back(line);
    if (!root.empty() && line.rfind(root.native(), 0) == 0) {
      read_links.argv.emplace_back(line.substr(0, line.find('!')));
    }
  }
  if (read_links.argv.size() == 2)
    return targets;
  const CommandResult links = world_.commands.run(read_links);
  const auto ends = lines_of(links.out);
  if (links.exit_code != 0 || ends.size() != read_links.argv.size() - 2) {
    throw Error("reading the links to derivations", root.string(),
                to_utf8(trim(links.err)));
  }
  std::size_t next = 0;
  for (std::string& target : targets) {
    if (target.rfind(root.native(), 0) != 0)
      continue;
    const std::size_t mark = target.find('!');
    const std::string output =
        mark == std::string::npos ? "" : target.substr(mark);
    target = std::string(ends[next++]) + output;
  }
  return targets;
}

Evaluation Evaluator::instantiate(const Draft& draft) {
  return run(prepare(draft, {}, {}), false);
}

Evaluation Evaluator::instantiate(const Draft& draft,
                                  const Overlay& instrumented,
                                  std::string_view header) {
  return run(prepare(draft, instrumented, header), false);
}

Evaluator::Discovery Evaluator::discover() {
  Discovery found;
  found.draft = Draft::open(world_, invocation_);
  const Prepared prepared = prepare(found.draft, {}, {});
  found.evaluation = run(prepared, true);
  const auto* failed = std::get_if<EvaluationFailed>(&found.evaluation);
  std::string& log = log_of(found.evaluation);
  const std::vector<fs::path> read = evaluated_files(log);
  log = without_file_names(log);
  const auto& search_path = search_path_entries();
  const fs::path& entry = found.draft.entry();
  std::vector<fs::path> todo = local_files(read, search_path, entry);
  const auto follow = [&](const fs::path& file) {
    if (!failed)
      return;
    const auto named = named_paths(found.draft.text(file), file.parent_path());
    const auto local = local_files(named, search_path, entry);
    todo.insert(todo.end(), local.begin(), local.end());
  };
  follow(entry);
  for (std::size_t next = 0; next < todo.size();) {  // it grows
    const fs::path file = todo[next++];
    if (found.draft.has(file))
      continue;
    auto text = world_.files.read(file);
    if (!text)
      continue;
    found.draft.add_file(file, *text);
    follow(file);
  }
  // The user's nixpkgs configuration is read as well, say: nobody's draft.
  found.unreachable = unreachable_files(found.draft);
  for (const fs::path& file : found.unreachable)
    found.draft.remove_file(file);
  return found;
}

std::optional<std::string> Evaluator::syntax_error(std::string_view text) {
  Command command;
  command.argv = {"nix-instantiate", "--parse", "-"};
  command.folder = invocation_.folder;
  command.input = text;
  const CommandResult result = world_.commands.run(command);
  if (result.exit_code == 0)
    return std::nullopt;
  return result.err;
}

JsonEvaluation Evaluator::run_json(Command command, std::string expression) {
  append(command.argv, {"--eval", "--strict", "--json", "-"});
  command.input = std::move(expression);
  CommandResult result = world_.commands.run(command);
  if (result.exit_code != 0) {
    return EvaluationFailed{std::move(result.err), result.exit_code};
  }
  return std::string(trim(result.out));
}

JsonEvaluation Evaluator::evaluate_json(std::string_view expression) {
  return run_json(base_command(), std::string(expression));
}

JsonEvaluation Evaluator::evaluate_json(const Draft& draft,
                                        std::string_view function) {
  Prepared prepared = prepare(draft, {}, {});
  std::string value = prepared.file == "-"
                          ? "(" + prepared.command.input + "\n)"
                          : "(import (/. + " + quote(prepared.file) + "))";
  // nix-build calls a function with the --arg it takes and else its defaults;
  // the same command line does that here, as the draft stays a function.
  std::string arguments;
  const auto& flags = invocation_.evaluation_flags;
  for (std::size_t i = 0; i + 2 < flags.size(); ++i) {
    if (flags[i] != "--arg" && flags[i] != "--argstr")
      continue;
    arguments += " " + attr_name(flags[i + 1]) + " = " +
                 (flags[i] == "--arg" ? "(" + flags[i + 2] + "\n)"
                                      : quote(flags[i + 2])) +
                 ";";
  }
  if (invocation_.in_nix_shell)
    arguments += " inNixShell = true;";
  const std::string path =
      invocation_.attributes.empty() ? "" : invocation_.attributes.front();
  const std::string expression =
      "let call = v: if builtins.isFunction v then call (v "
      "(builtins.intersectAttrs (builtins.functionArgs v) {" +
      arguments +
      " })) else v;\n"
      "take = v: names: if names == [ ] then call v else\n"
      "  take (let w = call v; n = builtins.head names; in if builtins.isList "
      "w\n"
      "    then builtins.elemAt w (builtins.fromJSON n) else w.${n})\n"
      "    (builtins.tail names);\n"
      "in (" +
      std::string(function) + "\n) (take " + value + " [" + quoted_names(path) +
      " ])";
  return run_json(std::move(prepared.command), expression);
}

std::optional<fs::path> Evaluator::search_path(std::string_view name) {
  const auto answer = evaluate_json("toString <" + std::string(name) + ">");
  const auto* text = std::get_if<std::string>(&answer);
  if (!text)
    return std::nullopt;
  const json value = json::parse(*text, nullptr, false);
  if (!value.is_string())
    return std::nullopt;
  return value.get<std::string>();
}

const std::vector<fs::path>& Evaluator::search_path_entries() {
  if (search_path_entries_)
    return *search_path_entries_;
  search_path_entries_.emplace();
  const auto answer = evaluate_json("builtins.nixPath");
  const auto* text = std::get_if<std::string>(&answer);
  const json entries =
      text ? json::parse(*text, nullptr, false) : json::array();
  for (const json& entry : entries) {
    const std::string path = entry.value("path", "");
    // What is no path (a URL, a channel) is unpacked into the store.
    if (path.empty() || path.find(':') != std::string::npos)
      continue;
    fs::path folder = (invocation_.folder / path).lexically_normal();
    if (!folder.has_filename())
      folder = folder.parent_path();
    search_path_entries_->push_back(std::move(folder));
  }
  // Files are read from where links end.
  Command read_links;
  read_links.argv = {"readlink", "--canonicalize-missing", "--"};
  for (const fs::path& folder : *search_path_entries_) {
    read_links.argv.push_back(folder.string());
  }
  if (search_path_entries_->empty())
    return *search_path_entries_;
  const CommandResult links = world_.commands.run(read_links);
  for (const auto line : lines_of(links.out)) {
    const fs::path folder(line);
    auto& known = *search_path_entries_;
    if (!line.empty() &&
        std::find(known.begin(), known.end(), folder) == known.end()) {
      known.push_back(folder);
    }
  }
  return *search_path_entries_;
}

}  // namespace autopin::nix
