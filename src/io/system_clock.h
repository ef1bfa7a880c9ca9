#pragma once
// The clock of the machine; see clock.h for why there are others.

#include "io/clock.h"

namespace autopin {

class SystemClock : public Clock {
 public:
  std::chrono::system_clock::time_point now() override {
    return std::chrono::system_clock::now();
  }
};

}  // namespace autopin
