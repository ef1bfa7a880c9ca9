// Any bytes as a version and as specifiers: what is read prints as something
// that reads as the same, and the order is an order.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "python/specifier.h"
#include "python/version.h"

namespace {

using namespace autopin::python;

void require(bool holds) {
  if (!holds)
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t half = text.find('\n');
  const auto left = Version::parse(text.substr(0, half));
  const auto right = half == std::string_view::npos
                         ? std::nullopt
                         : Version::parse(text.substr(half + 1));
  if (left) {
    const auto again = Version::parse(left->text());
    require(again && *again == *left && again->text() == left->text());
    require(left->base_version() == left->base_version().public_version());
  }
  if (left && right)
    require((*left < *right) == (*right > *left) &&
            (*left == *right) == !(*left < *right || *right < *left));
  if (const auto set = SpecifierSet::parse(text.substr(0, half))) {
    const auto again = SpecifierSet::parse(set->text());
    require(again.has_value());
    if (right)
      require(set->contains(*right, SpecifierSet::Prereleases::allowed) ==
              again->contains(*right, SpecifierSet::Prereleases::allowed));
  }
  return 0;
}
