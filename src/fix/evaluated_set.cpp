#include "fix/evaluated_set.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "fix/set_text.h"
#include "nix/edit.h"
#include "python/name.h"

namespace autopin::fix {
namespace {

using Json = nlohmann::json;

/// Nix: what the value at hand is, and its interpreters. Interpreters that do
/// not evaluate are not there.
constexpr const char* find_all = R"nix(
  v0: let
    v = if builtins.isFunction v0 then v0 { } else v0;
    kind = if v ? buildPythonPackage && v ? python then "packages"
      else if v ? pkgs && v ? sitePackages then "interpreter" else "set";
    text = x: let t = builtins.tryEval (builtins.deepSeq x x); in
      if t.success && builtins.isString t.value then t.value else "";
    row = attribute: i: {
      inherit attribute;
      version = text (i.version or (builtins.parseDrvName i.name).version);
      short = text (i.pythonVersion or i.majorVersion or "");
      implementation = text (i.implementation or "");
      system = text (i.stdenv.hostPlatform.system or i.system or "");
      glibc = text (i.stdenv.cc.libc.version or "");
      musl = i.stdenv.hostPlatform.isMusl or false;
    };
    of = n: let t = builtins.tryEval (let r = row n v.${n}; in
        builtins.deepSeq r (if v.${n} ? pkgs then [ r ] else [ ]));
      in if t.success then t.value else [ ];
    names = builtins.filter
      (n: builtins.match "(python|pypy)[0-9]?[0-9]?[0-9]?" n != null)
      (builtins.attrNames v);
  in {
    inherit kind;
    rows = if kind == "packages" then [ (row "" v.python) ]
      else if kind == "interpreter" then [ (row "" v) ]
      else builtins.concatMap of names;
  }
)nix";

/// Nix, `p` being the Python set: rows for the names of `start` and for all
/// that these are built with, and so on. `nicknames` are further attributes of
/// some.
constexpr const char* find_packages = R"nix(
  distribution = d: let
      parsed = builtins.parseDrvName (d.name or "");
      m = builtins.match "(python|pypy)[0-9.]*-(.+)" parsed.name;
    in d.pname or (if m == null then parsed.name else builtins.elemAt m 1);
  every = map (n: { inherit n; k = norm n; }) (builtins.attrNames p);
  spelled = key: let
      size = builtins.stringLength key;
      others = nicknames.${key} or [ ];
    in map (a: a.n) (builtins.filter (a: builtins.elem a.n others
      || a.k == key
      || (builtins.substring 0 size a.k == key
        && builtins.match (key + "-?[0-9][0-9-]*") a.k != null)) every);
  isPython = d: builtins.isAttrs d && (d.type or "") == "derivation"
    && (d ? pythonModule
      || builtins.match "(python|pypy)[0-9.]+-.+" (d.name or "") != null);
  describe = n: let
    t = builtins.tryEval (let
      d = p.${n};
      r = {
        attribute = n;
        drv = builtins.unsafeDiscardStringContext d.drvPath;
        name = distribution d;
        version = d.version or (builtins.parseDrvName d.name).version;
        inputs = map (i: norm (distribution i))
          (builtins.filter isPython (d.propagatedBuildInputs or [ ]));
      };
    in if builtins.isAttrs d && (d.type or "") == "derivation"
      then builtins.deepSeq r r else null);
  in if t.success && t.value != null then [ t.value ] else [ ];
  found = builtins.genericClosure {
    startSet = map (key: {
      inherit key;
      rows = builtins.concatMap describe (spelled key);
    }) start;
    operator = item: map (key: {
      inherit key;
      rows = builtins.concatMap describe (spelled key);
    }) (builtins.concatMap (r: r.inputs) item.rows);
  };
)nix";

std::string dotted(const std::string& text) {
  return text.substr(0, text.find_first_not_of("0123456789."));
}

/// "2.27" of "2.27-115" or "2.27".
std::optional<std::pair<int, int>> two_numbers(const std::string& text) {
  const auto parts = split(dotted(text), '.');
  if (parts.size() < 2 || parts[0].empty() || parts[1].empty() ||
      parts[0].size() > 4 || parts[1].size() > 4)
    return std::nullopt;
  return std::pair(std::stoi(parts[0]), std::stoi(parts[1]));
}

std::optional<SetInterpreter> interpreter_of(const Json& row) {
  SetInterpreter out;
  out.attribute = row.at("attribute");
  out.version = dotted(row.at("version"));
  const std::string shorter = row.at("short");
  out.implementation = row.at("implementation");
  const bool pypy =
      out.implementation == "pypy" || out.attribute.rfind("pypy", 0) == 0;
  // Of pypy the version is its own, and Python's is the short one.
  const std::string python =
      pypy || out.version.empty() ? shorter : out.version;
  auto target = python::Target::from_words((pypy ? "pypy" : "") + python,
                                           std::string(row.at("system")));
  if (!target || python.empty())
    return std::nullopt;
  if (pypy)
    target->implementation_version = out.version;
  const auto libc = two_numbers(row.at("glibc"));
  if (row.at("musl"))
    target->musl = libc.value_or(std::pair(1, 1));
  else if (libc)
    target->glibc = *libc;
  out.version = python;
  out.target = *target;
  return out;
}

/// Names of an interpreter that has one of its own, such as python36.
bool is_nickname(const std::string& attribute) {
  return attribute == "python" || attribute == "python2" ||
         attribute == "python3" || attribute == "pypy" ||
         attribute == "pypy2" || attribute == "pypy3";
}

/// "3.6" of "3.6.8".
std::string minor_of(const SetInterpreter& interpreter) {
  const auto parts = split(interpreter.version, '.');
  return parts.size() < 2 ? interpreter.version : parts[0] + '.' + parts[1];
}

}  // namespace

EvaluatedSet::EvaluatedSet(nix::Evaluator& evaluator, const Tables& tables,
                           std::string expression, const std::string& python)
    : evaluator_(evaluator),
      tables_(tables),
      expression_(std::move(expression)) {
  find_interpreters(python);
}

std::string EvaluatedSet::ask(const std::string& function) {
  const auto answer =
      evaluator_.evaluate_json("(" + function + "\n) (" + expression_ + "\n)");
  if (const auto* failed = std::get_if<nix::EvaluationFailed>(&answer))
    throw Error("evaluate the package set", expression_,
                std::string(trim(failed->log)));
  return std::get<std::string>(answer);
}

void EvaluatedSet::find_interpreters(const std::string& python) {
  const Json told = Json::parse(ask(find_all));
  std::map<std::string, SetInterpreter> nicknamed;
  for (const Json& row : told.at("rows")) {
    auto interpreter = interpreter_of(row);
    if (!interpreter)
      continue;
    if (is_nickname(interpreter->attribute))
      nicknamed.emplace(interpreter->attribute, *interpreter);
    else
      interpreters_.push_back(*std::move(interpreter));
  }
  if (interpreters_.empty()) {
    for (const auto& [name, interpreter] : nicknamed)
      interpreters_.push_back(interpreter);
  }
  if (interpreters_.empty())
    throw Error("find an interpreter", expression_,
                "it has none: neither pythonXY, nor a python of its own");
  const auto usual = nicknamed.count("python3") != 0 ? nicknamed.find("python3")
                                                     : nicknamed.begin();
  choose(python,
         usual == nicknamed.end() ? interpreters_.front() : usual->second);
  const std::string kind = told.at("kind");
  packages_ = "(if builtins.isFunction v then v { } else v)";
  if (kind == "interpreter")
    packages_ += ".pkgs";
  if (kind == "set")
    packages_ += '.' + nix::attr_name(interpreter_.attribute) + ".pkgs";
}

void EvaluatedSet::choose(const std::string& python,
                          const SetInterpreter& usual) {
  if (python.empty()) {
    interpreter_ = usual;
    return;
  }
  const auto wanted = python::Target::from_words(python, "");
  if (!wanted)
    throw Error("read the target", python, "not a Python version");
  std::vector<std::string> have;
  for (const SetInterpreter& interpreter : interpreters_) {
    if (wanted->implementation == interpreter.target.implementation &&
        (wanted->python == interpreter.version ||
         wanted->python == minor_of(interpreter))) {
      interpreter_ = interpreter;
      return;
    }
    have.push_back(interpreter.attribute + " (" + interpreter.version + ')');
  }
  throw Error("find the interpreter", "Python " + python,
              "the package set has " + join(have, ", "));
}

void EvaluatedSet::expect(const std::vector<std::string>& names) {
  std::string start;
  std::string nicknames;
  for (const std::string& name : names) {
    const std::string key = python::normalize_name(name);
    if (!python::is_valid_name(key) || !known_.try_emplace(key).second)
      continue;
    start += ' ' + nix::quote(key);
    if (const auto others = tables_.find("python-attributes", key);
        !others.empty())
      nicknames += nix::quote(key) + " = " + nix_list(others) + "; ";
  }
  if (start.empty())
    return;
  const std::string answer =
      ask("v: let p = " + packages_ + ";\n  start = [" + start +
          " ];\n  nicknames = { " + nicknames + "};\n" +
          std::string(normalize) + find_packages + "in found");
  for (const Json& item : Json::parse(answer)) {
    const std::string key = item.at("key");
    std::vector<python::SetPackage> packages;
    std::set<std::string> seen;
    Json rows = item.at("rows");
    // The plain spelling is what others use; one derivation is named once.
    std::stable_sort(
        rows.begin(), rows.end(), [&](const Json& a, const Json& b) {
          const auto plain = [&](const Json& row) {
            return python::normalize_name(
                       row.at("attribute").get<std::string>()) == key;
          };
          return plain(a) > plain(b);
        });
    for (const Json& row : rows) {
      const auto version =
          python::Version::parse(row.at("version").get<std::string>());
      const std::string name = row.at("name");
      if (!version || !seen.insert(row.at("drv")).second)
        continue;
      std::vector<python::Requirement> needs;
      for (const std::string input : row.at("inputs"))
        if (auto need = python::Requirement::parse(input))
          needs.push_back(*std::move(need));
      packages.push_back({row.at("attribute"), name, *version, needs});
    }
    known_[key] = std::move(packages);
  }
}

std::vector<python::SetPackage> EvaluatedSet::candidates(
    const std::string& name) {
  expect({name});
  const auto found = known_.find(name);
  return found == known_.end() ? std::vector<python::SetPackage>{}
                               : found->second;
}

SetExpression set_expression(const std::string& words) {
  namespace fs = std::filesystem;
  const std::string text(trim(words));
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' ||
           c == '_' || c == '.' || c == '+' || c == '/';
  };
  const bool plain = std::all_of(text.begin(), text.end(), is_word);
  const bool is_path = text.rfind('/', 0) == 0 || text.rfind("./", 0) == 0 ||
                       text.rfind("../", 0) == 0 || text == "." || text == "..";
  if (plain && is_path)
    return {"import <autopin-against>",
            {"-I", "autopin-against=" +
                       fs::absolute(text).lexically_normal().string()}};
  const bool is_remote =
      text.rfind("channel:", 0) == 0 || text.rfind("http://", 0) == 0 ||
      text.rfind("https://", 0) == 0 || text.rfind("file://", 0) == 0;
  if (is_remote && text.find(' ') == std::string::npos)
    return {"import <autopin-against>", {"-I", "autopin-against=" + text}};
  if (plain)
    return {"import <" + text + ">", {}};
  if (text.size() > 2 && text.front() == '<' && text.back() == '>')
    return {"import " + text, {}};
  return {text, {}};
}

}  // namespace autopin::fix
