#pragma once
// The world as it is: processes, HTTP, disk, clock, environment.

#include <cstdlib>

#include "io/curl.h"
#include "io/disk.h"
#include "io/process.h"
#include "io/system_clock.h"
#include "io/world.h"

namespace autopin {

class RealWorld {
 public:
  RealWorld()
      : http_(http_options()),
        world_{commands_, http_, files_, clock_, environment_} {}
  World& world() { return world_; }
  DiskFiles& files() { return files_; }

 private:
  static CurlOptions http_options() {
    CurlOptions options;
    options.user_agent = "autopin/" AUTOPIN_VERSION;
    // libcurl reads it; it passes through no tape.
    if (const char* netrc = std::getenv("NETRC"))
      options.netrc = netrc;
    else if (const char* home = std::getenv("HOME"))
      options.netrc = std::filesystem::path(home) / ".netrc";
    return options;
  }

  ProcessRunner commands_;
  CurlHttpClient http_;
  DiskFiles files_;
  SystemClock clock_;
  ProcessEnvironment environment_;
  World world_;
};

}  // namespace autopin
