#include "python/index.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "python/file_facts.h"
#include "python/file_name.h"
#include "python/index_page.h"
#include "python/name.h"
#include "python/url.h"

namespace autopin::python {

namespace {

// Holds the longest end of a zip (64 KiB of comment) and more.
constexpr std::int64_t tail_bytes = 96 << 10;
constexpr std::int64_t max_metadata_bytes = 16 << 20;

std::string header(const HttpResponse& response, const std::string& name) {
  const auto found = response.headers.find(name);
  return found == response.headers.end() ? "" : found->second;
}

/// The file's size out of "bytes 10-19/1234" (RFC 9110, 14.4).
std::optional<std::int64_t> total_size(const HttpResponse& response) {
  const std::string range = header(response, "content-range");
  const std::size_t slash = range.find('/');
  if (slash == std::string::npos)
    return std::nullopt;
  std::int64_t out = 0;
  const char* end = range.data() + range.size();
  const auto result = std::from_chars(range.data() + slash + 1, end, out);
  if (result.ec != std::errc() || result.ptr != end)
    return std::nullopt;
  return out;
}

void check_hash(const std::string& bytes, const std::string& expected,
                const std::string& where) {
  const std::string found = to_hex(sha256(bytes));
  if (!expected.empty() && found != expected)
    throw Error("check the download", where,
                "its sha256 is " + found + ", and the index says " + expected);
}

class HttpIndex final : public Index {
 public:
  HttpIndex(World& world, IndexOptions options)
      : world_(world), options_(std::move(options)) {}

  std::optional<Project> project(std::string_view name) override;
  FileFacts facts(const IndexFile& file) override;
  Download download(const IndexFile& file) override;

 private:
  std::optional<Project> ask(const std::string& index, const std::string& key);
  std::optional<Project> ask_links(const std::string& place,
                                   const std::string& key);
  FileFacts look_into(const IndexFile& file);
  std::optional<FileFacts> metadata_beside(const IndexFile& file);
  std::optional<FileFacts> metadata_by_range(const IndexFile& file);
  FileFacts read_whole(const IndexFile& file, const Download& download);
  std::string get_range(const IndexFile& file, std::uint64_t offset,
                        std::uint64_t length);
  std::string fetch(const IndexFile& file);

  World& world_;
  IndexOptions options_;
  // One at a time: answers are asked once, and the client has one connection.
  std::recursive_mutex mutex_;
  std::map<std::string, std::optional<Project>> projects_;
  std::map<std::string, FileFacts> facts_;
  std::map<std::string, Download> downloads_;
};

std::optional<Project> HttpIndex::project(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const std::string key = normalize_name(name);
  if (!is_valid_name(key))
    return std::nullopt;
  if (const auto known = projects_.find(key); known != projects_.end())
    return known->second;
  std::optional<Project> out;
  const auto take = [&](std::optional<Project> found,
                        const std::string& place) {
    if (!found)
      return;
    if (!out)
      out = Project{key, {}, {}};
    for (IndexFile& file : found->files) {
      file.index = printable_url(place);
      out->files.push_back(std::move(file));
    }
    out->skipped.insert(out->skipped.end(), found->skipped.begin(),
                        found->skipped.end());
  };
  for (const std::string& url : options_.index_urls)
    take(ask(url, key), url);
  for (const std::string& place : options_.find_links)
    take(ask_links(place, key), place);
  projects_[key] = out;
  return out;
}

std::optional<Project> HttpIndex::ask(const std::string& index,
                                      const std::string& key) {
  HttpRequest request;
  request.url =
      index + (index.empty() || index.back() != '/' ? "/" : "") + key + '/';
  request.accept = simple_api_accept();
  request.max_bytes = options_.max_page_bytes;
  const HttpResponse response = world_.http.get(request);
  if (response.status == 404 || response.status == 410)
    return std::nullopt;
  if (response.status != 200)
    throw Error("ask the index", printable_url(request.url),
                "it answers with status " + std::to_string(response.status));
  return parse_project_page(response.body, header(response, "content-type"),
                            response.url, key);
}

/// A page with links, or a folder with files.
std::optional<Project> HttpIndex::ask_links(const std::string& place,
                                            const std::string& key) {
  Project out;
  if (place.find("://") != std::string::npos &&
      place.substr(0, 7) != "file://") {
    HttpRequest request;
    request.url = place;
    request.max_bytes = options_.max_page_bytes;
    const HttpResponse response = world_.http.get(request);
    if (response.status != 200)
      throw Error("ask for links", printable_url(place),
                  "it answers with status " + std::to_string(response.status));
    out = parse_html_page(response.body, response.url, key, true);
  } else {
    const std::string folder =
        place.substr(0, 7) == "file://" ? place.substr(7) : place;
    for (const std::string& name : world_.files.list(folder)) {
      IndexFile file;
      file.filename = name;
      file.url = "file://" + folder + '/' + name;
      if (classify_file(key, file))
        out.files.push_back(std::move(file));
    }
  }
  return out.files.empty() ? std::nullopt : std::optional(std::move(out));
}

FileFacts HttpIndex::facts(const IndexFile& file) {
  const std::lock_guard lock(mutex_);
  if (const auto known = facts_.find(file.url); known != facts_.end())
    return known->second;
  FileFacts out = look_into(file);
  check_metadata(out.metadata, file);
  facts_[file.url] = out;
  return out;
}

FileFacts HttpIndex::look_into(const IndexFile& file) {
  if (downloads_.find(file.url) == downloads_.end()) {
    if (auto found = metadata_beside(file))
      return *std::move(found);
    if (auto found = metadata_by_range(file))
      return *std::move(found);
  }
  return read_whole(file, download(file));
}

/// PEP 658. Only for wheels: a source distribution's setup.py says more.
std::optional<FileFacts> HttpIndex::metadata_beside(const IndexFile& file) {
  if (!file.has_metadata || file.kind != IndexFile::Kind::wheel)
    return std::nullopt;
  HttpRequest request;
  request.url = file.url + ".metadata";
  request.max_bytes = max_metadata_bytes;
  const HttpResponse response = world_.http.get(request);
  // Promised and absent: the file itself still tells.
  if (response.status != 200)
    return std::nullopt;
  check_hash(response.body, file.metadata_sha256, request.url);
  FileFacts out;
  out.metadata = parse_metadata(response.body, request.url);
  out.how = "metadata file";
  return out;
}

std::string HttpIndex::get_range(const IndexFile& file, std::uint64_t offset,
                                 std::uint64_t length) {
  if (length == 0)
    return "";
  const auto first = static_cast<std::int64_t>(offset);
  const auto count = static_cast<std::int64_t>(length);
  HttpRequest request;
  request.url = file.url;
  request.range = {first, first + count - 1};
  request.max_bytes = count;
  HttpResponse response = world_.http.get(request);
  if (response.status != 206 || response.body.size() != length)
    throw Error("get part of a file", file.url,
                "the server does not give the range that it offered");
  return std::move(response.body);
}

/// The end of a wheel holds its directory and mostly its METADATA (PEP 427
/// recommends to put it there). Nothing where the server gives no ranges.
std::optional<FileFacts> HttpIndex::metadata_by_range(const IndexFile& file) {
  if (file.kind != IndexFile::Kind::wheel || file.url.substr(0, 4) != "http")
    return std::nullopt;
  HttpRequest request;
  request.url = file.url;
  request.range = {-tail_bytes, -1};
  request.max_bytes = options_.max_file_bytes;
  HttpResponse response = world_.http.get(request);
  if (response.status == 200) {
    Download whole{file, std::move(response.body), ""};
    check_hash(whole.bytes, file.sha256, file.url);
    whole.sha256 = to_hex(sha256(whole.bytes));
    return read_whole(file, downloads_[file.url] = std::move(whole));
  }
  const auto size = total_size(response);
  if (response.status != 206 || !size ||
      *size < static_cast<std::int64_t>(response.body.size()))
    return std::nullopt;
  const auto total = static_cast<std::uint64_t>(*size);
  const std::uint64_t start = total - response.body.size();
  const ReadAt read = [&](std::uint64_t offset, std::uint64_t length) {
    if (offset >= start && length <= total - offset)
      return response.body.substr(offset - start, length);
    return get_range(file, offset, length);
  };
  FileFacts out = read_wheel(read, total, file.filename);
  out.how = "range";
  return out;
}

FileFacts HttpIndex::read_whole(const IndexFile& file,
                                const Download& download) {
  FileFacts out;
  if (file.kind == IndexFile::Kind::wheel) {
    out = read_wheel(read_from(download.bytes), download.bytes.size(),
                     file.filename);
  } else {
    const auto name = SdistName::parse(file.filename);
    out = read_sdist(download.bytes, file.filename, name ? name->project : "");
  }
  out.how = "whole file";
  return out;
}

std::string HttpIndex::fetch(const IndexFile& file) {
  if (file.url.substr(0, 7) == "file://") {
    auto bytes = world_.files.read(file.url.substr(7));
    if (!bytes)
      throw Error("read the file", file.url, "it is gone");
    return *std::move(bytes);
  }
  HttpRequest request;
  request.url = file.url;
  request.max_bytes = options_.max_file_bytes;
  HttpResponse response = world_.http.get(request);
  if (response.status != 200)
    throw Error(
        "download", file.url,
        "the server answers with status " + std::to_string(response.status));
  return std::move(response.body);
}

Download HttpIndex::download(const IndexFile& file) {
  const std::lock_guard lock(mutex_);
  if (const auto known = downloads_.find(file.url); known != downloads_.end())
    return known->second;
  Download out{file, fetch(file), ""};
  if (file.size && *file.size != static_cast<std::int64_t>(out.bytes.size()))
    throw Error("check the download", file.url,
                "it has " + std::to_string(out.bytes.size()) +
                    " bytes, and the index says " + std::to_string(*file.size));
  check_hash(out.bytes, file.sha256, file.url);
  out.sha256 = to_hex(sha256(out.bytes));
  downloads_[file.url] = out;
  return out;
}

}  // namespace

std::unique_ptr<Index> make_index(World& world, IndexOptions options) {
  return std::make_unique<HttpIndex>(world, std::move(options));
}

}  // namespace autopin::python
