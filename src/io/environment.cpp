#include "io/environment.h"

#include <cstdlib>

namespace autopin {

std::optional<std::string> ProcessEnvironment::get(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr)
    return std::nullopt;
  return value;
}

}  // namespace autopin
