#pragma once
// autopin's own environment variables (NIX_PATH, XDG_STATE_HOME, …), behind an
// interface because they steer a run: a replay sees those of the recording.

#include <optional>
#include <string>

namespace autopin {

class Environment {
 public:
  Environment() = default;
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  virtual ~Environment() = default;

  /// The value, or nothing where the variable is not set.
  virtual std::optional<std::string> get(const std::string& name) = 0;
};

class ProcessEnvironment : public Environment {
 public:
  std::optional<std::string> get(const std::string& name) override;
};

}  // namespace autopin
