#include "nix/probe.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.h"
#include "nix/candidates.h"
#include "nix/instrument.h"

namespace autopin::nix {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view marker = "autopin-probe ";

// What a value is shows in its attributes' names; only names are looked at
// until the draft itself uses the derivation, and by then its arguments have
// been evaluated. What has no drvPath after all (it throws) is left to fail as
// it would. Records, the first with names only: [node, output, drv, name,
// pname, version, position, flags].
constexpr const char* probing =
    "__autopin_probe = i: v: let "
    "tell = what: x: builtins.trace "
    "(\"autopin-probe \" + builtins.toJSON ([ i ] ++ what)) x; "
    "text = x: let t = builtins.tryEval x; in "
    "if t.success && builtins.isString t.value "
    "then builtins.unsafeDiscardStringContext t.value else \"\"; "
    "flags = [ (v ? override) (v ? overrideAttrs) (v ? overridePythonAttrs) "
    "(v ? overrideDerivation) (v ? pythonVersion && v ? pkgs) ]; "
    "say = output: d: x: let p = text d.drvPath; in if p == \"\" then x else "
    "tell ([ output p (text (v.name or \"\")) (text (v.pname or \"\")) "
    "(text (v.version or \"\")) (text (v.meta.position or \"\")) ] ++ flags) "
    "x; "
    "roles = "
    "(if v ? buildPythonPackage && v ? python then [ \"python_packages\" ] "
    "else [ ]) ++ "
    "(if v ? stdenv && v ? callPackage && v ? path then [ \"package_set\" ] "
    "else [ ]) ++ "
    "(if v ? pkgs && v ? pythonVersion then [ \"interpreter\" ] else [ ]); "
    "told = x: if roles == [ ] then x else tell [ roles ] x; "
    "in if !(builtins.isAttrs v) then v "
    "else told (if v ? drvPath then tell ([ \"\" \"\" \"\" \"\" \"\" \"\" ] ++ "
    "flags) (__autopin_used say v) else v); ";

std::optional<Role> role_named(const std::string& name) {
  if (name == "python_packages")
    return Role::python_packages;
  if (name == "package_set")
    return Role::package_set;
  if (name == "interpreter")
    return Role::interpreter;
  return std::nullopt;
}

void add_role(Node& node, Role role) {
  if (!node.is(role))
    node.roles.push_back(role);
}

void take_roles(Node& node, const json& names) {
  for (const json& name : names) {
    if (!name.is_string())
      continue;
    if (const auto role = role_named(name.get<std::string>())) {
      add_role(node, *role);
    }
  }
}

void take_record(Node& node, const json& told) {
  constexpr std::size_t texts = 7;
  constexpr std::size_t all = 12;
  if (told.size() != all)
    return;
  for (std::size_t i = 1; i < all; ++i) {
    const bool fits = i < texts ? told[i].is_string() : told[i].is_boolean();
    if (!fits)
      return;
  }
  DerivationRecord record;
  record.output = told[1].get<std::string>();
  record.drv = told[2].get<std::string>();
  record.name = told[3].get<std::string>();
  record.pname = told[4].get<std::string>();
  record.version = told[5].get<std::string>();
  record.position = told[6].get<std::string>();
  record.has_override = told[7].get<bool>();
  record.has_override_attrs = told[8].get<bool>();
  record.has_override_python_attrs = told[9].get<bool>();
  record.has_override_derivation = told[10].get<bool>();
  record.is_interpreter = told[11].get<bool>();
  const bool known = std::any_of(node.records.begin(), node.records.end(),
                                 [&](const DerivationRecord& other) {
                                   return other.drv == record.drv &&
                                          other.output == record.output;
                                 });
  // What is known of a value before it is used gives way to the rest.
  std::vector<DerivationRecord>& records = node.records;
  if (!records.empty() && records.front().drv.empty())
    records.clear();
  if (!known && (!record.drv.empty() || records.empty()))
    records.push_back(std::move(record));
  add_role(node, Role::derivation);
}

void take_traces(const std::string& log, std::vector<Node>& nodes) {
  for (const std::string_view line : lines_of(log)) {
    const std::size_t at = line.find(marker);
    if (at == std::string_view::npos)
      continue;
    const json told =
        json::parse(line.substr(at + marker.size()), nullptr, false);
    if (!told.is_array() || told.size() < 2 || !told[0].is_number_unsigned()) {
      continue;
    }
    const auto index = told[0].get<std::size_t>();
    if (index >= nodes.size())
      continue;
    if (told[1].is_array()) {
      take_roles(nodes[index], told[1]);
    } else {
      take_record(nodes[index], told);
    }
  }
}

const std::string& log_of(const Evaluation& evaluation) {
  const auto* failed = std::get_if<EvaluationFailed>(&evaluation);
  return failed ? failed->log : std::get<Instantiated>(evaluation).log;
}

/// nix-instantiate lists a value once however often it stands in a list, if it
/// is the very same one; two wrapped ones are not.
std::vector<std::string> each_once(const std::vector<std::string>& drvs) {
  std::vector<std::string> unique;
  std::set<std::string_view> seen;
  for (const std::string& drv : drvs) {
    if (seen.insert(drv).second)
      unique.push_back(drv);
  }
  return unique;
}

bool is_faithful(const Evaluation& evaluation,
                 const std::vector<std::string>& plain) {
  const auto* made = std::get_if<Instantiated>(&evaluation);
  // Where the plain evaluation fails as well there is nothing to compare.
  if (plain.empty())
    return made == nullptr;
  return made && each_once(made->drvs) == each_once(plain);
}

ProbeResult probe_files(Evaluator& evaluator, const Draft& draft,
                        const std::vector<fs::path>& files) {
  ProbeResult result;
  std::vector<Node> nodes;
  Overlay overlay;
  for (const fs::path& file : files) {
    const Source source = Source::parse(draft.text(file));
    if (source.has_errors()) {
      result.left_out.push_back(file);
      continue;
    }
    std::vector<Site> sites;
    for (const Candidate& candidate : candidates(source)) {
      sites.push_back(
          {candidate.range, "__autopin_probe " + std::to_string(nodes.size())});
      nodes.push_back({.file = file,
                       .range = candidate.range,
                       .form = candidate.form,
                       .expr = candidate.expr,
                       .roles = {},
                       .records = {}});
    }
    if (!sites.empty())
      overlay[file] = instrument(source, std::move(sites));
  }
  result.candidates = nodes.size();
  const std::string header =
      "let " + std::string(prelude) + std::string(probing) + "in ";
  result.evaluation = evaluator.instantiate(draft, overlay, header);
  take_traces(log_of(result.evaluation), nodes);
  for (Node& node : nodes) {
    if (!node.roles.empty())
      result.nodes.push_back(std::move(node));
  }
  return result;
}

}  // namespace

bool Node::is(Role role) const {
  return std::find(roles.begin(), roles.end(), role) != roles.end();
}

bool Node::made(std::string_view drv) const {
  return std::any_of(
      records.begin(), records.end(),
      [&](const DerivationRecord& record) { return record.drv == drv; });
}

std::vector<const Node*> ProbeResult::makers(std::string_view drv) const {
  std::vector<const Node*> found;
  for (const Node& node : nodes) {
    if (node.made(drv))
      found.push_back(&node);
  }
  return found;
}

const Node* ProbeResult::outermost(std::string_view drv) const {
  const auto found = makers(drv);
  return found.empty() ? nullptr : found.front();
}

const Node* ProbeResult::innermost(std::string_view drv) const {
  const auto found = makers(drv);
  if (found.empty())
    return nullptr;
  const Node* inner = found.front();
  for (const Node* node : found) {
    if (node->file == inner->file && inner->range.contains(node->range)) {
      inner = node;
    }
  }
  return inner;
}

std::vector<const Node*> ProbeResult::with_role(Role role) const {
  std::vector<const Node*> found;
  for (const Node& node : nodes) {
    if (node.is(role))
      found.push_back(&node);
  }
  return found;
}

std::vector<std::string> ProbeResult::drvs() const {
  std::set<std::string> found;
  for (const Node& node : nodes) {
    for (const DerivationRecord& record : node.records) {
      if (!record.drv.empty())
        found.insert(record.drv);
    }
  }
  return {found.begin(), found.end()};
}

ProbeResult probe(Evaluator& evaluator, const Draft& draft,
                  const std::vector<std::string>& plain) {
  const std::vector<fs::path> all = draft.files();
  ProbeResult result = probe_files(evaluator, draft, all);
  if (is_faithful(result.evaluation, plain))
    return result;
  // A file that is also an input of a build (`"${./x.nix}"`) shows its
  // instrumented text there: leave out one after the other, second files first.
  std::vector<fs::path> kept = all;
  std::vector<fs::path> left_out;
  while (kept.size() > 1) {
    left_out.push_back(kept.back());
    kept.pop_back();
    result = probe_files(evaluator, draft, kept);
    if (is_faithful(result.evaluation, plain)) {
      result.left_out.insert(result.left_out.end(), left_out.begin(),
                             left_out.end());
      return result;
    }
  }
  result.faithful = false;
  result.nodes.clear();
  result.left_out = all;
  return result;
}

}  // namespace autopin::nix
