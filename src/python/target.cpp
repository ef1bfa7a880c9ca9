#include "python/target.h"

#include <charconv>

#include "base/error.h"
#include "base/text.h"
#include "python/scan.h"

namespace autopin::python {

Version Target::python_version() const {
  const auto version = Version::parse(python);
  if (!version)
    throw Error("read the Python version", python, "no version");
  return *version;
}

MarkerEnvironment Target::marker_environment() const {
  const std::vector<Number> release = python_version().release();
  const auto part = [&release](std::size_t i) {
    return i < release.size() ? release[i].text() : std::string("0");
  };
  const bool darwin = system == "darwin";
  const bool pypy = implementation == "pypy";
  MarkerEnvironment out;
  out.implementation_name = implementation;
  out.python_version = part(0) + '.' + part(1);
  out.python_full_version = out.python_version + '.' + part(2);
  out.implementation_version =
      pypy ? implementation_version : out.python_full_version;
  out.os_name = "posix";
  out.platform_machine = darwin && machine == "aarch64" ? "arm64" : machine;
  out.platform_python_implementation = pypy ? "PyPy" : "CPython";
  out.platform_system = darwin ? "Darwin" : "Linux";
  // Until 3.3 the kernel's major version was part of it.
  out.sys_platform = darwin ? "darwin" : part(0) == "2" ? "linux2" : "linux";
  return out;
}

namespace {

bool read_number(Scanner& in, int& out) {
  const std::string_view digits = in.digits();
  const auto result =
      std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return result.ec == std::errc() && !digits.empty();
}

bool read_python(std::string_view words, Target& out) {
  const std::string text = to_lower(words);
  Scanner in(text);
  if (in.take_word("pypy") || in.take_word("pp"))
    out.implementation = "pypy";
  else if (!in.take_word("cpython"))
    in.take_word("cp") || in.take_word("python") || in.take_word("py");
  in.take_any("-");
  const std::string_view version = in.rest();
  if (!Version::parse(version) || !is_digit(version.front()))
    return false;
  out.python = version;
  // "36", "311": the digits of a tag.
  const bool is_tag =
      version.size() > 1 &&
      version.find_first_not_of("0123456789") == std::string_view::npos;
  if (is_tag)
    out.python.insert(1, ".");
  return true;
}

/// "_2_17_x86_64" behind "manylinux".
bool read_two_and_machine(Scanner& in, std::pair<int, int>& version,
                          Target& out) {
  const bool ok = in.take('_') && read_number(in, version.first) &&
                  in.take('_') && read_number(in, version.second) &&
                  in.take('_');
  out.machine = in.rest();
  return ok && !out.machine.empty();
}

bool read_manylinux(Scanner& in, Target& out) {
  // PEP 513, 571 and 599 by their glibc.
  if (in.take_text("2014_"))
    out.glibc = {2, 17};
  else if (in.take_text("2010_"))
    out.glibc = {2, 12};
  else if (in.take_text("1_"))
    out.glibc = {2, 5};
  else
    return read_two_and_machine(in, out.glibc, out);
  out.machine = in.rest();
  return !out.machine.empty();
}

bool read_platform(std::string_view words, Target& out) {
  Scanner in(words);
  out.system = "linux";
  if (in.take_text("manylinux"))
    return read_manylinux(in, out);
  if (in.take_text("musllinux"))
    return read_two_and_machine(in, out.musl.emplace(), out);
  if (in.take_text("linux_")) {
    out.machine = in.rest();
    return !out.machine.empty();
  }
  if (in.take_text("macosx")) {
    out.system = "darwin";
    return read_two_and_machine(in, out.macos, out);
  }
  const std::size_t dash = words.rfind('-');
  if (dash == std::string_view::npos || dash == 0)
    return false;
  out.machine = words.substr(0, dash);
  out.system = words.substr(dash + 1);
  return out.system == "linux" || out.system == "darwin";
}

}  // namespace

std::optional<Target> Target::from_words(std::string_view python,
                                         std::string_view platform) {
  Target out;
  if (!python.empty() && !read_python(python, out))
    return std::nullopt;
  if (!platform.empty() && !read_platform(platform, out))
    return std::nullopt;
  return out;
}

}  // namespace autopin::python
