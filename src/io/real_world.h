#pragma once
// The real edge, all of it: what `main` gives to everything else.

#include <utility>

#include "io/curl.h"
#include "io/disk.h"
#include "io/environment.h"
#include "io/process.h"
#include "io/system_clock.h"
#include "io/world.h"

namespace autopin {

struct RealWorld {
  explicit RealWorld(CurlOptions options) : http(std::move(options)) {}

  ProcessRunner commands;
  CurlHttpClient http;
  DiskFiles files;
  SystemClock clock;
  ProcessEnvironment environment;
  World world{commands, http, files, clock, environment};
};

}  // namespace autopin
