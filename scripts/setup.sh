# shellcheck shell=bash
# Sourced by ./demo and ./check: everything that a bare Debian 12 lacks.
# Each step looks first and does nothing when there is nothing to do.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
source_dir=$PWD
PATH=$PATH:/usr/sbin:/sbin  # useradd; `su` leaves them out
package_lists=("$source_dir/scripts/apt-packages.txt")
export PYTHONDONTWRITEBYTECODE=1  # no folders of root's among somebody's sources

say() { printf '\n==> %s\n' "$*"; }

# Everything runs as root: /nix belongs to it. Somebody with sudo becomes root
# here and gets the ownership of what was built back at the end.
become_root() {
  [ "$(id -u)" != 0 ] || return 0
  command -v sudo >/dev/null ||
    { echo "$0 needs root: run it as root, or install sudo" >&2; exit 1; }
  local kept
  kept=$(compgen -e | grep -E '^(CI|NO_COLOR|TERM|.*_proxy|(PIP|SSL_CERT|CURL_CA|NIX_SSL)_.*)$' |
    paste -sd,) || true
  exec sudo --preserve-env="$kept" "$source_dir/${0##*/}" "$@"
}

server=
at_exit() {
  [ -z "$server" ] || kill "$server"
  [ -z "${SUDO_UID:-}" ] || chown -R "$SUDO_UID:${SUDO_GID:?}" "$source_dir/build"
}
trap at_exit EXIT

install_packages() {
  local missing=() package
  while read -r package; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null |
      grep -qx installed || missing+=("$package")
  done < <(grep -hv '^#' "${package_lists[@]}")
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing ${#missing[@]} Debian packages: ${missing[*]}"
  apt-get -qq update </dev/null
  DEBIAN_FRONTEND=noninteractive apt-get -qq -y install \
    --no-install-recommends "${missing[@]}" </dev/null >"$log_dir/apt.log" 2>&1 ||
    { tail -n 20 "$log_dir/apt.log" >&2; exit 1; }
}

# Nix builds as root under separate users; where the group is empty some
# versions build without the sandbox and do not say so. Debian makes the users
# in nix-setup-systemd, which wants systemd; a container has none.
make_build_users() {
  getent group nixbld >/dev/null || groupadd --system nixbld
  [ -z "$(getent group nixbld | cut -d: -f4)" ] || return 0
  say "making Nix's build users nixbld1..10"
  local n
  for n in $(seq 10); do
    id "nixbld$n" >/dev/null 2>&1 || useradd --system --gid nixbld \
      --groups nixbld --no-user-group --home-dir /var/empty \
      --shell /usr/sbin/nologin --comment "Nix build user $n" "nixbld$n"
  done
}

# Nix 2.8's nix-shell leaves a chroot, so this script goes on in a namespace of
# which the chroot is the root; see own-root.py.
take_root() {
  [ -z "${AUTOPIN_OWN_ROOT:-}" ] || return 0
  AUTOPIN_OWN_ROOT=1 exec python3 scripts/own-root.py "$source_dir/${0##*/}" "$@"
}

# set_up ARGUMENT...: with the script's own arguments
set_up() {
  log_dir=$source_dir/build/logs
  mkdir -p "$log_dir"
  install_packages
  make_build_users
  take_root "$@"
}

# From here on <nixpkgs> is the fixture set, and builds are sandboxed.
use_fixtures() {
  # shellcheck source=fixtures/tools/nix-env.sh
  . "$source_dir/fixtures/tools/nix-env.sh"
}

# Serves the fixtures' package index on the loopback interface until this
# script ends, and sets index_url.
# shellcheck disable=SC2034  # for the sourcing script
serve_index() {
  exec {index}< <(exec python3 "$source_dir/fixtures/tools/serve-index.py" \
    "$source_dir/fixtures/nixpkgs/index")
  server=$!
  read -r index_url <&"$index"
}

# build PRESET [TARGET...]: configure once, then build what changed.
build() {
  local preset=$1
  shift
  say "building ($preset)"
  cmake --preset "$preset" >"$log_dir/configure-$preset.log" 2>&1 ||
    { tail -n 30 "$log_dir/configure-$preset.log" >&2; exit 1; }
  cmake --build --preset "$preset" "${@/#/--target=}"
}
