#pragma once
// Links of index pages: where they lead and which file they name.

#include <optional>
#include <string>
#include <string_view>

namespace autopin::python {

/// `link` as seen from `base`, without fragment and credentials. Nothing where
/// it is no URL, or not one of http or https; a page that is itself a local
/// file may name others.
std::optional<std::string> follow_link(const std::string& base,
                                       std::string_view link);

/// `url` without user and password, whatever else is wrong with it.
std::string printable_url(const std::string& url);

/// A file:// URL and the path it stands for, percent-encoded and plain.
std::string local_url(std::string_view path);
std::optional<std::string> local_path(std::string_view url);

/// The part behind "#", "" where there is none.
std::string url_fragment(std::string_view url);

/// The last piece of the path, percent-decoded.
std::string url_file_name(std::string_view url);

}  // namespace autopin::python
