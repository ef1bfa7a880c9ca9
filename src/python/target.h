#pragma once
// The interpreter and platform that a derivation is built for: what markers
// are evaluated with and wheels are chosen by.

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "python/marker.h"
#include "python/version.h"

namespace autopin::python {

struct Target {
  /// "3.6.9"; a version without its third number is taken as ".0".
  std::string python = "3.11.0";
  /// "cpython" or "pypy".
  std::string implementation = "cpython";
  /// Of pypy itself, such as "7.3"; unused for cpython.
  std::string implementation_version;
  /// "linux" or "darwin".
  std::string system = "linux";
  /// As `uname -m` says: "x86_64", "aarch64", "i686", "arm64" on darwin.
  std::string machine = "x86_64";
  /// Bounds manylinux wheels. Nix brings its own glibc; the default is that
  /// of the oldest nixpkgs still in use (17.09 has 2.25).
  std::pair<int, int> glibc = {2, 25};
  /// Set on a musl system: bounds musllinux wheels, and no manylinux fits.
  std::optional<std::pair<int, int>> musl;
  /// Bounds macosx wheels on darwin.
  std::pair<int, int> macos = {11, 0};

  Version python_version() const;
  MarkerEnvironment marker_environment() const;

  /// From the words of a command line: python "3.6", "cp36", "pypy3.9";
  /// platform a Nix system ("x86_64-linux") or a wheel's platform tag
  /// ("manylinux_2_17_x86_64", "macosx_11_0_arm64"). Nothing where either
  /// cannot be read.
  static std::optional<Target> from_words(std::string_view python,
                                          std::string_view platform);
};

}  // namespace autopin::python
