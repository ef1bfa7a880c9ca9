#pragma once
// A rule that matched, before the whole log is known: what the log's later
// parts say (which build failed, what was a repetition) decides what it is
// worth. The collector makes findings, the ranking turns them into diagnoses.

#include <string>
#include <vector>

#include "log/diagnosis.h"
#include "log/log_reader.h"
#include "log/rule.h"

namespace autopin {

struct Finding {
  const Rule* rule = nullptr;
  Params params;
  std::size_t stream = 0;
  std::string derivation;  ///< As the match itself named it, or "".
  std::string phase;
  std::vector<EvidenceLine> lines;
  long number = 0;  ///< Of the trigger line.
  Origin origin = Origin::builder;
  /// A later phase of the same build began, so this did not stop it.
  bool superseded = false;
};

}  // namespace autopin
