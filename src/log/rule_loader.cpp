#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "log/rule_set.h"

namespace autopin {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Macros = std::map<std::string, std::string>;
using Templates = std::map<std::string, std::vector<std::string>>;

/// What stands for a key that is not there.
const json no_value;
const json no_text = "";
const json no_list = json::array();
const json no_object = json::object();
const json cause = "cause";
const json yes = true;

/// One rules file: what is read from it complains with its name.
class RuleFile {
 public:
  RuleFile(fs::path path, Macros macros)
      : path_(std::move(path)), macros_(std::move(macros)) {
    std::ifstream in(path_, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in)
      fail("cannot be read");
    document_ = json::parse(text.str(), nullptr, false, true);
    if (!document_.is_object())
      fail("is not a JSON object");
    const json& define = member(document_, "define", no_object);
    for (const auto& [name, value] : define.items())
      macros_[name] = expand(string_of(value, "define"));
  }

  const json& document() const { return document_; }
  const Macros& macros() const { return macros_; }

  [[noreturn]] void fail(const std::string& why) const {
    throw Error("reading rules",
                path_.string() + (where_.empty() ? "" : " (" + where_ + ")"),
                why);
  }

  Rule rule(const json& entry) {
    where_.clear();
    if (!entry.is_object())
      fail("a rule is not an object");
    Rule rule;
    rule.id = string_of(member(entry, "id", no_text), "id");
    where_ = rule.id.empty() ? "a rule without id" : rule.id;
    known_keys(
        entry,
        {"id",        "kind",    "why",     "cure",     "url",       "phases",
         "patterns",  "unless",  "context", "block",    "params",    "needs",
         "severity",  "rank",    "weak",    "explains", "overrides", "fixes",
         "fix_needs", "samples", "not",     "comment"});
    if (rule.id.empty())
      fail("has no id");
    rule.family = path_.stem().string();
    rule.kind = string_of(member(entry, "kind", no_text), "kind");
    rule.why = string_of(member(entry, "why", no_text), "why");
    rule.cure = string_of(member(entry, "cure", no_text), "cure");
    rule.url = string_of(member(entry, "url", no_text), "url");
    rule.phases = strings(member(entry, "phases", no_list), "phases");
    rule.patterns = patterns(member(entry, "patterns", no_list), "patterns");
    rule.unless = patterns(member(entry, "unless", no_list), "unless");
    rule.params = templates(member(entry, "params", no_object), "params");
    rule.needs = strings(member(entry, "needs", no_list), "needs");
    rule.rank = int_of(entry, "rank", 50);
    rule.weak = member(entry, "weak", no_value) == true;
    rule.explains = strings(member(entry, "explains", no_list), "explains");
    rule.overrides = strings(member(entry, "overrides", no_list), "overrides");
    rule.fixes = strings(member(entry, "fixes", no_list), "fixes");
    const json& fix_needs = member(entry, "fix_needs", no_object);
    if (!fix_needs.is_object())
      fail("fix_needs is not an object");
    for (const auto& [fix, param] : fix_needs.items())
      rule.fix_needs[fix] = string_of(param, "fix_needs");
    rule.severity =
        severity(string_of(member(entry, "severity", cause), "severity"));
    read_context(entry, rule);
    read_block(entry, rule);
    read_samples(entry, rule);
    if (rule.kind.empty() || rule.patterns.empty())
      fail("needs a kind and at least one pattern");
    return rule;
  }

  Kind kind(const json& entry) {
    Kind kind;
    kind.name = string_of(member(entry, "name", no_text), "name");
    where_ = kind.name;
    kind.text = string_of(member(entry, "text", no_text), "text");
    const json& params = member(entry, "params", no_object);
    for (const auto& [name, type] : params.items()) {
      const std::string word = string_of(type, "params");
      if (word != "key" && word != "list" && word != "note")
        fail("param " + name + " is neither key, list nor note");
      kind.params[name] = word == "list"   ? ParamType::list
                          : word == "note" ? ParamType::note
                                           : ParamType::key;
    }
    if (kind.name.empty())
      fail("a kind has no name");
    return kind;
  }

  LookupTable table() {
    LookupTable table;
    table.source = string_of(member(document_, "source", no_text), "source");
    const json& rows = member(document_, "rows", no_object);
    for (const auto& [key, value] : rows.items())
      table.rows[key] = string_of(value, "rows");
    return table;
  }

  /// `otherwise` has to outlive the answer.
  static const json& member(const json& object, const char* key,
                            const json& otherwise) {
    const auto found = object.find(key);
    return found == object.end() ? otherwise : *found;
  }

 private:
  void known_keys(const json& object,
                  std::initializer_list<std::string_view> known) const {
    for (const auto& item : object.items())
      if (std::find(known.begin(), known.end(), item.key()) == known.end())
        fail("does not know the key \"" + item.key() + "\"");
  }

  std::string string_of(const json& value, const std::string& what) const {
    if (!value.is_string())
      fail(what + " is not a string");
    return value.get<std::string>();
  }

  int int_of(const json& object, const char* key, int otherwise) const {
    const json& value = member(object, key, no_value);
    if (value.is_null())
      return otherwise;
    if (!value.is_number_integer() || value.get<long>() < 0 ||
        value.get<long>() > 1000000)
      fail(std::string(key) + " is not a number from 0 to 1,000,000");
    return value.get<int>();
  }

  std::vector<std::string> strings(const json& value,
                                   const std::string& what) const {
    if (!value.is_array())
      fail(what + " is not a list");
    std::vector<std::string> all;
    for (const json& item : value)
      all.push_back(string_of(item, what));
    return all;
  }

  Templates templates(const json& value, const std::string& what) const {
    if (!value.is_object())
      fail(what + " is not an object");
    Templates all;
    for (const auto& [name, text] : value.items())
      all[name] = text.is_array()
                      ? strings(text, what)
                      : std::vector<std::string>{string_of(text, what)};
    return all;
  }

  std::string expand(const std::string& text) const {
    std::string expanded;
    std::size_t at = 0;
    for (;;) {
      const std::size_t open = text.find("{{", at);
      const std::size_t close =
          open == std::string::npos ? open : text.find("}}", open);
      if (close == std::string::npos)
        return expanded + text.substr(at);
      const auto macro = macros_.find(text.substr(open + 2, close - open - 2));
      if (macro == macros_.end())
        fail("unknown macro in " + text);
      expanded += text.substr(at, open - at) + macro->second;
      at = close + 2;
    }
  }

  Pattern pattern(const json& value, const std::string& what) const {
    Pattern pattern;
    pattern.text = expand(string_of(value, what));
    pattern.guard = guard_of(pattern.text);
    pattern.regex = LazyRegex(pattern.text);
    if (!pattern.guard.understood) {
      try {
        (void)*pattern.regex;
      } catch (const Error& problem) {
        fail(what + ": " + problem.what());
      }
    }
    return pattern;
  }

  std::vector<Pattern> patterns(const json& value,
                                const std::string& what) const {
    if (value.is_string())
      return {pattern(value, what)};
    if (!value.is_array())
      fail(what + " is not a list");
    std::vector<Pattern> all;
    for (const json& item : value)
      all.push_back(pattern(item, what));
    return all;
  }

  Severity severity(const std::string& word) const {
    if (word == "cause")
      return Severity::cause;
    if (word == "consequence")
      return Severity::consequence;
    if (word == "environment")
      return Severity::environment;
    if (word == "undetermined")
      return Severity::undetermined;
    fail("no such severity: " + word);
  }

  void read_context(const json& entry, Rule& rule) {
    for (const json& item : member(entry, "context", no_list)) {
      known_keys(item, {"pattern", "within", "required"});
      Context context;
      context.pattern = pattern(member(item, "pattern", no_value), "context");
      context.within = int_of(item, "within", 20);
      context.required = member(item, "required", yes) == true;
      rule.context.push_back(std::move(context));
    }
  }

  void read_block(const json& entry, Rule& rule) {
    const json& block = member(entry, "block", no_value);
    if (block.is_null())
      return;
    if (!block.is_object())
      fail("block is not an object");
    known_keys(block, {"lines", "until", "most", "item", "emit"});
    rule.has_block = true;
    rule.block.lines = patterns(member(block, "lines", no_list), "block lines");
    rule.block.until = patterns(member(block, "until", no_list), "block until");
    rule.block.most = int_of(block, "most", 0);
    rule.block.item = string_of(member(block, "item", no_text), "item");
    rule.block.emit = templates(member(block, "emit", no_object), "emit");
  }

  void read_samples(const json& entry, Rule& rule) {
    for (const json& item : member(entry, "samples", no_list)) {
      RuleSample sample;
      if (item.is_string()) {
        sample.log = item.get<std::string>();
      } else {
        if (!item.is_object())
          fail("a sample is neither text nor an object");
        known_keys(item, {"log", "params"});
        sample.log = string_of(member(item, "log", no_text), "log");
        sample.params = templates(member(item, "params", no_object), "params");
      }
      rule.samples.push_back(std::move(sample));
    }
    for (std::string& text : strings(member(entry, "not", no_list), "not"))
      rule.samples.push_back({std::move(text), false, {}});
  }

  fs::path path_;
  Macros macros_;
  json document_;
  std::string where_;
};

std::vector<fs::path> json_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code problem;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(folder, problem))
    if (entry.path().extension() == ".json")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void load_file(const fs::path& path, const Macros& macros,
               std::set<std::string>& ids, RuleSet& rules) {
  RuleFile file(path, macros);
  for (const json& entry : RuleFile::member(file.document(), "kinds", no_list))
    rules.add_kind(file.kind(entry));
  for (const json& entry :
       RuleFile::member(file.document(), "rules", no_list)) {
    Rule rule = file.rule(entry);
    // One of another folder is replaced; here it is a slip.
    if (!ids.insert(rule.id).second)
      file.fail("another rule beside it has the same id");
    rules.add_rule(std::move(rule));
  }
}

/// A folder with rules, or one file of them.
void load_place(const fs::path& folder, Macros& macros, RuleSet& rules) {
  std::set<std::string> ids;
  if (fs::is_regular_file(folder)) {
    load_file(folder, macros, ids, rules);
    return;
  }
  if (!fs::is_directory(folder))
    throw Error("reading rules", folder.string(), "no such folder");
  if (fs::exists(folder / "macros.json"))
    macros = RuleFile(folder / "macros.json", macros).macros();
  for (const fs::path& path : json_files(folder / "tables"))
    rules.add_table(path.stem().string(), RuleFile(path, {}).table());
  for (const fs::path& path : json_files(folder)) {
    if (path.filename() == "macros.json")
      continue;
    load_file(path, macros, ids, rules);
  }
}

}  // namespace

RuleSet load_rules(const std::vector<fs::path>& folders) {
  RuleSet rules;
  Macros macros;
  for (const fs::path& folder : folders)
    load_place(folder, macros, rules);
  rules.compile();
  return rules;
}

std::vector<fs::path> rule_folders(const std::vector<fs::path>& extra) {
  std::vector<fs::path> folders;
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  std::error_code problem;
  const fs::path executable = fs::read_symlink("/proc/self/exe", problem);
  std::vector<fs::path> homes;
  if (const std::string data = variable("AUTOPIN_DATA_DIR"); !data.empty())
    homes.emplace_back(fs::path(data) / "rules");
  homes.emplace_back(executable.parent_path().parent_path() / "share" /
                     "autopin" / "rules");
#ifdef AUTOPIN_SOURCE_RULES
  homes.emplace_back(AUTOPIN_SOURCE_RULES);
#endif
  for (const fs::path& home : homes)
    if (fs::is_directory(home, problem)) {
      folders.push_back(home);
      break;
    }
  std::string config = variable("XDG_CONFIG_HOME");
  if (config.empty() && !variable("HOME").empty())
    config = variable("HOME") + "/.config";
  const fs::path own = fs::path(config) / "autopin" / "rules";
  if (!config.empty() && fs::is_directory(own, problem))
    folders.push_back(own);
  folders.insert(folders.end(), extra.begin(), extra.end());
  return folders;
}

}  // namespace autopin
