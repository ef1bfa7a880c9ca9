#include "python/index_page.h"

#include <optional>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "python/file_name.h"
#include "python/html.h"
#include "python/index_page_parts.h"
#include "python/name.h"
#include "python/url.h"

namespace autopin::python {

namespace {

bool is_plain_file_name(std::string_view name) {
  return !name.empty() && name.front() != '.' &&
         name.find_first_of("/\\\n\r") == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
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

void fail_page(const std::string& url, std::string_view why) {
  throw Error("read the index page", printable_url(url), why);
}

void check_api_version(const std::string& version, const std::string& url) {
  if (!version.empty() && !version.starts_with("1."))
    fail_page(url, "it is of the Simple API's version " + to_utf8(version) +
                       ", and 1.x is understood");
}

std::string checked_sha256(std::string_view text) {
  const auto raw = from_hex(to_lower(text));
  return raw && raw->size() == 32 ? to_hex(*raw) : "";
}

void add_file(IndexFile file, Classifier& classifier, Project& page) {
  if (classifier.classify(file))
    page.files.push_back(std::move(file));
  else
    skip(page,
         file.filename + ": not a file name of this project that is known");
}

void skip(Project& page, std::string_view why) {
  constexpr std::size_t most = 100;
  if (page.skipped.size() < most)
    page.skipped.push_back(to_utf8(why));
}

bool Classifier::classify(IndexFile& file) {
  if (!is_plain_file_name(file.filename))
    return false;
  if (const auto wheel = WheelParts::of(file.filename)) {
    file.kind = IndexFile::Kind::wheel;
    if (wheel->project != spelling_ &&
        normalize_name(wheel->project) != project_)
      return false;
    spelling_ = wheel->project;
    if (wheel->version != version_spelling_) {
      version_ = Version::parse(wheel->version);
      version_spelling_ = wheel->version;
    }
    if (version_)
      file.version = *version_;
    return version_.has_value();
  }
  if (const auto sdist = SdistName::parse(file.filename, project_)) {
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

Project parse_html_page(std::string_view body, const std::string& url,
                        std::string_view name, bool any_project) {
  Project out;
  out.name = normalize_name(name);
  std::string base = url;
  Classifier classifier(out.name);
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
      if (any_project && !classifier.classify(file))
        continue;
      add_file(std::move(file), classifier, out);
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
  fail_page(url, "it is of the unknown content type " + to_utf8(type));
}

}  // namespace autopin::python
