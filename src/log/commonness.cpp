#include "log/commonness.h"

#include <array>
#include <bitset>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace autopin {

namespace {

/// What builds say all the time: a text that stands here guards badly.
constexpr std::string_view ordinary =
    "\nchecking for gcc... gcc\nchecking whether the compiler works... yes\n"
    "checking for library containing x... -lx\n"
    "checking for stdlib.h... yes\nconfig.status: creating Makefile\n"
    "\n-- The C compiler identification is GNU 12.2.0\n-- Found X: /usr/lib/x\n"
    "-- Looking for x - found\n-- Performing Test X - Success\n"
    "[ 10%] Building C object CMakeFiles/x.dir/src/x.c.o\n[ 10%] Linking C "
    "executable x\n[100%] Built target x\nmake[1]: Entering directory "
    "'/build'\n"
    "make[1]: Leaving directory '/build'\n  CC       src/x.o\n  CXX      x.lo\n"
    "\nlibtool: compile:  gcc -DHAVE_CONFIG_H -I. -I../include -Wall -Wextra "
    "-Werror=format-security -O2 -g -fPIC -std=gnu++17 -MT x.lo -MD -MP -MF "
    ".deps/x.Tpo -c x.c -o x.o\n/nix/store/x-gcc-wrapper-12.2.0/bin/g++\n"
    "copying src/x/__init__.py -> build/lib/x\ncreating build/lib\n"
    "running build_ext\nbuilding 'x' extension\nadding 'x/__init__.py'\n"
    "Requirement already satisfied: x in /nix/store/x/lib/python3.11/"
    "site-packages (from x) (1.0)\nCollecting x>=1.0\n  Downloading "
    "x-1.0.tar.gz"
    "\n  Preparing metadata (pyproject.toml): finished with status 'done'\n"
    "tests/test_x.py::TestX::test_y PASSED [ 10%]\ntests/test_x.py ........ [ "
    "10%]\ntest_x (x.tests.test_x.TestX) ... ok\nok 1 - x\n"
    "\n    1/100 Test   #1: x ................   Passed    0.01 sec\n"
    "test x::y ... ok\n   Compiling x v1.0.0\nx.c:10:5: warning: unused "
    "variable 'x' [-Wunused-variable]\n   10 |   int x;\n      |       ^\n"
    "x.c: In function 'x':\nx.h:10:5: note: declared here\n"
    "  File \"/x.py\", line 10, in x\nTraceback (most recent call last):\n"
    "building\ninstalling\nunpacking sources\nphase complete: line number at ";

/// The four-byte pieces of `ordinary`, hashed: case does not count.
class OrdinaryPieces {
 public:
  OrdinaryPieces() {
    for (std::size_t at = 0; at + shortest_text <= ordinary.size(); ++at)
      seen_.set(slot(ordinary.data() + at));
  }

  /// Every piece of `text` is there.
  bool hold(std::string_view text) const {
    for (std::size_t at = 0; at + shortest_text <= text.size(); ++at)
      if (!seen_.test(slot(text.data() + at)))
        return false;
    return true;
  }

 private:
  static std::size_t slot(const char* at) {
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, at, sizeof bytes);
    return ((bytes | 0x20202020U) * 0x9e3779b1U) >> 16;
  }

  std::bitset<65536> seen_;
};

/// Of the most frequent letters fewer bits are needed to tell a text apart.
constexpr std::array<double, 256> bits_of_letters() {
  std::array<double, 256> bits{};
  for (std::size_t c = 0; c < bits.size(); ++c)
    bits[c] = c >= 'a' && c <= 'z' ? 4.5 : 5.5;
  for (const char c : std::string_view("taoinsrlc./-"))
    bits[static_cast<unsigned char>(c)] = 3.5;
  bits[' '] = bits['e'] = 2.5;
  return bits;
}
constexpr std::array<double, 256> bits = bits_of_letters();

}  // namespace

double commonness(std::string_view text) {
  static const OrdinaryPieces pieces;
  double sum = 0;
  for (const char c : text)
    sum += bits[static_cast<unsigned char>(c)];
  return (sum > 50 ? 0 : std::exp2(7 - sum)) +
         (text.size() >= shortest_text && pieces.hold(text) ? 0.1 : 0);
}

double cost_of(const std::vector<std::string>& texts) {
  double cost = 0;
  for (const std::string& text : texts) {
    if (text.size() < shortest_text) {
      // Still something at the begin of a line; lines that begin with a letter
      // or a space are too many.
      if (text.size() < 2 || text[0] != '\n' ||
          std::ispunct(static_cast<unsigned char>(text[1])) == 0)
        return no_guard_cost;
      cost += 500;
      continue;
    }
    cost += 0.5 + 1e6 * commonness(text);
    if (text.size() == shortest_text)
      cost += 20000;
  }
  return cost;
}

}  // namespace autopin
