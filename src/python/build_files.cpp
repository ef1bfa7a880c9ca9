// setup.cfg, pyproject.toml and requirements.txt: as much of INI and TOML as
// their requirement lists use.

#include <utility>

#include "base/text.h"
#include "python/requirement.h"
#include "python/scan.h"
#include "python/setup_py.h"

namespace autopin::python {

namespace {

using List = DeclaredRequirements::List;

/// configparser's form: "key = value" and lines indented under it.
using Sections = std::map<std::string, std::map<std::string, std::string>>;

Sections read_ini(std::string_view text) {
  Sections out;
  std::string section;
  std::string* value = nullptr;
  for (const std::string_view raw : lines_of(text)) {
    const std::string_view line = trim(raw);
    if (line.empty() || line.front() == '#' || line.front() == ';')
      continue;
    if (is_space(raw.front()) && value != nullptr) {
      *value += '\n' + std::string(line);
      continue;
    }
    value = nullptr;
    if (line.front() == '[' && line.back() == ']') {
      section = line.substr(1, line.size() - 2);
      continue;
    }
    const std::size_t equals = line.find_first_of("=:");
    if (equals == std::string_view::npos)
      continue;
    std::string key = to_lower(trim(line.substr(0, equals)));
    key = replace_all(std::move(key), "-", "_");
    value = &out[section][key];
    *value = trim(line.substr(equals + 1));
  }
  return out;
}

/// setuptools's "list-semi": one a line, or separated by ";" on one line.
List read_list(const std::string& value) {
  List out;
  const bool has_lines = value.find('\n') != std::string::npos;
  for (const std::string& entry : split(value, has_lines ? '\n' : ';')) {
    const std::string_view text = trim(entry);
    if (!text.empty() && text.front() != '#')
      out.emplace_back(text);
  }
  return out;
}

/// As much of TOML 1.0 as [build-system] and [project] are written in: tables,
/// strings, arrays of strings, inline tables of such arrays. Other values are
/// passed over.
class Toml {
 public:
  struct Value {
    std::optional<std::string> text;
    std::optional<List> list;
  };
  using Table = std::map<std::string, Value>;

  explicit Toml(std::string_view text) : in_(text) {}

  std::map<std::string, Table> read() {
    while (!in_.at_end()) {
      skip_space();
      if (in_.at_end())
        break;
      if (in_.peek() == '[')
        read_header();
      else
        read_pair();
    }
    return std::move(out_);
  }

 private:
  void skip_line() {
    in_.take_while([](char c) { return c != '\n'; });
  }

  void skip_space() {
    while (true) {
      in_.take_while(is_space);
      if (in_.peek() != '#')
        return;
      skip_line();
    }
  }

  void read_header() {
    in_.take('[');
    in_.take('[');
    table_ = read_key();
    skip_line();
  }

  /// Dotted keys are joined by dots, quotes taken away.
  std::string read_key() {
    std::string out;
    while (!in_.at_end()) {
      in_.skip_blanks();
      const char c = in_.peek();
      if (c == '"' || c == '\'')
        out += read_string();
      else if (is_alphanumeric(c) || c == '-' || c == '_' || c == '.')
        out += in_.take_while([](char b) {
          return is_alphanumeric(b) || b == '-' || b == '_' || b == '.';
        });
      else
        break;
    }
    return out;
  }

  void read_pair() {
    const std::string key = read_key();
    in_.skip_blanks();
    if (!in_.take('='))
      return skip_line();
    in_.skip_blanks();
    store(table_, key);
    skip_line();
  }

  void store(const std::string& table, const std::string& key) {
    const std::size_t dot = key.rfind('.');
    if (dot != std::string::npos)
      return store(table + '.' + key.substr(0, dot), key.substr(dot + 1));
    const char c = in_.peek();
    if (c == '"' || c == '\'')
      out_[table][key].text = read_string();
    else if (c == '[')
      out_[table][key].list = read_array();
    else if (c == '{')
      read_inline_table(table + '.' + key);
  }

  void read_inline_table(const std::string& table) {
    if (++depth_ > 50)
      return;
    in_.take('{');
    while (!in_.at_end()) {
      skip_space();
      if (in_.take('}'))
        break;
      const std::string key = read_key();
      in_.skip_blanks();
      if (!in_.take('='))
        break;
      in_.skip_blanks();
      store(table, key);
      in_.take_while([](char b) { return b != ',' && b != '}' && b != '\n'; });
      in_.take(',');
    }
    --depth_;
  }

  List read_array() {
    List out;
    in_.take('[');
    while (!in_.at_end()) {
      skip_space();
      if (in_.take(']'))
        break;
      const char c = in_.peek();
      if (c == '"' || c == '\'')
        out.push_back(read_string());
      else
        in_.advance(1);
    }
    return out;
  }

  std::string read_string() {
    const char quote = in_.peek();
    const std::string triple(3, quote);
    const bool is_triple = in_.take_text(triple);
    if (!is_triple)
      in_.advance(1);
    std::string out;
    while (!in_.at_end()) {
      if (is_triple ? in_.take_text(triple) : in_.take(quote))
        break;
      char c = in_.peek();
      in_.advance(1);
      if (c == '\\' && quote == '"' && !in_.at_end()) {
        c = in_.peek();
        in_.advance(1);
        if (c == 'n')
          c = '\n';
        if (c == 't')
          c = '\t';
      } else if (c == '\n' && !is_triple) {
        break;
      }
      out += c;
    }
    return out;
  }

  Scanner in_;
  std::string table_;
  int depth_ = 0;
  std::map<std::string, Table> out_;
};

}  // namespace

DeclaredRequirements read_setup_cfg(std::string_view text) {
  DeclaredRequirements out;
  Sections sections = read_ini(text);
  auto& options = sections["options"];
  const auto take = [&](const char* key, std::optional<List>& target) {
    const auto found = options.find(key);
    if (found == options.end())
      return;
    // "file: requirements.txt" is read by setuptools when it runs.
    if (trim(found->second).substr(0, 5) == "file:")
      out.opaque.emplace_back(key);
    else
      target = read_list(found->second);
  };
  take("install_requires", out.install_requires);
  take("setup_requires", out.setup_requires);
  take("tests_require", out.tests_require);
  if (const auto found = options.find("python_requires");
      found != options.end())
    out.python_requires = found->second;
  if (const auto extras = sections.find("options.extras_require");
      extras != sections.end()) {
    auto& target = out.extras_require.emplace();
    for (const auto& [name, value] : extras->second)
      target[name] = read_list(value);
  }
  return out;
}

DeclaredRequirements read_pyproject(std::string_view text) {
  DeclaredRequirements out;
  auto tables = Toml(text).read();
  out.build_requires = tables["build-system"]["requires"].list;
  auto& project = tables["project"];
  out.install_requires = project["dependencies"].list;
  out.python_requires = project["requires-python"].text.value_or("");
  if (const auto extras = tables.find("project.optional-dependencies");
      extras != tables.end()) {
    auto& target = out.extras_require.emplace();
    for (const auto& [name, value] : extras->second)
      target[name] = value.list.value_or(List{});
  }
  for (const std::string& field : project["dynamic"].list.value_or(List{})) {
    if (field == "dependencies")
      out.opaque.emplace_back("install_requires");
    if (field == "optional-dependencies")
      out.opaque.emplace_back("extras_require");
  }
  return out;
}

List read_requirements_txt(std::string_view text) {
  List out;
  for (const std::string_view raw : lines_of(text)) {
    std::string line(trim(raw));
    // pip: a comment starts at the line's start or behind white space.
    if (const std::size_t hash = line.find(" #"); hash != std::string::npos)
      line = trim(line.substr(0, hash));
    if (const std::size_t option = line.find(" --");
        option != std::string::npos)
      line = trim(line.substr(0, option));
    if (line.empty() || line.front() == '#' || line.front() == '-')
      continue;
    if (Requirement::parse(line))
      out.push_back(line);
  }
  return out;
}

}  // namespace autopin::python
