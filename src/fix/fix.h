#pragma once
// A fix turns a failure into proposals: edits of the draft, each with what it
// costs and how to see, in the derivation that comes out, that it acted. The
// loop tries them in order; a fix that has none says why.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/risk.h"
#include "fix/place.h"
#include "fix/situation.h"

namespace autopin::fix {

/// Where a version or hash came from.
struct Source {
  std::string index;
  std::string file;
  std::string hash;
};

/// Looks at the state after the edit; says what is wrong with it, or nothing.
using Check = std::function<std::optional<std::string>(const Situation& after)>;

struct Proposal {
  std::string fix;
  Risk risk = Risk::exact;
  std::string summary;  ///< "pin html5lib to 0.9999999"
  std::string why;      ///< What asked for it.
  std::string where;    ///< "in the package set", "at the override": the place.
  FileEdits edits;
  Check check;
  std::vector<Source> sources;
  std::vector<std::string> weakens;

  /// Tells proposals for one failure apart.
  std::string id() const { return fix + ": " + summary + " " + where; }
};

/// Why a fix has nothing to propose.
struct WhyNot {
  std::string fix;
  std::string why;
  /// A person must decide; `why` ends with how to say so.
  bool refused = false;
};

struct Offer {
  std::vector<Proposal> proposals;  ///< Mildest first.
  std::vector<WhyNot> why_not;
  void add(Offer other);
};

/// An offer of nothing, and why.
Offer not_offered(std::string_view fix, std::string why, bool refused = false);

/// The user's word on things that a machine must not decide.
struct Permissions {
  bool accept_changed_hash = false;
};

struct Fix {
  std::string_view name;
  Offer (*propose)(const Failure& failure, const Situation& situation,
                   const Permissions& permissions);
  /// The flag by which a person must allow it, and when; "" where none must.
  std::string_view word = {};
};

/// All fixes there are; rules name them.
const std::vector<Fix>& all_fixes();
const Fix* find_fix(std::string_view name);

/// Everything that the diagnosis's fixes propose, in the rule's order.
Offer offer_for(const Failure& failure, const Situation& situation,
                const Permissions& permissions);

/// One-line comment for inserted text: "REASON (autopin step N)".
std::string comment_for(const Failure& failure, std::string_view reason);

/// Proposals that say `change` of `drv` at each place where that can be said:
/// in the draft's own call or override; around its references; in the package
/// set. `draft` gives all but where and edits.
std::vector<Proposal> place_change(const Situation& situation,
                                   const std::string& drv,
                                   const DerivationChange& change,
                                   const Proposal& draft);

/// The derivation in the closure of `after` that stands for `drv` of `before`:
/// same distribution, changed. Nothing where `drv` itself is still in it.
std::optional<std::string> successor_of(const Situation& before,
                                        const std::string& drv,
                                        const Situation& after);

/// Checks for a change of `drv`: it is replaced, and what replaces it fulfils
/// `holds` (its why-not, or nothing).
Check check_successor(const Situation& before, const std::string& drv,
                      std::function<std::optional<std::string>(
                          const Situation& after, const std::string& successor)>
                          holds);

}  // namespace autopin::fix
