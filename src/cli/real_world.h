#pragma once
// The world as it is: processes, HTTP, disk, clock, environment.

#include <cstdlib>

#include "cli/network_options.h"
#include "io/curl.h"
#include "io/disk.h"
#include "io/http_cache.h"
#include "io/process.h"
#include "io/system_clock.h"
#include "io/world.h"

namespace autopin {

class RealWorld {
 public:
  explicit RealWorld(const NetworkOptions& network = {})
      : curl_(curl_options()),
        http_(curl_, clock_, cache_options(network)),
        world_{commands_, http_, files_, clock_, environment_} {}
  World& world() { return world_; }
  DiskFiles& files() { return files_; }

 private:
  static CurlOptions curl_options() {
    CurlOptions options;
    options.user_agent = "autopin/" AUTOPIN_VERSION;
    // libcurl reads it; it passes through no tape.
    if (const char* netrc = std::getenv("NETRC"))
      options.netrc = netrc;
    else if (const char* home = std::getenv("HOME"))
      options.netrc = std::filesystem::path(home) / ".netrc";
    return options;
  }

  static HttpCacheOptions cache_options(const NetworkOptions& network) {
    HttpCacheOptions options;
    options.offline = network.offline;
    if (!network.no_cache)
      options.folder = http_cache_folder();
    return options;
  }

  ProcessRunner commands_;
  SystemClock clock_;
  CurlHttpClient curl_;
  CachingHttpClient http_;
  DiskFiles files_;
  ProcessEnvironment environment_;
  World world_;
};

}  // namespace autopin
