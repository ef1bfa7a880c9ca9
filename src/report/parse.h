#pragma once
// The way back from log.json to the values; see json.h for the way there. They
// throw nlohmann's exceptions: from_json() and recover() turn those into Error.

#include "report/json.h"

namespace autopin::report {

Round round_from(const Json& json);
Step step_from(const Json& json);
PatchLog log_from(const Json& json);

}  // namespace autopin::report
