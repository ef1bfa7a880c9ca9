#pragma once
// Time, behind an interface: a replay tells the times of the recording.

#include <chrono>

namespace autopin {

class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  virtual std::chrono::system_clock::time_point now() = 0;
};

}  // namespace autopin
