#include "base/printable.h"

#include <catch2/catch.hpp>

#include "base/risk.h"

namespace autopin {
namespace {

using namespace std::string_literals;

TEST_CASE("ordinary text stays, of any script") {
  const std::string text = "naïve ‘quoted’ 日本 עברית 🎉\n\tindented\n";
  CHECK(printable(text) == text);
}

TEST_CASE("colours go, other escapes show") {
  CHECK(printable("\x1b[31;1mred\x1b[0m\x1b[K") == "red");
  CHECK(printable("\x1b]0;title\a") == "␛]0;title␇");
  CHECK(printable("\x1b[2J\x1b[") == "␛[2J␛[");
  CHECK(printable("a\bb\0c\x7f"s) == "a␈b␀c␡");
  CHECK(printable("dos\r\nbar\rx") == "dos\nbar␍x");
}

TEST_CASE("hidden and direction-changing characters are named") {
  CHECK(printable("a\u202Eb\u200Bc\u0085") == "a<U+202E>b<U+200B>c<U+0085>");
  CHECK(printable("\U000E0041") == "<U+E0041>");
  CHECK(printable("\xff\xc3") == "\uFFFD\uFFFD");
}

TEST_CASE("a line has no line ends") {
  CHECK(printable_line("a\nb\tc\r\n") == "a b c ");
}

TEST_CASE("each risk has its name and back") {
  for (const auto name : risk_names)
    CHECK(name_of(*risk_named(name)) == name);
  CHECK(name_of(Risk::weakens_checks) == "weakens-checks");
  CHECK_FALSE(risk_named("harmless").has_value());
}

}  // namespace
}  // namespace autopin
