// Any bytes as a requirement with its marker: what is read prints as something
// that reads as the same and holds for the same target.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "python/file_name.h"
#include "python/requirement.h"
#include "python/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace autopin::python;
  static const MarkerEnvironment environment = Target().marker_environment();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Requirement::parse_leniently(text);
  WheelName::parse(text);
  SdistName::parse(text);
  const auto first = Requirement::parse(text);
  if (!first)
    return 0;
  const auto again = Requirement::parse(first->text());
  // A marker's string may hold both kinds of quotes only when joined, never
  // when read, so that printing always has one left.
  if (!again || again->text() != first->text() ||
      again->applies(environment) != first->applies(environment))
    std::abort();
  return 0;
}
