#pragma once
// Which derivation a line belongs to is often said only later, by the message
// that a build failed: prefixes lack version and hash, and without prefixes the
// lines of parallel builders are not told apart at all.

#include <string>
#include <vector>

#include "log/finding.h"
#include "log/log_reader.h"

namespace autopin {

class Attribution {
 public:
  Attribution(const LogReader& reader, const std::vector<Outcome>& outcomes);

  /// The derivation of a finding, "" where the log does not say.
  std::string derivation_of(const Finding& finding) const;

  /// Nix said that this one's own build failed.
  bool failed(const std::string& derivation) const;
  bool any_failed() const { return !failed_.empty(); }
  /// Whether the finding's own stream is known to have ended well: another
  /// build failed, or internal-json stopped the activity without an error.
  bool ended_well(const Finding& finding, const std::string& derivation) const;

  /// Own failures, each derivation once, in order.
  const std::vector<Outcome>& failures() const { return failed_; }
  /// What failed for a dependency that the log need not name; the first of
  /// these stands nearest to it.
  const std::vector<Outcome>& dependents() const { return dependents_; }

 private:
  const Outcome* by_name(const std::string& label) const;
  /// The one build that began and has `label` for a prefix; `label` where there
  /// is none or more than one.
  std::string started(const std::string& label) const;

  const LogReader& reader_;
  std::vector<Outcome> failed_;
  std::vector<Outcome> dependents_;
};

}  // namespace autopin
