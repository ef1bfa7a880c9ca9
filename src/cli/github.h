#pragma once
// Diagnoses as workflow commands, which GitHub shows beside a pull request's
// changes.

#include <filesystem>
#include <string>

#include "cli/diagnosis_text.h"

namespace autopin {

/// An `::error …` line for each diagnosis, with all of it in the message;
/// consequences as notices, where `all` asks for them. `folder` is where the
/// checkout is: a file in it is named relative to it, as GitHub wants it.
std::string github_annotations(const LogFindings& findings, bool all,
                               const std::filesystem::path& folder);

}  // namespace autopin
