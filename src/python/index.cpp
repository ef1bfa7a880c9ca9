#include "python/index.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "python/file_facts.h"
#include "python/file_name.h"
#include "python/index_page.h"
#include "python/name.h"
#include "python/page_digest.h"
#include "python/remote_wheel.h"
#include "python/url.h"

namespace autopin::python {

namespace {

constexpr std::int64_t max_metadata_bytes = 16 << 20;
constexpr std::int64_t max_bytes_of_unknown_size = 512 << 20;
// More is not fetched on a hint: it may turn out not to be needed.
constexpr std::int64_t max_expected_bytes = 32 << 20;

std::string content_type(const HttpResponse& response) {
  const auto found = response.headers.find("content-type");
  return found == response.headers.end() ? "" : found->second;
}

void check_hash(const std::string& found, const std::string& expected,
                const std::string& where) {
  if (!expected.empty() && found != expected)
    throw Error("check the download", where,
                "its sha256 is " + found + ", and the index says " + expected);
}

class HttpIndex final : public Index {
 public:
  HttpIndex(World& world, IndexOptions options)
      : world_(world), options_(std::move(options)) {}

  std::shared_ptr<const Project> project(std::string_view name) override;
  const FileFacts& facts(const IndexFile& file) override;
  const Download& download(const IndexFile& file) override;
  void expect_projects(const std::vector<std::string>& names) override;
  void expect_facts(const IndexFile& file) override;
  void expect_download(const IndexFile& file) override;

 private:
  HttpRequest page_request(const std::string& index,
                           const std::string& key) const;
  static HttpRequest metadata_request(const IndexFile& file);
  HttpRequest file_request(const IndexFile& file) const;
  std::int64_t max_bytes_of(const IndexFile& file) const;

  std::optional<Project> ask(const std::string& index, const std::string& key);
  std::optional<Project> ask_folder(const std::string& folder,
                                    const std::string& key);
  std::optional<Project> ask_links(const std::string& place,
                                   const std::string& key);
  FileFacts look_into(const IndexFile& file);
  std::optional<FileFacts> metadata_beside(const IndexFile& file);
  std::optional<FileFacts> metadata_by_range(const IndexFile& file);
  static FileFacts read_whole(const IndexFile& file, const Download& download);
  const Download& take_in(const IndexFile& file, HttpResponse response);

  World& world_;
  IndexOptions options_;
  // One at a time: answers are asked once, and the client is for one thread.
  std::recursive_mutex mutex_;
  std::map<std::string, std::shared_ptr<const Project>> projects_;
  std::map<std::string, FileFacts> facts_;
  std::map<std::string, Download> downloads_;
  std::set<std::string> expected_;
};

bool has_beside(const IndexFile& file) {
  // Only wheels': a source distribution's setup.py says more.
  return file.has_metadata && file.kind == IndexFile::Kind::wheel &&
         !local_path(file.url);
}

bool may_have_ranges(const IndexFile& file) {
  return file.kind == IndexFile::Kind::wheel && !local_path(file.url);
}

std::int64_t HttpIndex::max_bytes_of(const IndexFile& file) const {
  return std::min(file.size.value_or(max_bytes_of_unknown_size),
                  options_.max_file_bytes);
}

HttpRequest HttpIndex::page_request(const std::string& index,
                                    const std::string& key) const {
  HttpRequest request;
  request.url = index + (index.ends_with('/') ? "" : "/") + key + '/';
  request.accept = simple_api_accept();
  request.max_bytes = options_.max_page_bytes;
  return request;
}

HttpRequest HttpIndex::metadata_request(const IndexFile& file) {
  HttpRequest request;
  request.url = file.url + ".metadata";
  request.max_bytes = max_metadata_bytes;
  request.sha256 = file.metadata_sha256;
  return request;
}

HttpRequest HttpIndex::file_request(const IndexFile& file) const {
  HttpRequest request;
  request.url = file.url;
  request.max_bytes = max_bytes_of(file);
  request.sha256 = file.sha256;
  return request;
}

void HttpIndex::expect_projects(const std::vector<std::string>& names) {
  const std::lock_guard lock(mutex_);
  std::vector<HttpRequest> soon;
  for (const std::string& name : names) {
    const std::string key = normalize_name(name);
    if (!is_valid_name(key) || projects_.count(key) != 0 ||
        !expected_.insert(key).second)
      continue;
    for (const std::string& index : options_.index_urls)
      if (!local_path(index))
        soon.push_back(page_request(index, key));
  }
  world_.http.expect(soon);
}

void HttpIndex::expect_facts(const IndexFile& file) {
  const std::lock_guard lock(mutex_);
  if (facts_.count(file.url) != 0 || downloads_.count(file.url) != 0)
    return;
  if (!has_beside(file) && !may_have_ranges(file))
    return expect_download(file);
  if (!expected_.insert(file.url + " facts").second)
    return;
  world_.http.expect({has_beside(file)
                          ? metadata_request(file)
                          : tail_request(file, max_bytes_of(file))});
}

void HttpIndex::expect_download(const IndexFile& file) {
  const std::lock_guard lock(mutex_);
  if (downloads_.count(file.url) == 0 && !local_path(file.url) &&
      file.size.value_or(0) <= max_expected_bytes &&
      expected_.insert(file.url).second)
    world_.http.expect({file_request(file)});
}

std::shared_ptr<const Project> HttpIndex::project(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const std::string key = normalize_name(name);
  if (!is_valid_name(key))
    return nullptr;
  if (const auto known = projects_.find(key); known != projects_.end())
    return known->second;
  std::shared_ptr<Project> out;
  const auto take = [&](std::optional<Project> found,
                        const std::string& place) {
    if (!found)
      return;
    if (!out)
      out = std::make_shared<Project>(Project{key, {}, {}});
    out->files.reserve(out->files.size() + found->files.size());
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
  if (const auto folder = local_path(index))
    return ask_folder(*folder, key);
  const HttpRequest request = page_request(index, key);
  HttpResponse response = world_.http.get(request);
  if (response.status == 404 || response.status == 410) {
    world_.http.keep(request, response);
    return std::nullopt;
  }
  if (response.status != 200)
    throw Error("ask the index", printable_url(request.url),
                "it answers with status " + std::to_string(response.status));
  if (response.kept && content_type(response) == digest_type())
    return read_digest(response.body, key);
  Project out = parse_project_page(response.body, content_type(response),
                                   response.url, key);
  response.headers["content-type"] = digest_type();
  response.body = digest_of(out);
  world_.http.keep(request, response);
  return out;
}

/// An index on disk, as pip takes it: a page for each project.
std::optional<Project> HttpIndex::ask_folder(const std::string& folder,
                                             const std::string& key) {
  const std::string path =
      folder + (folder.ends_with('/') ? "" : "/") + key + "/index.html";
  const auto page = world_.files.read(path);
  return page ? std::optional(parse_html_page(*page, local_url(path), key))
              : std::nullopt;
}

/// A page with links, or a folder with files.
std::optional<Project> HttpIndex::ask_links(const std::string& place,
                                            const std::string& key) {
  Project out;
  const auto folder = local_path(place);
  if (!folder && place.find("://") != std::string::npos) {
    HttpRequest request;
    request.url = place;
    request.max_bytes = options_.max_page_bytes;
    const HttpResponse response = world_.http.get(request);
    if (response.status != 200)
      throw Error("ask for links", printable_url(place),
                  "it answers with status " + std::to_string(response.status));
    out = parse_html_page(response.body, response.url, key, true);
    world_.http.keep(request, response);
  } else {
    const std::string path = folder.value_or(place);
    Classifier classifier(key);
    for (const std::string& name : world_.files.list(path)) {
      IndexFile file;
      file.filename = name;
      file.url = local_url(path + '/' + name);
      if (classifier.classify(file))
        out.files.push_back(std::move(file));
    }
  }
  return out.files.empty() ? std::nullopt : std::optional(std::move(out));
}

const FileFacts& HttpIndex::facts(const IndexFile& file) {
  const std::lock_guard lock(mutex_);
  if (const auto known = facts_.find(file.url); known != facts_.end())
    return known->second;
  return facts_[file.url] = look_into(file);
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

/// PEP 658.
std::optional<FileFacts> HttpIndex::metadata_beside(const IndexFile& file) {
  if (!has_beside(file))
    return std::nullopt;
  const HttpRequest request = metadata_request(file);
  const HttpResponse response = world_.http.get(request);
  // Promised and absent: the file itself still tells.
  if (response.status != 200)
    return std::nullopt;
  if (!response.kept)
    check_hash(to_hex(sha256(response.body)), file.metadata_sha256,
               request.url);
  FileFacts out;
  out.metadata = parse_metadata(response.body, request.url);
  check_metadata(out.metadata, file);
  out.how = "metadata file";
  world_.http.keep(request, response);
  return out;
}

std::optional<FileFacts> HttpIndex::metadata_by_range(const IndexFile& file) {
  if (!may_have_ranges(file))
    return std::nullopt;
  auto found = read_remote_wheel(world_.http, file, max_bytes_of(file));
  if (auto* whole = std::get_if<WholeFile>(&found))
    return read_whole(file, take_in(file, std::move(whole->response)));
  if (auto* read = std::get_if<FileFacts>(&found))
    return std::move(*read);
  return std::nullopt;
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
  check_metadata(out.metadata, file);
  out.how = "whole file";
  return out;
}

/// What came for the file, if it is what the page promised.
const Download& HttpIndex::take_in(const IndexFile& file,
                                   HttpResponse response) {
  const std::string& bytes = response.body;
  if (file.size && *file.size != static_cast<std::int64_t>(bytes.size()))
    throw Error("check the download", file.url,
                "it has " + std::to_string(bytes.size()) +
                    " bytes, and the index says " + std::to_string(*file.size));
  const bool is_checked = response.kept && !file.sha256.empty();
  const std::string hash =
      is_checked ? file.sha256 : to_hex(sha256(response.body));
  check_hash(hash, file.sha256, file.url);
  // Without a hash on the page nobody could tell it from another one.
  if (!file.sha256.empty())
    world_.http.keep(file_request(file), response);
  return downloads_[file.url] = {file, std::move(response.body), hash};
}

const Download& HttpIndex::download(const IndexFile& file) {
  const std::lock_guard lock(mutex_);
  if (const auto known = downloads_.find(file.url); known != downloads_.end())
    return known->second;
  if (const auto path = local_path(file.url)) {
    auto bytes = world_.files.read(*path);
    if (!bytes)
      throw Error("read the file", file.url, "it is gone");
    return take_in(file, {200, {}, *std::move(bytes), file.url});
  }
  HttpResponse response = world_.http.get(file_request(file));
  if (response.status != 200)
    throw Error(
        "download", file.url,
        "the server answers with status " + std::to_string(response.status));
  return take_in(file, std::move(response));
}

}  // namespace

std::unique_ptr<Index> make_index(World& world, IndexOptions options) {
  return std::make_unique<HttpIndex>(world, std::move(options));
}

}  // namespace autopin::python
