#include "report/patch_log.h"

#include <array>

namespace autopin::report {

std::string_view name_of(RoundOutcome outcome) {
  constexpr std::array<std::string_view, 3> names{"failed", "green",
                                                  "check-failed"};
  return names.at(static_cast<std::size_t>(outcome));
}

std::vector<const Step*> standing_steps(const PatchLog& log) {
  std::vector<const Step*> standing;
  for (const Step& step : log.steps)
    if (step.taken_back.empty())
      standing.push_back(&step);
  return standing;
}

}  // namespace autopin::report
