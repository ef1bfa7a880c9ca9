#include "nix/shell.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"

namespace autopin::nix {

namespace {

bool has(const Derivation& drv, const std::string& name) {
  return !drv.attribute(name).value_or("").empty();
}

bool mentions(const Derivation& drv, const std::string& name,
              std::string_view words) {
  return drv.attribute(name).value_or("").find(words) != std::string::npos;
}

}  // namespace

std::optional<std::string> shell_reason(const Derivation& drv) {
  if (drv.is_fixed())
    return std::nullopt;
  // nixpkgs pkgs/build-support/mkshell: until 2022 `phases = [ "nobuildPhase"
  // ]`, which fails; since then a buildPhase that only writes the environment
  // down.
  for (const std::string& phase : drv.list_attribute("phases")) {
    if (phase == "nobuildPhase") {
      return "its only phase is mkShell's nobuildPhase";
    }
  }
  if (mentions(drv, "buildPhase",
               "the existence of this path is not guaranteed")) {
    return "mkShell makes it";
  }
  // nix-shell -p: runCommand with an empty command, which makes no output.
  const auto command = drv.attribute("buildCommand");
  if (command && trim(*command).empty() && !has(drv, "buildCommandPath")) {
    return "its build command is empty, as nix-shell -p makes it";
  }
  // python.withPackages(…).env, haskell's .env and their like.
  if (command && mentions(drv, "buildCommand", "nix-shell") &&
      mentions(drv, "buildCommand", "exit 1")) {
    return "its build command says that it is for nix-shell";
  }
  // mkDerivation with inputs and a hook but nothing to build: stdenv's
  // unpackPhase stops where there is neither $src nor $srcs.
  const bool generic = has(drv, "stdenv") && !command;
  const bool own_phases = has(drv, "phases") || has(drv, "unpackPhase") ||
                          has(drv, "dontUnpack") || has(drv, "src") ||
                          has(drv, "srcs") || has(drv, "buildCommandPath") ||
                          has(drv, "genericBuild");
  const bool stdenv_builder =
      !drv.args.empty() && drv.args.front() == "-e" &&
      std::any_of(drv.args.begin(), drv.args.end(), [](const std::string& arg) {
        const auto name = store_name(arg);
        return name == "default-builder.sh" || name == "source-stdenv.sh";
      });
  if (generic && !own_phases && stdenv_builder) {
    return "it has neither a source nor phases of its own";
  }
  return std::nullopt;
}

std::vector<std::string> shell_inputs(const Derivation& drv) {
  std::vector<std::string> targets;
  for (const auto& [input, outputs] : drv.input_drvs) {
    for (const std::string& output : outputs) {
      targets.push_back(input + "!" + output);
    }
  }
  return targets;
}

bool asks_for_nix_shell(const Draft& draft) {
  const std::vector<std::filesystem::path> files = draft.files();
  return std::any_of(files.begin(), files.end(), [&](const auto& file) {
    const std::string& text = draft.text(file);
    return text.find("inNixShell") != std::string::npos ||
           text.find("IN_NIX_SHELL") != std::string::npos;
  });
}

std::string shell_draft(const std::vector<std::string>& packages) {
  std::string text =
      "with import <nixpkgs> { };\n"
      "(pkgs.runCommandCC or pkgs.runCommand) \"shell\" {\n"
      "  buildInputs = [\n";
  for (const std::string& package : packages) {
    // A package that ends in a comment must not swallow the parenthesis.
    const bool comment = package.find('#') != std::string::npos;
    text += "    (" + package + (comment ? "\n    )\n" : ")\n");
  }
  return text + "  ];\n} \"\"\n";
}

}  // namespace autopin::nix
