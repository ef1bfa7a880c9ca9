#include "cli/app_tree.h"

#include <algorithm>

namespace autopin {

std::vector<const CLI::App*> visible_commands(const CLI::App& app) {
  std::vector<const CLI::App*> out;
  for (const CLI::App* command :
       app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) {
      out.push_back(command);
    }
  }
  return out;
}

std::vector<const CLI::Option*> visible_options(const CLI::App& app) {
  std::vector<const CLI::Option*> out;
  for (const CLI::Option* option : app.get_options()) {
    const bool help = option == app.get_help_ptr();
    if (!option->get_group().empty() &&
        !(help && app.get_parent() != nullptr)) {
      out.push_back(option);
    }
  }
  return out;
}

std::vector<std::string> option_names(const CLI::Option& option) {
  std::vector<std::string> out;
  for (const std::string& name : option.get_snames()) {
    out.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    out.push_back("--" + name);
  }
  return out;
}

namespace {

/// CLI11 puts what its checks accept behind the type's name; of a choice
/// between words ("TEXT:value in {json->1,text->0} OR {1,0}") the words are
/// what a person wants to see.
std::string readable(const std::string& type_name) {
  const std::size_t colon = type_name.find(':');
  const std::size_t open = type_name.find("value in {");
  if (open == std::string::npos) {
    return type_name.substr(0, colon);
  }
  std::string words;
  std::size_t start = type_name.find('{', open) + 1;
  const std::size_t close =
      std::min(type_name.find('}', start), type_name.size());
  while (start < close) {
    const std::size_t end = std::min(type_name.find(',', start), close);
    const std::string word = type_name.substr(start, end - start);
    words += (words.empty() ? "" : "|") + word.substr(0, word.find("->"));
    start = end + 1;
  }
  return words;
}

}  // namespace

std::string option_value(const CLI::Option& option) {
  std::string value;
  if (option.get_positional()) {
    value = option.get_name(/*positional=*/true);
  } else if (option.get_items_expected_max() == 0) {
    return value;  // a flag
  } else {
    value = readable(option.get_type_name());
  }
  const bool repeats = option.get_items_expected_max() > 1;
  return repeats ? value + "..." : value;
}

}  // namespace autopin
