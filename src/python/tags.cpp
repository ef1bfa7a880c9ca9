#include "python/tags.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/text.h"

namespace autopin::python {

namespace {

using Names = std::vector<std::string>;

int to_int(const std::string& digits) {
  int out = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return out;
}

/// Major and minor number of the interpreter.
std::pair<int, int> python_of(const Target& target) {
  const Version version = target.python_version();
  const auto& release = version.release();
  return {to_int(release[0].text()),
          release.size() > 1 ? to_int(release[1].text()) : 0};
}

std::string joined(int major, int minor) {
  return std::to_string(major) + std::to_string(minor);
}

/// PEP 600: every glibc up to the system's, newest first, with the three older
/// names (PEP 513, 571, 599) behind the version that they stand for. Only x86
/// has wheels for less than 2.17.
void add_manylinux(const Target& target, Names& out) {
  const std::string& machine = target.machine;
  const bool x86 = machine == "x86_64" || machine == "i686";
  const bool other = machine == "aarch64" || machine == "ppc64" ||
                     machine == "ppc64le" || machine == "s390x" ||
                     machine == "armv7l" || machine == "riscv64";
  if (!x86 && !other)
    return;
  const int oldest = x86 ? 5 : 17;
  for (int minor = target.glibc.second; minor >= oldest; --minor) {
    out.push_back("manylinux_2_" + std::to_string(minor) + '_' + machine);
    const char* old_name = minor == 17   ? "manylinux2014_"
                           : minor == 12 ? "manylinux2010_"
                           : minor == 5  ? "manylinux1_"
                                         : nullptr;
    if (old_name != nullptr)
      out.push_back(old_name + machine);
  }
}

void add_musllinux(const Target& target, Names& out) {
  for (int minor = target.musl->second; minor >= 0; --minor)
    out.push_back("musllinux_" + std::to_string(target.musl->first) + '_' +
                  std::to_string(minor) + '_' + target.machine);
}

/// The fat formats that hold code for `machine` (packaging.python.org,
/// "Platform compatibility tags": macOS); PowerPC is left out.
Names mac_formats(const std::string& machine, std::pair<int, int> macos) {
  if (machine == "x86_64") {
    if (macos < std::pair(10, 4))
      return {};
    return {"x86_64", "intel", "fat64", "fat32", "universal2", "universal"};
  }
  if (machine == "i386") {
    if (macos < std::pair(10, 4))
      return {};
    return {"i386", "intel", "fat32", "fat", "universal"};
  }
  if (machine == "arm64")
    return {"arm64", "universal2"};
  return {machine};
}

void add_mac(std::pair<int, int> version, const Names& formats, Names& out) {
  for (const std::string& format : formats)
    out.push_back("macosx_" + std::to_string(version.first) + '_' +
                  std::to_string(version.second) + '_' + format);
}

Names mac_platforms(const Target& target) {
  Names out;
  const std::string machine =
      target.machine == "aarch64" ? "arm64" : target.machine;
  const auto [major, minor] = target.macos;
  for (int m = major; m >= 11; --m)
    add_mac({m, 0}, mac_formats(machine, {m, 0}), out);
  if (major >= 11) {
    // What was built before macOS 11 runs there on Intel; on others only the
    // fat format can have been.
    for (int m = 16; m > 3; --m)
      add_mac({10, m},
              machine == "x86_64" ? mac_formats(machine, {10, m})
                                  : Names{"universal2"},
              out);
  } else {
    for (int m = minor; m >= 0; --m)
      add_mac({10, m}, mac_formats(machine, {10, m}), out);
  }
  return out;
}

Names platforms_of(const Target& target) {
  if (target.system == "darwin")
    return mac_platforms(target);
  Names out;
  if (target.musl)
    add_musllinux(target, out);
  else
    add_manylinux(target, out);
  out.push_back("linux_" + target.machine);
  return out;
}

void add(const std::string& interpreter, const std::string& abi,
         const Names& platforms, std::vector<Tag>& out) {
  for (const std::string& platform : platforms)
    out.push_back({interpreter, abi, platform});
}

/// Until 3.7 "m" (pymalloc), until 3.2 "u" (UCS-4, as nixpkgs builds it).
std::string cpython_abi(int major, int minor) {
  const auto version = std::pair(major, minor);
  std::string out = "cp" + joined(major, minor);
  if (version < std::pair(3, 8))
    out += 'm';
  if (version < std::pair(3, 3))
    out += 'u';
  return out;
}

void add_cpython(int major, int minor, const Names& platforms,
                 std::vector<Tag>& out) {
  const std::string interpreter = "cp" + joined(major, minor);
  const bool stable_abi = std::pair(major, minor) >= std::pair(3, 2);
  add(interpreter, cpython_abi(major, minor), platforms, out);
  if (stable_abi)
    add(interpreter, "abi3", platforms, out);
  add(interpreter, "none", platforms, out);
  if (!stable_abi)
    return;
  for (int m = minor - 1; m >= 2; --m)
    add("cp" + joined(major, m), "abi3", platforms, out);
}

void add_pypy(const Target& target, int major, int minor,
              const Names& platforms, std::vector<Tag>& out) {
  const std::string version = joined(major, minor);
  std::string abi = "pypy" + version + "_pp";
  for (const std::string& part : split(target.implementation_version, '.'))
    abi += part;
  add("pp" + version, abi, platforms, out);
  add("pp" + version, "none", platforms, out);
}

/// "py36", "py3", "py35", …
Names pure_interpreters(int major, int minor) {
  Names out{"py" + joined(major, minor), "py" + std::to_string(major)};
  for (int m = minor - 1; m >= 0; --m)
    out.push_back("py" + joined(major, m));
  return out;
}

}  // namespace

std::set<Tag> expand_tags(std::string_view compressed) {
  std::set<Tag> out;
  const auto parts = split(to_lower(compressed), '-');
  if (parts.size() != 3)
    return out;
  for (const std::string& interpreter : split(parts[0], '.'))
    for (const std::string& abi : split(parts[1], '.'))
      for (const std::string& platform : split(parts[2], '.'))
        out.insert({interpreter, abi, platform});
  return out;
}

std::vector<Tag> supported_tags(const Target& target) {
  std::vector<Tag> out;
  const auto [major, minor] = python_of(target);
  const Names platforms = platforms_of(target);
  const bool pypy = target.implementation == "pypy";
  if (pypy)
    add_pypy(target, major, minor, platforms, out);
  else
    add_cpython(major, minor, platforms, out);
  const Names pure = pure_interpreters(major, minor);
  for (const std::string& name : pure)
    add(name, "none", platforms, out);
  add(pypy ? "pp3" : "cp" + joined(major, minor), "none", {"any"}, out);
  for (const std::string& name : pure)
    add(name, "none", {"any"}, out);
  return out;
}

}  // namespace autopin::python
