#include "python/index_page.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "python/file_name.h"
#include "python/html.h"
#include "python/name.h"
#include "python/url.h"

namespace autopin::python {

namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::string& url, std::string_view why) {
  throw Error("read the index page", printable_url(url), why);
}

/// A SHA-256 in hex, or nothing: other hashes are not used.
std::string checked_sha256(std::string_view text) {
  const auto raw = from_hex(to_lower(text));
  return raw && raw->size() == 32 ? to_hex(*raw) : "";
}

bool is_plain_file_name(std::string_view name) {
  return !name.empty() && name.front() != '.' &&
         name.find_first_of("/\\\n\r") == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

void add(IndexFile file, Project& out) {
  if (classify_file(out.name, file))
    out.files.push_back(std::move(file));
  else
    out.skipped.push_back(to_utf8(file.filename) +
                          ": not a file name of this project that is known");
}

std::string text_at(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>()
                                                     : "";
}

/// PEP 714: "core-metadata" before the older name; true, or its hashes.
void read_metadata_offer(const json& entry, IndexFile& file) {
  for (const char* key : {"core-metadata", "dist-info-metadata"}) {
    const auto found = entry.find(key);
    if (found == entry.end())
      continue;
    file.has_metadata = found->is_object() || *found == json(true);
    if (found->is_object())
      file.metadata_sha256 = checked_sha256(text_at(*found, "sha256"));
    return;
  }
}

void read_json_file(const json& entry, const std::string& url, Project& out) {
  IndexFile file;
  file.filename = text_at(entry, "filename");
  const auto link = follow_link(url, text_at(entry, "url"));
  if (!link || file.filename.empty()) {
    out.skipped.push_back(to_utf8(file.filename) + ": no usable URL");
    return;
  }
  file.url = *link;
  if (const auto hashes = entry.find("hashes");
      hashes != entry.end() && hashes->is_object())
    file.sha256 = checked_sha256(text_at(*hashes, "sha256"));
  file.requires_python = text_at(entry, "requires-python");
  if (const auto yanked = entry.find("yanked"); yanked != entry.end()) {
    if (yanked->is_string())
      file.yanked = yanked->get<std::string>();
    else if (*yanked == json(true))
      file.yanked = "";
  }
  if (const auto size = entry.find("size");
      size != entry.end() && size->is_number_unsigned())
    file.size = size->get<std::int64_t>();
  read_metadata_offer(entry, file);
  add(std::move(file), out);
}

void check_api_version(const std::string& version, const std::string& url) {
  if (!version.empty() && version.substr(0, 2) != "1.")
    fail(url, "it is of the Simple API's version " + to_utf8(version) +
                  ", and 1.x is understood");
}

std::string sha256_of_pair(std::string_view text) {
  return text.substr(0, 7) == "sha256=" ? checked_sha256(text.substr(7)) : "";
}

IndexFile read_link(const HtmlTag& tag, const std::string& url,
                    const std::string& href) {
  IndexFile file;
  file.url = url;
  file.filename = url_file_name(url);
  file.sha256 = sha256_of_pair(url_fragment(href));
  file.requires_python = tag.attribute("data-requires-python").value_or("");
  file.yanked = tag.attribute("data-yanked");
  auto offer = tag.attribute("data-core-metadata");
  if (!offer)
    offer = tag.attribute("data-dist-info-metadata");
  if (offer) {
    file.has_metadata = true;
    file.metadata_sha256 = sha256_of_pair(*offer);
  }
  return file;
}

}  // namespace

bool classify_file(std::string_view project, IndexFile& file) {
  if (!is_plain_file_name(file.filename))
    return false;
  if (const auto wheel = WheelName::parse(file.filename)) {
    file.kind = IndexFile::Kind::wheel;
    file.version = wheel->version;
    return wheel->project == project;
  }
  if (const auto sdist = SdistName::parse(file.filename, project)) {
    file.kind = IndexFile::Kind::sdist;
    file.version = sdist->version;
    return true;
  }
  return false;
}

std::string_view simple_api_accept() {
  return "application/vnd.pypi.simple.v1+json, "
         "application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.01";
}

Project parse_json_page(std::string_view body, const std::string& url,
                        std::string_view name) {
  const json page = json::parse(body, nullptr, false);
  if (page.is_discarded())
    fail(url, "it is no valid JSON");
  if (!page.is_object())
    fail(url, "it is no JSON object");
  if (const auto meta = page.find("meta");
      meta != page.end() && meta->is_object())
    check_api_version(text_at(*meta, "api-version"), url);
  const auto files = page.find("files");
  if (files == page.end() || !files->is_array())
    fail(url, "it lists no files");
  Project out;
  out.name = normalize_name(name);
  for (const json& entry : *files) {
    if (entry.is_object())
      read_json_file(entry, url, out);
    else
      out.skipped.emplace_back("an entry that is no object");
  }
  return out;
}

Project parse_html_page(std::string_view body, const std::string& url,
                        std::string_view name, bool any_project) {
  Project out;
  out.name = normalize_name(name);
  std::string base = url;
  HtmlReader reader(body);
  while (const auto tag = reader.next()) {
    if (tag->name == "base") {
      if (const auto href = tag->attribute("href"))
        base = follow_link(base, *href).value_or(base);
    } else if (tag->name == "meta" &&
               tag->attribute("name") == "pypi:repository-version") {
      check_api_version(tag->attribute("content").value_or(""), url);
    } else if (tag->name == "a") {
      const auto href = tag->attribute("href");
      const auto link = href ? follow_link(base, *href) : std::nullopt;
      if (!link)
        continue;
      IndexFile file = read_link(*tag, *link, *href);
      if (any_project && !classify_file(out.name, file))
        continue;
      add(std::move(file), out);
    }
  }
  return out;
}

Project parse_project_page(std::string_view body, std::string_view content_type,
                           const std::string& url, std::string_view name) {
  const std::string type(
      trim(to_lower(content_type).substr(0, content_type.find(';'))));
  if (type == "application/vnd.pypi.simple.v1+json" ||
      type == "application/json")
    return parse_json_page(body, url, name);
  if (type == "application/vnd.pypi.simple.v1+html" || type == "text/html" ||
      type.empty())
    return parse_html_page(body, url, name);
  fail(url, "it is of the unknown content type " + to_utf8(type));
}

}  // namespace autopin::python
