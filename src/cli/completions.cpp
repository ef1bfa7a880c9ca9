#include "cli/completions.h"

#include <fmt/format.h>

#include "base/error.h"
#include "cli/app_tree.h"

namespace autopin {
namespace {

/// All option names of `app`, and the commands below it.
std::string words_after(const CLI::App& app) {
  std::string out;
  for (const CLI::App* command : visible_commands(app)) {
    out += (out.empty() ? "" : " ") + command->get_name();
  }
  for (const CLI::Option* option : visible_options(app)) {
    for (const std::string& name : option_names(*option)) {
      out += (out.empty() ? "" : " ") + name;
    }
  }
  return out;
}

/// Completes the command, then its options, and files everywhere else: drafts,
/// logs and folders are what the other words are.
std::string bash(const CLI::App& app) {
  const std::string& name = app.get_name();
  std::string cases;
  std::string with_commands;
  for (const CLI::App* command : visible_commands(app)) {
    if (!visible_commands(*command).empty()) {
      with_commands += "|*:" + command->get_name();
    }
    cases += "    " + command->get_name() + ") words=\"" +
             words_after(*command) + "\" ;;\n";
  }
  return "# bash completion for " + name + "\n_" + name +
         "() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} command= word words\n"
         "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
         "    case $word in -*) ;; *) command=$word; break ;; esac\n"
         "  done\n"
         "  case $command in\n" +
         cases + "    '') words=\"" + words_after(app) +
         "\" ;;\n"
         "  esac\n"
         "  COMPREPLY=()\n"
         "  case $cur:$command in\n"
         "    -*|*:" +
         with_commands +
         ") COMPREPLY=($(compgen -W \"$words\" -- \"$cur\")) ;;\n"
         "  esac\n"
         "}\n"
         "complete -o default -F _" +
         name + " " + name + "\n";
}

/// A fish or zsh word in single quotes; `'` ends the quotes for a moment.
std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out + "'";
}

/// The first sentence or line of a description.
std::string brief(const std::string& description) {
  return description.substr(0, description.find('\n'));
}

std::string fish(const CLI::App& app) {
  const std::string& name = app.get_name();
  std::string out = "# fish completion for " + name + "\n";
  for (const CLI::App* command : visible_commands(app)) {
    out += "complete -c " + name + " -n __fish_use_subcommand -f -a " +
           command->get_name() + " -d " +
           single_quoted(brief(command->get_description())) + "\n";
    for (const CLI::Option* option : visible_options(*command)) {
      std::string names;
      for (const std::string& n : option->get_snames()) {
        names += " -s " + n;
      }
      for (const std::string& n : option->get_lnames()) {
        names += " -l " + n;
      }
      if (names.empty()) {
        continue;
      }
      out += fmt::format(
          "complete -c {} -n '__fish_seen_subcommand_from {}'{}{} -d {}\n",
          name, command->get_name(), names,
          option_value(*option).empty() ? "" : " -r",
          single_quoted(brief(option->get_description())));
    }
  }
  return out;
}

/// zsh runs bash's functions through its own bridge (zshcompsys(1)).
std::string zsh(const CLI::App& app) {
  return "#compdef " + app.get_name() +
         "\nautoload -U +X bashcompinit && bashcompinit\n" + bash(app);
}

}  // namespace

std::string completions(const CLI::App& app, std::string_view shell) {
  if (shell == "bash") {
    return bash(app);
  }
  if (shell == "zsh") {
    return zsh(app);
  }
  if (shell == "fish") {
    return fish(app);
  }
  throw Error("completions", shell, "the shells known are bash, zsh and fish");
}

}  // namespace autopin
