#pragma once
// The one exception of the program: a broken environment or broken input.
// Expected outcomes are values; only `main` catches.

#include <stdexcept>
#include <string>
#include <string_view>

namespace autopin {

/// "what: where: why". `what` names the operation, `where` the file, URL or
/// command it failed on, `why` the cause as the system gave it.
class Error : public std::runtime_error {
 public:
  Error(std::string_view what, std::string_view where, std::string_view why)
      : std::runtime_error(std::string(what) + ": " + std::string(where) +
                           ": " + std::string(why)) {}
};

}  // namespace autopin
