#pragma once
// Runs real programs; see command.h for what is promised. Everything that a
// program starts ends with it, and with autopin, even by kill -9 (leash.h).

#include "io/command.h"

namespace autopin {

class ProcessRunner : public CommandRunner {
 public:
  using CommandRunner::run;

  /// Throws Interrupted where the user asks to stop meanwhile; the program and
  /// all below it have ended by then.
  CommandResult run(const Command& command, const OutputSink& sink) override;
};

}  // namespace autopin
