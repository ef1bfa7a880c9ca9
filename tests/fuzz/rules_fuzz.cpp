// Any bytes as a rules file: it loads, or is refused with an Error.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "log/rule_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static const std::filesystem::path folder =
      std::filesystem::temp_directory_path() /
      ("autopin-fuzz-rules-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "rules.json", std::ios::binary)
      .write(reinterpret_cast<const char*>(data),
             static_cast<std::streamsize>(size));
  try {
    autopin::check_rules(autopin::load_rules({folder}));
  } catch (const autopin::Error&) {
    return 0;
  }
  return 0;
}
