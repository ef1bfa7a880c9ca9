#pragma once
// What a log says went wrong: the value that everything after the log works on.

#include <map>
#include <string>
#include <vector>

namespace autopin {

struct EvidenceLine {
  long number = 0;  ///< 1-based, in the log that was read.
  std::string text;
};

/// Where a diagnosis stands among the others of one log.
enum class Severity {
  cause,        ///< What should be fixed.
  consequence,  ///< Explained by a cause; shown, never fixed.
  environment,  ///< The machine, not the draft: stops the loop.
  undetermined  ///< The log does not hold the cause.
};

/// A param is a list of strings; most have one. Names and meaning per kind are
/// documented in rules/README.md.
using Params = std::map<std::string, std::vector<std::string>>;

struct Diagnosis {
  std::string kind;  ///< Stable kebab-case word.
  Params params;
  std::string
      derivation;     ///< .drv (or output) path as the log names it, or "".
  std::string phase;  ///< "installPhase", …; "" where the log does not say.
  std::vector<EvidenceLine> lines;
  std::string rule;
  Severity severity = Severity::cause;
  std::vector<std::string> fixes;  ///< Ordered, mildest first.
  std::string why;                 ///< One sentence: the cause, for a person.
  std::string cure;                ///< One sentence: what a person would do.

  /// The first value of a param, "" where it is absent.
  std::string param(const std::string& name) const {
    const auto found = params.find(name);
    return found == params.end() || found->second.empty() ? std::string()
                                                          : found->second[0];
  }
};

}  // namespace autopin
