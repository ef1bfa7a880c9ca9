#!/usr/bin/env bash
# Runs a command with another release's Nix, and a store of its own, on this
# machine: the same autopin, fixtures and host tools, only Nix differs.
#
# usage: tests/nix-versions.sh SUITE COMMAND [ARGUMENT...]     (as root)
#   SUITE  a Debian release: bookworm has Nix 2.8, trixie 2.26, sid 2.34
#
# debootstrap makes a folder with that release (build/nix-SUITE, half a minute,
# kept). Its nix is started through its own dynamic loader and finds its own
# libraries; /nix is a folder of build/ in a mount namespace of this command.
set -euo pipefail
cd "$(dirname "$0")/.."
suite=${1:?usage: tests/nix-versions.sh SUITE COMMAND...}
shift
home=$PWD/build/nix-$suite
root=$home/root

if [ ! -x "$root/usr/bin/nix" ]; then
  command -v debootstrap >/dev/null ||
    { echo "apt-get install debootstrap first" >&2; exit 1; }
  mkdir -p "$root"
  { debootstrap --variant=minbase "$suite" "$root" &&
    chroot "$root" apt-get -qq -o Acquire::Check-Valid-Until=false update &&
    DEBIAN_FRONTEND=noninteractive chroot "$root" \
      apt-get -qq -y install --no-install-recommends nix-bin; } \
    >"$home/setup.log" 2>&1 || { tail "$home/setup.log" >&2; exit 1; }
fi

mkdir -p "$home/bin" "$home/nix/var/nix/userpool" /nix/var/nix/userpool
for name in nix build-remote nix-build nix-collect-garbage nix-env nix-hash \
  nix-instantiate nix-shell nix-store; do
  printf '#!/bin/sh\nexec %s --argv0 %s --library-path %s %s "$@"\n' \
    "$root/lib64/ld-linux-x86-64.so.2" "$name" \
    "$root/usr/lib/x86_64-linux-gnu:$root/usr/lib/nix" "$root/usr/bin/nix" >"$home/bin/$name"
  chmod +x "$home/bin/$name"
done

# Nix starts itself once more as its build hook, by /proc/self/exe, which is the
# loader here; so it is told the wrapper. NIX_CONFIG stays the command's.
echo "build-hook = $home/bin/build-remote" >"$home/nix.conf"
export NIX_USER_CONF_FILES=$home/nix.conf PATH=$home/bin:$PATH
# A Nix kills whatever runs under a build user's id before it builds, so every
# store of a machine must take the users from one pool of locks.
# shellcheck disable=SC2016  # the inner shell expands
exec unshare --mount sh -c '
  mount --bind /nix/var/nix/userpool "$0/nix/var/nix/userpool" &&
  mount --rbind "$0/nix" /nix && exec "$@"' "$home" "$@"
