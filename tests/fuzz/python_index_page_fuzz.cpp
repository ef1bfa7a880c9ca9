// Any bytes as an index page in both forms: an Error or files whose names and
// URLs are safe to use.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "python/index_page.h"

namespace {

void check(const autopin::python::Project& project) {
  for (const auto& file : project.files) {
    if (file.filename.find('/') != std::string::npos ||
        file.url.substr(0, 4) != "http" ||
        (!file.sha256.empty() && file.sha256.size() != 64))
      std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace autopin::python;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string url = "https://host.test/simple/a/";
  try {
    check(parse_json_page(text, url, "a"));
  } catch (const autopin::Error&) {
  }
  try {
    check(parse_html_page(text, url, "a"));
  } catch (const autopin::Error&) {
  }
  return 0;
}
