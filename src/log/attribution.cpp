#include "log/attribution.h"

#include <algorithm>
#include <cctype>

#include "base/derivation_name.h"
#include "log/clean.h"

namespace autopin {

namespace {

bool is_store_path(std::string_view label) {
  return label.find('/') != std::string_view::npos;
}

/// `-L` prints a name without its version: DrvName cuts at the first dash that
/// no letter follows (libstore/names.cc).
bool is_prefix_of(std::string_view label, std::string_view name) {
  return name.size() > label.size() && name.substr(0, label.size()) == label &&
         name[label.size()] == '-' &&
         (name.size() == label.size() + 1 ||
          std::isalpha(static_cast<unsigned char>(name[label.size() + 1])) ==
              0);
}

/// nix-output-monitor prints pname: "requests" of "python3.11-requests-2.31".
bool is_part_of(std::string_view label, std::string_view name) {
  const std::size_t at = name.find("-" + std::string(label));
  return at != std::string_view::npos &&
         (at + 1 + label.size() == name.size() ||
          is_prefix_of(label, name.substr(at + 1)));
}

/// A builder that failed by itself printed why; a wrong hash or a missing
/// output is Nix's own finding, and lines before it are of other builders.
bool has_words_of_its_own(const Outcome& outcome) {
  return outcome.text.find("hash ") == std::string::npos &&
         outcome.text.find("failed to produce output") == std::string::npos;
}

}  // namespace

Attribution::Attribution(const LogReader& reader,
                         const std::vector<Outcome>& outcomes)
    : reader_(reader) {
  for (const Outcome& outcome : outcomes) {
    if (outcome.kind == Outcome::Kind::dependency_failed)
      dependents_.push_back(outcome);
    else if (!failed(outcome.derivation))
      failed_.push_back(outcome);
  }
}

bool Attribution::failed(const std::string& derivation) const {
  const std::string_view name = derivation_name(derivation);
  return std::any_of(
      failed_.begin(), failed_.end(), [&](const Outcome& outcome) {
        return outcome.derivation == derivation ||
               // The output path stands for its .drv and the other way round.
               (derivation_name(outcome.derivation) == name &&
                (outcome.derivation.size() < 4 ||
                 outcome.derivation.substr(outcome.derivation.size() - 4) !=
                     (derivation.size() < 4
                          ? derivation
                          : derivation.substr(derivation.size() - 4))));
      });
}

const Outcome* Attribution::by_name(const std::string& label) const {
  const std::string_view name = derivation_name(label);
  const auto exact = std::find_if(
      failed_.begin(), failed_.end(),
      [&](const Outcome& outcome) { return outcome.derivation == label; });
  if (exact != failed_.end())
    return &*exact;
  const auto same =
      std::find_if(failed_.begin(), failed_.end(), [&](const Outcome& outcome) {
        return derivation_name(outcome.derivation) == name;
      });
  if (same != failed_.end())
    return &*same;
  if (is_store_path(label))
    return nullptr;
  const auto begins =
      std::find_if(failed_.begin(), failed_.end(), [&](const Outcome& outcome) {
        return is_prefix_of(name, derivation_name(outcome.derivation));
      });
  if (begins != failed_.end())
    return &*begins;
  const auto part = [&](const Outcome& outcome) {
    return is_part_of(name, derivation_name(outcome.derivation));
  };
  const auto only = std::find_if(failed_.begin(), failed_.end(), part);
  return std::count_if(failed_.begin(), failed_.end(), part) == 1 ? &*only
                                                                  : nullptr;
}

std::string Attribution::started(const std::string& label) const {
  const std::string* found = nullptr;
  for (std::size_t i = 0; i < reader_.stream_count(); ++i) {
    const std::string& path = reader_.stream(i).label;
    if (!is_store_path(path) || !is_prefix_of(label, derivation_name(path)))
      continue;
    if (found != nullptr && *found != path)
      return label;
    found = &path;
  }
  return found == nullptr ? label : *found;
}

std::string Attribution::derivation_of(const Finding& finding) const {
  if (!finding.derivation.empty())
    return finding.derivation;
  if (finding.origin == Origin::nix) {
    // Nix's own words about a failure say whose it is.
    const auto said = std::find_if(failed_.begin(), failed_.end(),
                                   [&](const Outcome& outcome) {
                                     return outcome.number == finding.number;
                                   });
    if (said != failed_.end())
      return said->derivation;
  }
  const LogStream& stream = reader_.stream(finding.stream);
  if (stream.exclusive) {
    const Outcome* outcome = by_name(stream.label);
    return outcome != nullptr ? outcome->derivation : started(stream.label);
  }
  // Unprefixed text, perhaps of parallel builds: the failure reported next.
  const auto next =
      std::find_if(failed_.begin(), failed_.end(), [&](const Outcome& outcome) {
        return outcome.number >= finding.number &&
               has_words_of_its_own(outcome);
      });
  if (next != failed_.end())
    return next->derivation;
  const Outcome* outcome =
      stream.label.empty() ? nullptr : by_name(stream.label);
  return outcome != nullptr ? outcome->derivation : stream.label;
}

bool Attribution::ended_well(const Finding& finding,
                             const std::string& derivation) const {
  const LogStream& stream = reader_.stream(finding.stream);
  if (failed(derivation))
    return false;
  if (stream.stopped)
    return true;
  return stream.exclusive && finding.origin == Origin::builder && any_failed();
}

}  // namespace autopin
