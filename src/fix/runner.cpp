#include "fix/runner.h"

#include <re2/re2.h>

#include <algorithm>

#include "base/text.h"
#include "fix/hooks.h"
#include "fix/place.h"
#include "python/version.h"

namespace autopin::fix {
namespace {

bool has_input(const Situation& situation, const std::string& drv,
               std::string_view name) {
  for (const auto& input : situation.store().inputs(drv, nix::Edges::build)) {
    const auto have = nix::store_name(input);
    if (have.find(name) != std::string_view::npos)
      return true;
  }
  return false;
}

/// The pattern of the last -skip among Go's flags, "" where there is none;
/// nothing where the words cannot be told apart.
std::optional<std::string> skipped_by(const std::string& flags) {
  std::string pattern;
  if (flags.find("skip") == std::string::npos)
    return pattern;
  static const RE2 plain(R"([\w\-./^$|()*+?=, ]*)");
  if (!RE2::FullMatch(flags, plain))
    return std::nullopt;
  const auto words = split(flags, ' ');
  static const RE2 joined(R"(--?skip=(.*))");
  static const RE2 apart(R"(--?skip)");
  for (std::size_t i = 0; i < words.size(); ++i)
    if (RE2::FullMatch(words[i], apart) && i + 1 < words.size())
      pattern = words[++i];
    else
      RE2::FullMatch(words[i], joined, &pattern);
  return pattern;
}

}  // namespace

Runner runner_of(const Situation& situation, const std::string& drv) {
  Runner runner;
  const auto& derivation = situation.store().derivation(drv);
  runner.python = is_python_package(situation, drv);
  const std::string phases =
      derivation.attribute("checkPhase").value_or("") +
      derivation.attribute("installCheckPhase").value_or("");
  runner.pytest_hook =
      phases.empty() && has_input(situation, drv, "pytest-check-hook");
  runner.pytest = runner.pytest_hook ||
                  phases.find("pytest") != std::string::npos ||
                  phases.find("py.test") != std::string::npos;
  for (const auto& member :
       situation.store().find_distribution(drv, "pytest", nix::Edges::build)) {
    const auto version = python::Version::parse(member.distribution.version);
    runner.deselects = version && *version >= *python::Version::parse("3.3");
  }
  // A Python package tests after it is installed: what a check phase of its
  // own does not run preCheck for can be removed before that.
  if (!phases.empty() && phases.find("runHook preCheck") == std::string::npos)
    runner.hook = runner.python ? "preInstall" : "preBuild";
  return runner;
}

std::string hook_before_tests(const Situation& situation,
                              const std::string& drv) {
  return runner_of(situation, drv).hook;
}

std::optional<DerivationChange> skip_by_flags(
    const Situation& situation, const std::string& drv,
    const std::vector<std::string>& tests, const std::string& comment) {
  static const RE2 rust(R"([A-Za-z_][\w]*(?:::[A-Za-z_]\w*)*)");
  static const RE2 go(R"((Test\w*|Example\w*|Fuzz\w*)(?:/\S*)?)");
  const auto& derivation = situation.store().derivation(drv);
  std::vector<std::string> flags;
  if (derivation.attribute("cargoCheckType") ||
      has_input(situation, drv, "cargo-check-hook")) {
    for (const auto& test : tests) {
      if (!RE2::FullMatch(test, rust))
        return std::nullopt;
      flags.push_back("--skip=" + test);
    }
  } else if (derivation.attribute("goModules") ||
             derivation.attribute("goPackagePath")) {
    // Go takes the last -skip only: one that is there must not be lost.
    std::vector<std::string> patterns;
    if (const auto there =
            skipped_by(derivation.attribute("checkFlags").value_or("")))
      patterns.push_back(*there);
    else
      return std::nullopt;
    if (patterns.front().empty())
      patterns.clear();
    for (const auto& test : tests) {
      std::string top;
      if (!RE2::FullMatch(test, go, &top))
        return std::nullopt;
      if (const std::string pattern = "^" + top + "$";
          std::find(patterns.begin(), patterns.end(), pattern) ==
          patterns.end())
        patterns.push_back(pattern);
    }
    flags.push_back("-skip=" + join(patterns, "|"));
  } else {
    return std::nullopt;
  }
  DerivationChange change;
  change.attributes.push_back(more_words("checkFlags", flags, comment));
  return change;
}

}  // namespace autopin::fix
