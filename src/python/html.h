#pragma once
// Start tags and their attributes out of an HTML page, in order, in one pass
// and bounded memory. An index page is a flat list of links (PEP 503), so no
// tree is made. Private to this folder.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace autopin::python {

struct HtmlTag {
  std::string name;  ///< Lower case.
  std::vector<std::pair<std::string, std::string>> attributes;

  /// The first of that name, "" where it has no value.
  std::optional<std::string> attribute(std::string_view wanted) const;
};

class HtmlReader {
 public:
  explicit HtmlReader(std::string_view page) : rest_(page) {}

  /// The next start tag, or nothing at the end.
  std::optional<HtmlTag> next();

 private:
  HtmlTag read_tag();
  void read_attribute(HtmlTag& tag);
  void skip_space();

  std::string_view rest_;
};

/// With character references replaced (HTML 13.2.5.72; the five of XML, and by
/// number).
std::string unescape_html(std::string_view text);

}  // namespace autopin::python
