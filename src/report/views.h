#pragma once
// What people read of a patch log. All are functions of the log alone, so that
// `autopin report` can make them again; all treat what logs say as hostile.

#include <string>
#include <utility>
#include <vector>

#include "report/patch_log.h"

namespace autopin::report {

/// {"0001-pin-html5lib.patch", text} for each step that stands; each applies
/// with `git apply` after those before it.
std::vector<std::pair<std::string, std::string>> patches(const PatchLog& log);

/// Good as the text of a pull request.
std::string to_markdown(const PatchLog& log);

/// One file without a reference to another, light and dark.
std::string to_html(const PatchLog& log);

/// A few lines for the terminal at the end of a run.
std::string summary(const PatchLog& log);

}  // namespace autopin::report
