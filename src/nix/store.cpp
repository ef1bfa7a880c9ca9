#include "nix/store.h"

#include <algorithm>
#include <array>
#include <deque>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "nix/shell.h"

namespace autopin::nix {

namespace {

/// What a result carries along, as stdenv's setup.sh and Python's hooks have
/// it: `propagated…` is written into nix-support and followed from there.
constexpr std::array propagated = {"propagatedBuildInputs",
                                   "propagatedNativeBuildInputs",
                                   "propagatedUserEnvPkgs"};
/// What an environment links together (nixpkgs: buildEnv, python.buildEnv).
constexpr std::array linked = {"paths", "pkgs", "chosenOutputs"};
/// What is on the paths inside a shell.
constexpr std::array in_shell = {"buildInputs", "nativeBuildInputs",
                                 "depsBuildBuild", "depsHostHost"};

std::string_view without_drv(std::string_view name) {
  constexpr std::string_view suffix = ".drv";
  if (name.size() > suffix.size() &&
      name.substr(name.size() - suffix.size()) == suffix) {
    name.remove_suffix(suffix.size());
  }
  return name;
}

/// "python3.6-foo-1.0" -> "foo-1.0": nixpkgs puts the interpreter in front of
/// the names of a Python set's packages.
std::string_view without_interpreter(std::string_view name) {
  for (const std::string_view prefix : {"python", "pypy"}) {
    if (name.rfind(prefix, 0) != 0)
      continue;
    std::size_t at = prefix.size();
    while (at < name.size() &&
           ((name[at] >= '0' && name[at] <= '9') || name[at] == '.')) {
      ++at;
    }
    // "python-foo" is a name of its own, "python3-3.6.3" an interpreter.
    if (at == prefix.size() || at + 1 >= name.size() || name[at] != '-')
      break;
    if (name[at + 1] >= '0' && name[at + 1] <= '9')
      break;
    return name.substr(at + 1);
  }
  return name;
}

/// As builtins.parseDrvName splits: before the first "-" that no letter
/// follows.
Distribution split_name(std::string_view name) {
  for (std::size_t at = 0; at + 1 < name.size(); ++at) {
    const char next = name[at + 1];
    const bool letter =
        (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
    if (name[at] == '-' && !letter) {
      return {std::string(name.substr(0, at)),
              std::string(name.substr(at + 1))};
    }
  }
  return {std::string(name), ""};
}

/// PEP 503's normal form.
std::string normal_name(std::string_view name) {
  std::string normal;
  for (const char c : to_lower(name)) {
    if (c == '-' || c == '_' || c == '.') {
      if (!normal.empty() && normal.back() != '-')
        normal.push_back('-');
    } else {
      normal.push_back(c);
    }
  }
  return normal;
}

}  // namespace

Store::Store(World& world, Invocation invocation)
    : world_(world), invocation_(std::move(invocation)) {}

const Derivation& Store::derivation(const std::string& drv) {
  auto& entry = derivations_[drv];
  if (!entry) {
    const auto text = world_.files.read(drv);
    if (!text)
      throw Error("reading a derivation", drv, "no such file");
    entry = std::make_unique<Derivation>(Derivation::parse(*text, drv));
  }
  return *entry;
}

bool Store::has_derivation(const std::string& drv) {
  const auto found = derivations_.find(drv);
  if (found != derivations_.end() && found->second)
    return true;
  return world_.files.exists(drv);
}

std::vector<std::string> Store::runtime_inputs(const std::string& drv) {
  const Derivation& from = derivation(drv);
  std::vector<std::string> paths;
  const auto take = [&](const char* name) {
    const auto items = from.list_attribute(name);
    paths.insert(paths.end(), items.begin(), items.end());
  };
  for (const char* name : propagated)
    take(name);
  for (const char* name : linked)
    take(name);
  if (shell_reason(from)) {
    for (const char* name : in_shell)
      take(name);
  }
  // Attributes hold output paths, and JSON around them where a list was given
  // to toJSON (buildEnv's pkgs): whatever stands there, take the paths in it.
  std::set<std::string> wanted;
  for (const std::string& text : paths) {
    for (const std::string& path : store_paths(text))
      wanted.insert(path);
  }
  std::vector<std::string> found;
  if (wanted.empty())
    return found;
  for (const auto& [input, names] : from.input_drvs) {
    const Derivation& candidate = derivation(input);
    const bool carried = std::any_of(
        candidate.outputs.begin(), candidate.outputs.end(),
        [&](const auto& output) { return wanted.count(output.second.path); });
    if (carried)
      found.push_back(input);
  }
  return found;
}

std::vector<std::string> Store::inputs(const std::string& drv, Edges edges) {
  std::vector<std::string> found;
  if (edges == Edges::runtime) {
    found = runtime_inputs(drv);
  } else {
    for (const auto& input : derivation(drv).input_drvs) {
      found.push_back(input.first);
    }
  }
  std::sort(found.begin(), found.end(),
            [](const std::string& a, const std::string& b) {
              const auto left = store_name(a);
              const auto right = store_name(b);
              return left != right ? left < right : a < b;
            });
  return found;
}

std::vector<std::string> Store::closure(const std::string& drv, Edges edges) {
  return closure(std::vector<std::string>{drv}, edges);
}

std::vector<std::string> Store::closure(const std::vector<std::string>& drvs,
                                        Edges edges) {
  std::vector<std::string> order;
  std::set<std::string> seen;
  for (const std::string& drv : drvs) {
    if (seen.insert(drv).second)
      order.push_back(drv);
  }
  for (std::size_t next = 0; next < order.size(); ++next) {
    for (std::string& input : inputs(order[next], edges)) {
      if (seen.insert(input).second)
        order.push_back(std::move(input));
    }
  }
  return order;
}

std::vector<std::vector<std::string>> Store::chains(const std::string& from,
                                                    const std::string& to,
                                                    Edges edges,
                                                    std::size_t limit) {
  // Breadth first, keeping every parent at the least distance.
  std::map<std::string, std::size_t> distance = {{from, 0}};
  std::map<std::string, std::vector<std::string>> parents;
  std::deque<std::string> todo = {from};
  while (!todo.empty()) {
    const std::string drv = std::move(todo.front());
    todo.pop_front();
    const std::size_t next_distance = distance[drv] + 1;
    const auto reached = distance.find(to);
    if (reached != distance.end() && next_distance > reached->second)
      break;
    for (const std::string& input : inputs(drv, edges)) {
      const auto [seen, is_new] = distance.emplace(input, next_distance);
      if (is_new)
        todo.push_back(input);
      if (seen->second == next_distance)
        parents[input].push_back(drv);
    }
  }
  if (!distance.count(to))
    return {};
  // Back from `to`: each partial chain grows at its end by one parent.
  std::vector<std::vector<std::string>> chains = {{to}};
  for (std::size_t step = distance[to]; step > 0; --step) {
    std::vector<std::vector<std::string>> longer;
    for (const auto& chain : chains) {
      for (const std::string& parent : parents[chain.back()]) {
        if (longer.size() == limit)
          break;
        longer.push_back(chain);
        longer.back().push_back(parent);
      }
    }
    chains = std::move(longer);
  }
  for (auto& chain : chains)
    std::reverse(chain.begin(), chain.end());
  return chains;
}

std::vector<std::string> Store::consumers(const std::string& root,
                                          const std::string& drv, Edges edges) {
  std::vector<std::string> found;
  for (const std::string& member : closure(root, edges)) {
    const auto direct = inputs(member, edges);
    if (std::find(direct.begin(), direct.end(), drv) != direct.end()) {
      found.push_back(member);
    }
  }
  return found;
}

Distribution Store::distribution(const std::string& drv) {
  const Derivation& from = derivation(drv);
  const std::string name = from.attribute("name").value_or(
      std::string(without_drv(store_name(drv))));
  Distribution split = split_name(without_interpreter(name));
  const auto pname = from.attribute("pname");
  const auto version = from.attribute("version");
  // A draft may write a new `name` and leave pname and version as they were, or
  // the other way round: the name is what the store shows, and it wins where it
  // has a version of its own that it could only have been given.
  if (pname && !pname->empty() && version && !version->empty() &&
      name.find(*version) != std::string::npos) {
    return {std::string(without_interpreter(*pname)), *version};
  }
  if (pname && !pname->empty() &&
      normal_name(*pname) == normal_name(split.name)) {
    split.name = *pname;
  }
  if (split.version.empty() && version)
    split.version = *version;
  return split;
}

std::vector<ClosureMember> Store::find_distribution(const std::string& root,
                                                    std::string_view name,
                                                    Edges edges) {
  const std::string wanted = normal_name(name);
  std::vector<ClosureMember> found;
  for (const std::string& drv : closure(root, edges)) {
    if (derivation(drv).is_fixed())
      continue;
    Distribution made = distribution(drv);
    if (normal_name(made.name) == wanted) {
      found.push_back({drv, std::move(made)});
    }
  }
  return found;
}

std::optional<std::string> Store::maker_of_output(
    const std::vector<std::string>& roots, std::string_view output) {
  for (const std::string& drv : closure(roots, Edges::build)) {
    for (const auto& [name, made] : derivation(drv).outputs) {
      if (made.path == output)
        return drv;
    }
  }
  return std::nullopt;
}

std::optional<std::string> Store::output_path(const std::string& drv,
                                              std::string_view name) {
  const auto& outputs = derivation(drv).outputs;
  if (outputs.empty())
    return std::nullopt;
  const auto named = outputs.find(std::string(name));
  const auto& chosen =
      named == outputs.end() ? outputs.begin()->second : named->second;
  if (chosen.path.empty())
    return std::nullopt;
  return chosen.path;
}

std::vector<std::string> Store::valid(const std::vector<std::string>& paths) {
  if (paths.empty())
    return {};
  Command command;
  command.argv = {"nix-store", "--check-validity", "--print-invalid"};
  command.argv.insert(command.argv.end(), paths.begin(), paths.end());
  const CommandResult result = world_.commands.run(command);
  if (result.exit_code != 0) {
    throw Error("asking the store what is valid", paths.front(),
                to_utf8(trim(result.err)));
  }
  std::set<std::string_view> invalid;
  for (const std::string_view line : lines_of(result.out))
    invalid.insert(line);
  std::vector<std::string> found;
  for (const std::string& path : paths) {
    if (!invalid.count(path))
      found.push_back(path);
  }
  return found;
}

bool Store::is_built(const std::string& drv) {
  std::vector<std::string> paths;
  for (const auto& [name, output] : derivation(drv).outputs) {
    if (output.path.empty())
      return false;
    paths.push_back(output.path);
  }
  return valid(paths).size() == paths.size();
}

std::string Store::add_fixed(const std::filesystem::path& file) {
  const CommandResult result = world_.commands.run(
      {.argv = {"nix-store", "--add-fixed", "sha256", file.string()}});
  std::string path(trim(result.out));
  if (result.exit_code != 0 || store_name(path).empty()) {
    throw Error("adding a file to the store", file.string(),
                to_utf8(trim(result.err)));
  }
  return path;
}

void Store::hold(const std::string& path) {
  const std::filesystem::path folder = invocation_.state_folder / "roots";
  world_.files.make_folders(folder);
  const std::filesystem::path root =
      folder / ("held-" + std::to_string(++roots_));
  const CommandResult result =
      world_.commands.run({.argv = {"nix-store", "--add-root", root.string(),
                                    "--indirect", "--realise", path}});
  if (result.exit_code != 0) {
    throw Error("holding a store path", path, to_utf8(trim(result.err)));
  }
}

}  // namespace autopin::nix
