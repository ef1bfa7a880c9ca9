#pragma once
// A project page as bytes -> files; no network, so that it can be fuzzed and
// tested by literals. See index.h for the client.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "python/index.h"

namespace autopin::python {

/// What to ask for: JSON before HTML (PEP 691, "Recommendations").
std::string_view simple_api_accept();

/// Reads a page by its content type. `url` is where the page came from: links
/// are relative to it. Throws Error where it is no page of a version 1.x.
Project parse_project_page(std::string_view body, std::string_view content_type,
                           const std::string& url, std::string_view name);

/// Tells the files of a page apart by their names. Remembers the last version:
/// a page has many files of each.
class Classifier {
 public:
  /// PEP 503 name.
  explicit Classifier(std::string_view project) : project_(project) {}
  /// Sets kind and version; false where it is no file of the project.
  bool classify(IndexFile& file);

 private:
  std::string project_;
  std::string spelling_;
  std::string version_spelling_;
  std::optional<Version> version_;
};

/// PEP 691.
Project parse_json_page(std::string_view body, const std::string& url,
                        std::string_view name);

/// PEP 503, 592, 629, 658. `any_project`: the page holds files of
/// many (as --find-links takes), those of others are passed over in silence.
Project parse_html_page(std::string_view body, const std::string& url,
                        std::string_view name, bool any_project = false);

}  // namespace autopin::python
