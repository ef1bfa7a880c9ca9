#include "nix/build_log.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "nix/derivation.h"

namespace autopin::nix {

namespace {

namespace fs = std::filesystem;

/// A command line has room for so many store paths.
constexpr std::size_t paths_at_a_time = 1000;
/// A build stops at few; of a closure that was never built all is missing.
constexpr std::size_t most_asked = 200;

std::set<std::string> valid_paths(Store& store,
                                  const std::vector<std::string>& paths) {
  std::set<std::string> valid;
  for (std::size_t i = 0; i < paths.size(); i += paths_at_a_time) {
    const auto begin = paths.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end = begin + static_cast<std::ptrdiff_t>(
                                 std::min(paths_at_a_time, paths.size() - i));
    for (std::string& path : store.valid({begin, end}))
      valid.insert(std::move(path));
  }
  return valid;
}

}  // namespace

std::optional<std::string> store_path_of(std::string_view path) {
  std::error_code problem;
  const fs::path real = fs::weakly_canonical(fs::path(path), problem);
  for (const std::string& text : {std::string(path), real.string()}) {
    const std::vector<std::string> paths = store_paths(text);
    if (!paths.empty() && text.rfind(paths.front(), 0) == 0)
      return paths.front();
  }
  return std::nullopt;
}

std::optional<std::string> build_log(World& world, const std::string& path) {
  CommandResult result =
      world.commands.run({.argv = {"nix-store", "--read-log", path}});
  if (result.exit_code != 0)
    return std::nullopt;
  return std::move(result.out);
}

std::optional<std::string> maker_of(World& world, Store& store,
                                    const std::string& output) {
  const fs::path folder = fs::path(output).parent_path();
  const std::string_view name = store_name(output);
  for (const std::string& file : world.files.list(folder)) {
    const std::string drv = folder / file;
    std::string_view made = store_name(drv);
    if (!made.ends_with(".drv"))
      continue;
    made.remove_suffix(4);
    // The output's own name comes behind the derivation's: "zlib-1.2-dev".
    if (!name.starts_with(made))
      continue;
    const auto& outputs = store.derivation(drv).outputs;
    if (std::any_of(outputs.begin(), outputs.end(),
                    [&](const auto& one) { return one.second.path == output; }))
      return drv;
  }
  return std::nullopt;
}

std::string flake_derivation(World& world, const std::string& installable) {
  // There is no old command that takes flakes; `nix path-info` has done so
  // since 2.4, and the flag is no error where the features are on.
  const CommandResult result = world.commands.run(
      {.argv = {"nix", "--extra-experimental-features", "nix-command flakes",
                "path-info", "--derivation", "--", installable}});
  std::string drv(trim(result.out));
  if (result.exit_code != 0 || !drv.ends_with(".drv") ||
      drv.find('\n') != std::string::npos)
    throw Error("asking Nix for the derivation", installable,
                result.err.empty() ? "it is not one derivation"
                                   : to_utf8(trim(result.err)));
  return drv;
}

std::vector<std::string> stopped_at(World& world, Store& store,
                                    const std::string& drv) {
  const std::vector<std::string> closure = store.closure(drv, Edges::build);
  std::vector<std::string> outputs;
  for (const std::string& member : closure)
    for (const auto& [name, output] : store.derivation(member).outputs)
      if (!output.path.empty())
        outputs.push_back(output.path);
  const std::set<std::string> valid = valid_paths(store, outputs);
  const auto is_built = [&](const std::string& member) {
    const auto& made = store.derivation(member).outputs;
    return std::all_of(made.begin(), made.end(), [&](const auto& output) {
      return valid.count(output.second.path) != 0;
    });
  };
  std::vector<std::string> stopped;
  std::size_t asked = 0;
  // From the leaves up; what is not built and has nothing unbuilt below comes
  // before what waits for it.
  for (auto member = closure.rbegin(); member != closure.rend(); ++member) {
    if (*member == drv || is_built(*member))
      continue;
    if (++asked > most_asked)
      break;
    if (build_log(world, *member))
      stopped.push_back(*member);
  }
  return stopped;
}

}  // namespace autopin::nix
