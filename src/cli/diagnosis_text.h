#pragma once
// How diagnoses look to a person on a terminal.

#include <string>
#include <string_view>
#include <vector>

#include "log/diagnosis.h"
#include "log/excerpt.h"
#include "log/ranking.h"
#include "log/rule_set.h"

namespace autopin {

/// All that there is to say about one log.
struct LogFindings {
  std::string log;   ///< What it is called: a file, "standard input", a .drv.
  std::string file;  ///< Its file, "" where it has none.
  std::string no_text;  ///< Why its bytes are no log, "" where they may be one.
  bool whole = false;   ///< It is the whole log of one derivation.
  std::vector<Diagnosis> diagnoses;
  std::vector<Excerpt> excerpts;  ///< One for each diagnosis.
  std::vector<RankingNote> notes;
  std::vector<EvidenceLine> last_lines;
};

struct TextStyle {
  bool all = false;      ///< Consequences too.
  bool explain = false;  ///< Why this rule, and why before that one.
  bool colour = false;
};

/// A part per diagnosis: what and where, the lines that prove it and those
/// around, the cause, the cure, and what `autopin build` would try.
std::string diagnoses_to_text(const RuleSet& rules, const LogFindings& findings,
                              const TextStyle& style);

/// " in NAME, PHASE" as far as they are known; not made printable.
std::string place_of(const Diagnosis& diagnosis);

/// The line of an unexplained failure that a rule could be about.
bool has_telling_line(const Diagnosis& diagnosis);

}  // namespace autopin
