// Which indexes are asked: the command line, then pip's environment, then its
// configuration files, then the index found when autopin was built, then pip.

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "python/index.h"
#include "python/scan.h"

namespace autopin::python {

namespace {

using Settings = std::map<std::string, std::string>;

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> out;
  std::string word;
  for (const char c : text + ' ') {
    if (!is_space(c))
      word += c;
    else if (!word.empty())
      out.push_back(std::exchange(word, {}));
  }
  return out;
}

/// The sections that count for looking packages up, weaker first; pip's
/// "install" and "download" commands have one each.
bool is_ours(std::string_view section) {
  return section == "global" || section == "download" || section == "install";
}

void read_config(std::string_view text, Settings& out) {
  std::string section;
  std::string key;
  for (const std::string_view raw : lines_of(text)) {
    const std::string_view line = trim(raw);
    if (line.empty() || line.front() == '#' || line.front() == ';')
      continue;
    if (line.front() == '[' && line.back() == ']') {
      section = line.substr(1, line.size() - 2);
      key.clear();
    } else if (is_space(raw.front()) && !key.empty()) {
      if (is_ours(section))
        out[key] += '\n' + std::string(line);
    } else if (const std::size_t equals = line.find_first_of("=:");
               equals != std::string_view::npos) {
      key = replace_all(to_lower(trim(line.substr(0, equals))), "_", "-");
      if (is_ours(section))
        out[key] = trim(line.substr(equals + 1));
    }
  }
}

/// pip's documentation, "Configuration": global, then user, then site, then
/// $PIP_CONFIG_FILE, later ones winning.
std::vector<std::string> config_files(World& world) {
  const auto env = [&world](const char* name) {
    return world.environment.get(name).value_or("");
  };
  const std::string chosen = env("PIP_CONFIG_FILE");
  // pip: the null device switches all configuration files off.
  if (chosen == "/dev/null")
    return {};
  std::vector<std::string> out;
  for (const std::string& folder : split(
           world.environment.get("XDG_CONFIG_DIRS").value_or("/etc/xdg"), ':'))
    out.push_back(folder + "/pip/pip.conf");
  out.emplace_back("/etc/pip.conf");
  const std::string home = env("HOME");
  if (!home.empty())
    out.push_back(home + "/.pip/pip.conf");
  const std::string config = env("XDG_CONFIG_HOME");
  if (!config.empty())
    out.push_back(config + "/pip/pip.conf");
  else if (!home.empty())
    out.push_back(home + "/.config/pip/pip.conf");
  if (const std::string venv = env("VIRTUAL_ENV"); !venv.empty())
    out.push_back(venv + "/pip.conf");
  if (!chosen.empty())
    out.push_back(chosen);
  return out;
}

Settings pip_settings(World& world) {
  Settings out;
  for (const std::string& path : config_files(world)) {
    if (const auto text = world.files.read(path))
      read_config(*text, out);
  }
  for (const auto& [key, variable] :
       {std::pair("index-url", "PIP_INDEX_URL"),
        std::pair("extra-index-url", "PIP_EXTRA_INDEX_URL"),
        std::pair("find-links", "PIP_FIND_LINKS"),
        std::pair("no-index", "PIP_NO_INDEX")}) {
    const auto value = world.environment.get(variable);
    if (value && !value->empty())
      out[key] = *value;
  }
  return out;
}

bool is_true(const std::string& text) {
  const std::string word = to_lower(trim(text));
  return word == "1" || word == "true" || word == "yes" || word == "on" ||
         word == "y" || word == "t";
}

std::string default_index(World& world) {
#ifdef AUTOPIN_DEFAULT_INDEX
  if (std::string built_in = AUTOPIN_DEFAULT_INDEX; !built_in.empty())
    return built_in;
#endif
  Command command;
  command.argv = {"python3", "-c",
                  "from pip._internal.models.index import PyPI; "
                  "print(PyPI.simple_url)"};
  const CommandResult result = world.commands.run(command);
  std::string url(trim(result.out));
  if (result.exit_code != 0 || url.find("://") == std::string::npos)
    throw Error("find a package index", "python3",
                "no index is configured and pip does not name one; pass "
                "--index-url");
  return url;
}

void append(const std::vector<std::string>& from,
            std::vector<std::string>& to) {
  for (const std::string& url : from) {
    if (std::find(to.begin(), to.end(), url) == to.end())
      to.push_back(url);
  }
}

}  // namespace

IndexOptions find_index_options(World& world,
                                const std::optional<std::string>& index_url,
                                const std::vector<std::string>& extra,
                                const std::vector<std::string>& links) {
  IndexOptions out;
  Settings settings;
  if (index_url)
    out.index_urls.push_back(*index_url);
  else
    settings = pip_settings(world);
  if (!index_url && !is_true(settings["no-index"])) {
    append(words_of(settings["index-url"]), out.index_urls);
    if (out.index_urls.empty())
      out.index_urls.push_back(default_index(world));
    append(words_of(settings["extra-index-url"]), out.index_urls);
  }
  append(extra, out.index_urls);
  append(links, out.find_links);
  append(words_of(settings["find-links"]), out.find_links);
  return out;
}

}  // namespace autopin::python
