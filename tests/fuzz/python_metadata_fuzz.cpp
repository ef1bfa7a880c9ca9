// Any bytes as each of the texts that say what a package needs.

#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "python/metadata.h"
#include "python/setup_py.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace autopin::python;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    parse_metadata(text, "METADATA");
  } catch (const autopin::Error&) {
  }
  std::vector<std::string> unreadable;
  parse_requires_txt(text, unreadable);
  read_setup_py(text);
  read_setup_cfg(text);
  read_pyproject(text);
  read_requirements_txt(text);
  return 0;
}
