#include "fix/python_set.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.h"
#include "fix/chain.h"
#include "fix/scope.h"
#include "fix/set_text.h"
#include "nix/edit.h"
#include "python/name.h"

namespace autopin::fix {
namespace {

using Json = nlohmann::json;

/// Nix: the answers for a list of attribute names. tryEval catches what throws
/// (aliases, broken packages); names are known to exist before it is asked.
constexpr const char* describe = R"nix(
  describe = n: let
    t = builtins.tryEval (let
      d = p.${n};
      parsed = builtins.parseDrvName (d.name or "");
      plain = let m = builtins.match "(python|pypy)[0-9.]*-(.+)" parsed.name;
        in if m == null then parsed.name else builtins.elemAt m 1;
      from = builtins.match "(.*):[0-9]+" (d.meta.position or "");
      file = if from == null then null else import (builtins.head from);
      byFile = if from == null
        || builtins.baseNameOf (builtins.head from) == "python-packages.nix"
        || !(builtins.isFunction file) then { } else builtins.functionArgs file;
      given = if d ? overridePythonAttrs
        then (d.overridePythonAttrs (old: {
          passthru = (old.passthru or { }) // {
            autopinGiven = {
              names = builtins.attrNames old;
              format = if old ? format then old.format
                else if old.pyproject or false == true then "pyproject" else "";
            };
          };
        })).autopinGiven or { names = [ ]; format = ""; }
        else { names = [ ]; format = ""; };
      r = {
        attribute = n;
        drv = builtins.unsafeDiscardStringContext d.drvPath;
        name = d.pname or plain;
        version = d.version or parsed.version;
        override = d ? override;
        python = d ? overridePythonAttrs;
        attrs = d ? overrideAttrs;
        arguments = builtins.attrNames (d.override.__functionArgs or byFile);
        given = given.names;
        format = given.format;
      };
    in if builtins.isAttrs d && (d.type or "") == "derivation"
      then builtins.deepSeq r r else null);
  in if t.success && t.value != null then [ t.value ] else [ ];
)nix";

bool spells(std::string_view attribute, const std::string& key) {
  const std::string norm = python::normalize_name(attribute);
  return norm == key;
}

/// "python36" of "python36Packages", "python36.pkgs", "pkgs.python36".
std::string attribute_of_door(const Situation& situation,
                              const nix::Node& door) {
  const auto& source = situation.source(door.file);
  for (const auto& piece :
       split(std::string(source.text_of(door.range)), '.')) {
    std::string name(trim(piece));
    if (name.ends_with("Packages"))
      name.resize(name.size() - std::string_view("Packages").size());
    if (name.starts_with("python") || name.starts_with("pypy"))
      return name;
  }
  return {};
}

/// `self` and the like: asked while the set itself is being made, the evaluator
/// would go round in circles. The set is asked of where it is used.
bool is_parameter(const Situation& situation, const nix::Node& node) {
  const auto& source = situation.source(node.file);
  nix::ExprId id = source.strip(node.expr);
  while (source.at(id).kind == nix::ExprKind::select)
    id = source.strip(source.at(id).base);
  return source.at(id).kind == nix::ExprKind::variable &&
         binder_of(source, id, source.at(id).name).kind ==
             Binder::Kind::parameter;
}

/// `pkgs.python36` of `pkgs.python36.override { packageOverrides = …; }`: the
/// interpreter before the draft's own overrides, whose set nobody means.
bool is_overridden(const Situation& situation, const nix::Node& node,
                   const std::vector<const nix::Node*>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const nix::Node* other) {
    if (other->file != node.file || other->form != nix::NodeForm::expression)
      return false;
    const auto chain = chain_of(situation.source(node.file), other->expr);
    return !chain.layers.empty() && chain.base.contains(node.range);
  });
}

}  // namespace

std::optional<PythonSet> PythonSet::of(const Situation& situation,
                                       const std::string& drv) {
  std::vector<const nix::Node*> nodes =
      situation.probe().with_role(nix::Role::python_packages);
  for (const auto* node : situation.probe().with_role(nix::Role::interpreter))
    nodes.push_back(node);
  if (nodes.empty())
    return std::nullopt;
  const auto interpreters =
      nix::interpreters(situation.parts().evaluator, situation.draft(), nodes);
  auto& store = situation.store();
  const auto direct = store.inputs(drv, nix::Edges::build);
  std::string chosen;
  for (const auto& interpreter : interpreters)
    if (interpreter && std::find(direct.begin(), direct.end(),
                                 interpreter->drv) != direct.end())
      chosen = interpreter->drv;
  if (chosen.empty()) {
    const auto closure = store.closure(drv, nix::Edges::build);
    for (const auto& interpreter : interpreters)
      if (interpreter && std::find(closure.begin(), closure.end(),
                                   interpreter->drv) != closure.end())
        chosen = interpreter->drv;
  }
  std::optional<PythonSet> set;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!interpreters[i] || interpreters[i]->drv != chosen ||
        is_overridden(situation, *nodes[i], nodes))
      continue;
    if (!set) {
      set = PythonSet(situation, *nodes[i]);
      set->interpreter_ = *interpreters[i];
    } else if (is_parameter(situation, *set->asked_) &&
               !is_parameter(situation, *nodes[i])) {
      set->asked_ = nodes[i];
    }
    set->doors_.push_back(nodes[i]);
    if (const auto name = attribute_of_door(situation, *nodes[i]);
        set->attribute_.size() < name.size())
      set->attribute_ = name;
  }
  if (set && set->attribute_.empty())
    set->attribute_ = "python3";
  return set;
}

std::optional<std::string> PythonSet::ask(const std::string& function) const {
  const auto ask_at = [&](const nix::Node& node) {
    const bool is_set = node.is(nix::Role::python_packages);
    return situation_->ask(node, std::string("door: let p = ") +
                                     (is_set ? "door" : "door.pkgs") + "; in " +
                                     function);
  };
  if (auto answer = ask_at(*asked_))
    return answer;
  // Where the set is just being made it can have no answer; another door may.
  for (const auto* door : doors_)
    if (door != asked_)
      if (auto answer = ask_at(*door))
        return answer;
  return std::nullopt;
}

python::Target PythonSet::target() const {
  const auto target = python::Target::from_words(interpreter_.version, "");
  return target.value_or(python::Target{});
}

std::vector<SetAttribute> PythonSet::query(const std::string& selection) const {
  const auto answer = ask(std::string("let ") + normalize + describe +
                          "  names = " + selection +
                          ";\nin builtins.concatLists (map describe names)");
  std::vector<SetAttribute> found;
  if (!answer)
    return found;
  for (const auto& row : Json::parse(*answer)) {
    SetAttribute attribute;
    attribute.attribute = row.at("attribute");
    attribute.drv = row.at("drv");
    attribute.name = row.at("name");
    attribute.version = row.at("version");
    attribute.has_override = row.at("override");
    attribute.has_override_python_attrs = row.at("python");
    attribute.has_override_attrs = row.at("attrs");
    attribute.arguments = row.at("arguments");
    attribute.given = row.at("given");
    attribute.format = row.at("format");
    found.push_back(std::move(attribute));
  }
  return found;
}

std::vector<SetAttribute> PythonSet::find(std::string_view distribution) const {
  if (!python::is_valid_name(distribution))
    return {};
  const std::string key = python::normalize_name(distribution);
  const auto aliases =
      situation_->parts().tables.find("python-attributes", key);
  auto found =
      query("builtins.filter (n: builtins.elem n " + nix_list(aliases) +
            " || norm n == " + nix::quote(key) + " || builtins.match " +
            nix::quote(key + "-?[0-9][0-9-]*") +
            " (norm n) != null) (builtins.attrNames p)");
  const auto is_alias = [&](const SetAttribute& attribute) {
    return std::find(aliases.begin(), aliases.end(), attribute.attribute) !=
           aliases.end();
  };
  std::erase_if(found, [&](const SetAttribute& attribute) {
    return python::normalize_name(attribute.name) != key &&
           !spells(attribute.attribute, key) && !is_alias(attribute);
  });
  // The plain spelling is what others use; one derivation is named once.
  std::stable_sort(found.begin(), found.end(),
                   [&](const SetAttribute& a, const SetAttribute& b) {
                     return spells(a.attribute, key) > spells(b.attribute, key);
                   });
  std::set<std::string> seen;
  std::erase_if(found, [&](const SetAttribute& attribute) {
    return !seen.insert(attribute.drv).second;
  });
  return found;
}

std::optional<SetAttribute> PythonSet::attribute_named(
    std::string_view name) const {
  const auto found =
      query("builtins.filter (n: p ? ${n}) [ " + nix::quote(name) + " ]");
  if (found.empty())
    return std::nullopt;
  return found.front();
}

std::vector<std::string> PythonSet::has(
    const std::vector<std::string>& names) const {
  const auto answer = ask("builtins.filter (n: p ? ${n}) " + nix_list(names));
  if (!answer)
    return {};
  return Json::parse(*answer).get<std::vector<std::string>>();
}

std::vector<python::SetPackage> SetForResolver::candidates(
    const std::string& name) {
  std::vector<python::SetPackage> packages;
  for (const auto& attribute : set_.find(name))
    if (const auto version = python::Version::parse(attribute.version))
      packages.push_back(
          {attribute.attribute, attribute.name, *version, std::nullopt});
  return packages;
}

std::vector<python::Demand> SetForResolver::demands_on(const std::string&) {
  // What consumers in nixpkgs ask is not in their derivations; the build with
  // its own checks says so, and the next round reads it.
  return {};
}

bool SetForResolver::runs_tests(const std::string& name) {
  // The builders turn doCheck into doInstallCheck. What the set lacks is
  // written without tests.
  auto& store = set_.situation().store();
  const auto found = set_.find(name);
  return std::any_of(
      found.begin(), found.end(), [&](const SetAttribute& attribute) {
        const auto& drv = store.derivation(attribute.drv);
        return drv.attribute("doInstallCheck").value_or("") == "1" ||
               drv.attribute("doCheck").value_or("") == "1";
      });
}

}  // namespace autopin::fix
