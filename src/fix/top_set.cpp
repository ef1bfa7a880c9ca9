#include "fix/top_set.h"

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "nix/edit.h"

namespace autopin::fix {

std::vector<const nix::Node*> top_sets(const Situation& situation) {
  auto sets = situation.probe().with_role(nix::Role::package_set);
  std::erase_if(sets, [](const nix::Node* node) {
    return node->is(nix::Role::python_packages);
  });
  return sets;
}

std::vector<std::string> drvs_of_top(const Situation& situation,
                                     const std::vector<std::string>& names) {
  std::vector<std::string> none(names.size());
  const auto sets = top_sets(situation);
  if (sets.empty() || names.empty())
    return none;
  std::string list;
  for (const auto& name : names) {
    list += " [";
    for (const auto& part : split(name, '.'))
      list += " " + nix::quote(part);
    list += " ]";
  }
  const std::string question = R"nix(p: let
  walk = value: path: if path == [ ] then value
    else if builtins.isAttrs value && builtins.hasAttr (builtins.head path) value
    then walk (builtins.getAttr (builtins.head path) value) (builtins.tail path)
    else null;
  drv = path: let
    t = builtins.tryEval (let d = walk p path;
      in if builtins.isAttrs d && d ? drvPath
        then builtins.unsafeDiscardStringContext d.drvPath else "");
  in if t.success then t.value else "";
in map drv [)nix" + list + " ]";
  // A set that is just being made (`final` of an overlay) may have no answer.
  for (const auto* set : sets)
    if (const auto answer = situation.ask(*set, question))
      return nlohmann::json::parse(*answer).get<std::vector<std::string>>();
  return none;
}

bool builders_take_env(const Situation& situation) {
  for (const auto* set : top_sets(situation))
    if (const auto answer = situation.ask(*set, R"nix(p:
  (p.stdenv.mkDerivation { name = "probe"; env.PROBE = "yes"; }).PROBE or "")nix"))
      return *answer == "\"yes\"";
  return false;
}

std::vector<std::string> attributes_of_top(
    const Situation& situation, const std::vector<std::string>& names) {
  const auto drvs = drvs_of_top(situation, names);
  std::vector<std::string> found;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!drvs[i].empty())
      found.push_back(names[i]);
  return found;
}

}  // namespace autopin::fix
