#pragma once
// --format, the same on every command that has it.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/text.h"

namespace autopin {

/// Adds `--format A|B|C` with a word for each format, the default first, and
/// `--json` beside it where one of them is called so. `format` must outlive the
/// parsing.
template <class Format>
void add_format_option(CLI::App& command, Format& format,
                       std::vector<std::pair<std::string, Format>> formats) {
  std::vector<std::string> words;
  for (const auto& [word, one] : formats)
    words.push_back(word);
  command
      .add_option_function<std::string>(
          "--format",
          [&format, formats, words](const std::string& given) {
            for (const auto& [word, one] : formats)
              if (word == given) {
                format = one;
                return;
              }
            throw CLI::ValidationError(
                "--format", given + " is none of " + join(words, ", "));
          },
          "How to print the answer")
      ->type_name(join(words, "|"));
  for (const auto& [word, one] : formats)
    if (word == "json")
      command.add_flag_callback(
          "--json", [&format, json = one] { format = json; },
          "Same as --format json");
}

}  // namespace autopin
