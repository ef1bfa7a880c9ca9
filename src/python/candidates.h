#pragma once
// What one distribution can be: packages of the set first, then what an index
// offers for the target, best first. Private to this folder.

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "python/choices.h"
#include "python/index.h"
#include "python/package_set.h"
#include "python/resolve.h"
#include "python/tags.h"
#include "python/target.h"

namespace autopin::python {

struct Candidate {
  Version version;
  std::optional<SetPackage> from_set;
  /// Of an index: the file to build from.
  std::shared_ptr<const IndexFile> file;
  /// The cheapest file of the version to read requirements from.
  std::shared_ptr<const IndexFile> facts_file;
  bool yanked = false;
  /// Stands for all that an index would offer, before it was asked: fits
  /// everything, is liked least, and being chosen means asking.
  bool unasked = false;
};

/// A version of which no file is for the target: what its files require of
/// Python, or else which interpreters its wheels are for.
struct Refusal {
  Version version;
  std::string requires_python;
  std::string wheels_for;
};

struct CandidateList {
  std::vector<Candidate> all;
  std::vector<Refusal> refused;  ///< Highest first.
  bool known_to_index = false;
};

/// The lists of one search. Changes only by `ask_index`.
class Universe {
 public:
  Universe(PackageSet& set, Index& index, const Target& target,
           const ResolveOptions& options);

  const CandidateList& of(const std::string& name);
  void ask_index(const std::string& name);
  /// From now on `name` is that candidate and no other.
  void fix(const std::string& name, const Candidate& candidate);

  bool in_set(const std::string& name);
  /// A tool that the builder brings; see ResolveOptions.
  bool is_given(const std::string& name);
  /// The states (see Choices) that satisfy a requirement.
  const Choices& fitting(const Requirement& requirement);
  bool fits_python(const std::string& requires_python) const;

  bool looks_ahead() const { return options_.look_ahead; }
  const MarkerEnvironment& environment() const { return environment_; }
  Index& index() { return index_; }
  PackageSet& set() { return set_; }

 private:
  Choices find_fitting(const CandidateList& list,
                       const SpecifierSet& specifiers) const;
  void add_from_index(const std::string& name, CandidateList& list);
  using Files = std::vector<const IndexFile*>;
  std::optional<Candidate> choose_file(
      const std::string& name, const std::shared_ptr<const Project>& project,
      const Files& files, Refusal& why_not) const;
  std::optional<std::size_t> rank(const IndexFile& wheel) const;

  PackageSet& set_;
  Index& index_;
  const ResolveOptions& options_;
  Version python_;
  MarkerEnvironment environment_;
  std::map<Tag, std::size_t> tag_ranks_;
  // Pages repeat a few of each in hundreds of files.
  mutable std::map<std::string, bool, std::less<>> python_fits_;
  mutable std::map<std::string, std::optional<std::size_t>> ranks_;
  std::map<std::string, CandidateList> lists_;
  /// By name, then by specifiers.
  std::map<std::string, std::map<std::string, Choices>> fitting_;
  std::set<std::string> asked_;
};

}  // namespace autopin::python
