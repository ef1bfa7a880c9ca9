#pragma once
// Keeps a child from outliving autopin. PR_SET_PDEATHSIG alone does not do: a
// nix-build that is killed leaves its builder running (own session, own user,
// which clears the death signal: prctl(2); seen with Nix 2.8). So a small
// process stands between: parent of the command, reaper of whatever the command
// leaves behind, and joined to autopin by a socket. When that socket closes,
// because autopin died or because it wants an end, everything below is ended:
// asked first (Nix cleans up after SIGTERM), then killed.

#include <sys/types.h>

namespace autopin {

/// To be called in a freshly forked child, before it executes the command.
/// Returns in the process that goes on to become the command; the caller's own
/// process becomes the leash and exits with the command's status (128 + signal
/// as shells say). `socket` is the leash's end of the pair.
/// Async-signal-safe, as the parent may have threads.
void put_on_leash(int socket);

}  // namespace autopin
