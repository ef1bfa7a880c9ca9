#pragma once
// The impure edge as one value: whoever needs the outside takes a World&.

#include "io/clock.h"
#include "io/command.h"
#include "io/environment.h"
#include "io/files.h"
#include "io/http.h"

namespace autopin {

struct World {
  CommandRunner& commands;
  HttpClient& http;
  Files& files;
  Clock& clock;
  Environment& environment;
};

}  // namespace autopin
