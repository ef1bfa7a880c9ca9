#pragma once
// ^C, and what else asks autopin to stop (SIGTERM, SIGHUP). The first request
// is a flag that running commands and transfers look at, so that children are
// ended and state is left whole; a second one ends the process at once.

#include <stdexcept>

namespace autopin {

/// The user asked to stop. Not an Error: nothing is broken. `main` turns it
/// into exit code 130.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// Installs the signal handlers; once, at the start of `main`.
void watch_interrupts();

bool interrupted();

/// Throws Interrupted where interrupted().
void stop_if_interrupted();

/// A descriptor that is readable once interrupted(), for poll(2); -1 where
/// nobody watches.
int interrupt_descriptor();

/// Forgets a request that came: for tests.
void forget_interrupts();

}  // namespace autopin
