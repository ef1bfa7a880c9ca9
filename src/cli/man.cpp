#include "cli/man.h"

#include <algorithm>
#include <cctype>

#include "cli/app_tree.h"

namespace autopin {
namespace {

/// Text that roff prints as it is: a backslash starts an escape, a dot or quote
/// at the start of a line a request, and an unescaped hyphen may be typeset as
/// a dash, which nobody could paste into a shell (man-pages(7)).
std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if ((out.empty() || out.back() == '\n') && (c == '.' || c == '\'')) {
      out += "\\&";
    }
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

/// An argument of a macro: in quotes, and with the quotes inside doubled.
std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : escape(text)) {
    out += c == '"' ? "\"\"" : std::string(1, c);
  }
  return out + '"';
}

/// Paragraphs are separated by .PP where the text has an empty line.
std::string paragraphs(std::string_view text) {
  std::string out;
  std::string escaped = escape(text);
  size_t start = 0;
  while (start < escaped.size()) {
    size_t end = std::min(escaped.find("\n\n", start), escaped.size());
    if (start != 0) {
      out += ".PP\n";
    }
    out += escaped.substr(start, end - start) + "\n";
    start = std::min(escaped.find_first_not_of('\n', end), escaped.size());
  }
  return out;
}

std::string term(const CLI::Option& option) {
  std::string out;
  for (const std::string& name : option_names(option)) {
    out += (out.empty() ? "\\fB" : ", \\fB") + escape(name) + "\\fR";
  }
  const std::string value = option_value(option);
  if (!value.empty()) {
    out += (out.empty() ? "\\fI" : " \\fI") + escape(value) + "\\fR";
  }
  return out;
}

std::string option_list(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* option : visible_options(app)) {
    out += ".TP\n" + term(*option) + "\n" + escape(option->get_description()) +
           "\n";
  }
  return out;
}

std::string synopsis(const CLI::App& app, const std::string& words) {
  std::string options;
  std::string positionals;
  for (const CLI::Option* option : visible_options(app)) {
    const std::string name = "\\fI" + escape(option_value(*option)) + "\\fR";
    if (!option_names(*option).empty()) {
      options = "[\\fIOPTION\\fR...]\n";
    } else {
      positionals += option->get_required() ? name + "\n" : "[" + name + "]\n";
    }
  }
  return ".B " + escape(words) + "\n" + options + positionals;
}

/// A command, or where it only has commands of its own, those.
template <typename Visit>
void each_command(const CLI::App& app, const std::string& prefix,
                  const Visit& visit) {
  for (const CLI::App* command : visible_commands(app)) {
    const std::string name = prefix + command->get_name();
    if (visible_commands(*command).empty()) {
      visit(*command, name);
    } else {
      each_command(*command, name + " ", visit);
    }
  }
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(std::toupper(c));
  });
  return text;
}

}  // namespace

std::string man_page(const CLI::App& app, std::string_view version,
                     const std::vector<ManSection>& sections) {
  const std::string& name = app.get_name();
  const std::string& about = app.get_description();
  std::string out = ".TH " + in_quotes(upper(name)) + " 1 \"\" " +
                    in_quotes(name + " " + std::string(version)) + "\n";
  const size_t first_line = std::min(about.find('\n'), about.size());
  out += ".SH NAME\n" + escape(name) + " \\- " +
         escape(about.substr(0, first_line)) + "\n";

  out += ".SH SYNOPSIS\n";
  each_command(app, "", [&](const CLI::App& command, const std::string& words) {
    out += synopsis(command, name + " " + words) + ".br\n";
  });
  const size_t rest = about.find_first_not_of('\n', first_line);
  if (rest != std::string::npos) {
    out += ".SH DESCRIPTION\n" + paragraphs(about.substr(rest));
  }

  out += ".SH COMMANDS\n";
  each_command(app, "", [&](const CLI::App& command, const std::string& words) {
    out += ".SS " + in_quotes(words) + "\n" +
           paragraphs(command.get_description()) + option_list(command);
    if (!command.get_footer().empty()) {
      out += ".PP\n" + paragraphs(command.get_footer());
    }
  });
  out += ".SH OPTIONS\n" + option_list(app);
  for (const ManSection& section : sections) {
    out += ".SH " + in_quotes(upper(section.title)) + "\n";
    for (const auto& [what, why] : section.entries) {
      out += ".TP\n\\fB" + escape(what) + "\\fR\n" + escape(why) + "\n";
    }
  }
  return out;
}

}  // namespace autopin
