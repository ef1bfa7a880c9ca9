#include "io/http_cache.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "io/url.h"

namespace autopin {
namespace {

using Json = nlohmann::json;

/// What readers of an answer look at.
constexpr std::array<std::string_view, 5> kept_headers{
    "accept-ranges", "content-range", "content-type", "etag", "last-modified"};

std::string header(const HttpResponse& response, const std::string& name) {
  const auto found = response.headers.find(name);
  return found == response.headers.end() ? "" : found->second;
}

/// What follows "max-age=" and the like, "" where nothing does (RFC 9111, 5.2).
std::optional<std::string> directive(const HttpResponse& response,
                                     std::string_view name) {
  for (const std::string& part :
       split(to_lower(header(response, "cache-control")), ',')) {
    const std::string_view word = trim(part);
    if (word.substr(0, word.find('=')) == name)
      return std::string(word.substr(std::min(word.size(), name.size() + 1)));
  }
  return std::nullopt;
}

std::int64_t number(const std::string& text) {
  return std::clamp<std::int64_t>(std::strtoll(text.c_str(), nullptr, 10), 0,
                                  365LL * 24 * 3600);
}

/// How long an answer stays fresh from when it comes, in seconds.
std::int64_t lifetime_of(const HttpResponse& response) {
  if (directive(response, "no-cache"))
    return 0;
  const std::int64_t age = number(header(response, "age"));
  return std::max<std::int64_t>(
      0, number(directive(response, "max-age").value_or("")) - age);
}

/// A Last-Modified of the last minute may name two versions (RFC 9110, 8.8.2).
std::string last_modified(const HttpResponse& response) {
  const std::string text = header(response, "last-modified");
  const std::string date = header(response, "date");
  const bool settled = !text.empty() && !date.empty() &&
                       curl_getdate(date.c_str(), nullptr) -
                               curl_getdate(text.c_str(), nullptr) >=
                           60;
  return settled ? text : "";
}

bool may_be_kept(int status) {
  return status == 200 || status == 206 || status == 404 || status == 410;
}

/// Has no password. Of two users each has what the server gave to that name.
std::string key_of(const HttpRequest& request) {
  const Url url = Url::parse(request.url);
  std::string key = url.without_credentials + '\n' + url.credentials.user +
                    '\n' + request.accept + '\n';
  if (request.range)
    key += std::to_string(request.range->first) + ' ' +
           std::to_string(request.range->second);
  return key;
}

/// A query may hold a signature; links do not resolve against it.
std::string without_query(const std::string& url) {
  return url.substr(0, url.find_first_of("?#"));
}

}  // namespace

/// An answer without its body.
struct CachingHttpClient::Note {
  int status = 0;
  std::map<std::string, std::string> headers;
  std::string url;
  std::string body;  ///< Its SHA-256.
  std::int64_t lifetime = 0;
  std::int64_t fresh_until = 0;

  std::string text() const {
    return Json{{"status", status},     {"headers", headers},
                {"url", url},           {"body", body},
                {"lifetime", lifetime}, {"fresh_until", fresh_until}}
        .dump(-1, ' ', true, Json::error_handler_t::replace);
  }

  /// Checked by the folder: what cannot be read was written by another version.
  static std::optional<Note> from(const std::string& text) {
    const Json json = Json::parse(text, nullptr, false);
    try {
      return Note{json.at("status"),   json.at("headers"),
                  json.at("url"),      json.at("body"),
                  json.at("lifetime"), json.at("fresh_until")};
    } catch (const Json::exception&) {
      return std::nullopt;
    }
  }

  HttpRequest asked_after(HttpRequest request) const {
    const auto etag = headers.find("etag");
    const auto modified = headers.find("last-modified");
    if (etag != headers.end())
      request.if_none_match = etag->second;
    else if (modified != headers.end())
      request.if_modified_since = modified->second;
    return request;
  }
};

std::filesystem::path http_cache_folder() {
  constexpr const char* name = "autopin/http-1";
  // A relative one is to be ignored (XDG Base Directory Specification).
  if (const char* cache = std::getenv("XDG_CACHE_HOME");
      cache != nullptr && cache[0] == '/')
    return std::filesystem::path(cache) / name;
  if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/')
    return std::filesystem::path(home) / ".cache" / name;
  return {};
}

CachingHttpClient::CachingHttpClient(HttpClient& real, Clock& clock,
                                     HttpCacheOptions options)
    : real_(real),
      clock_(clock),
      options_(std::move(options)),
      folder_(options_.folder, options_.max_bytes) {}

std::int64_t CachingHttpClient::now() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             clock_.now().time_since_epoch())
      .count();
}

std::optional<CachingHttpClient::Note> CachingHttpClient::note_of(
    const HttpRequest& request) {
  if (!remembers() || !request.sha256.empty())
    return std::nullopt;
  const auto text = folder_.note(key_of(request));
  const auto note = text ? Note::from(*text) : std::nullopt;
  return note && folder_.has_bytes(note->body) ? note : std::nullopt;
}

void CachingHttpClient::keep_note(const HttpRequest& request,
                                  const Note& note) {
  folder_.keep_note(key_of(request), note.text());
}

bool CachingHttpClient::is_fresh(const Note& note) {
  return options_.offline || now() < note.fresh_until;
}

std::optional<HttpResponse> CachingHttpClient::answer_of(const Note& note) {
  auto body = folder_.bytes(note.body);
  if (!body)
    return std::nullopt;
  return HttpResponse{note.status, note.headers, *std::move(body), note.url,
                      true};
}

std::optional<HttpResponse> CachingHttpClient::known_bytes(
    const HttpRequest& request) {
  if (!remembers() || request.sha256.empty())
    return std::nullopt;
  auto body = folder_.bytes(request.sha256);
  if (!body)
    return std::nullopt;
  return HttpResponse{200,
                      {},
                      *std::move(body),
                      Url::parse(request.url).without_credentials,
                      true};
}

HttpResponse CachingHttpClient::get(const HttpRequest& request) {
  if (auto known = known_bytes(request))
    return *std::move(known);
  auto note = note_of(request);
  if (note && is_fresh(*note))
    if (auto answer = answer_of(*note))
      return *std::move(answer);
  if (options_.offline)
    throw Error("cannot get", Url::parse(request.url).without_credentials,
                "it is not in the cache, and --offline asks nobody else");
  if (!note)
    return real_.get(request);
  HttpResponse response = real_.get(note->asked_after(request));
  if (response.status != 304)
    return response;
  auto answer = answer_of(*note);
  if (!answer)  // damaged
    return real_.get(request);
  if (response.headers.count("cache-control") != 0)
    note->lifetime = lifetime_of(response);
  note->fresh_until = now() + note->lifetime;
  if (note->lifetime > 0)
    keep_note(request, *note);
  return *std::move(answer);
}

void CachingHttpClient::expect(const std::vector<HttpRequest>& soon) {
  if (options_.offline)
    return;
  std::vector<HttpRequest> missing;
  for (const HttpRequest& request : soon) {
    if (remembers() && !request.sha256.empty() &&
        folder_.has_bytes(request.sha256))
      continue;
    try {
      const auto note = note_of(request);
      if (!note || !is_fresh(*note))
        missing.push_back(note ? note->asked_after(request) : request);
    } catch (const Error&) {
      continue;  // No URL: `get` will say so.
    }
  }
  real_.expect(missing);
}

void CachingHttpClient::keep(const HttpRequest& request,
                             const HttpResponse& response) {
  if (!remembers() || response.kept || !may_be_kept(response.status) ||
      directive(response, "no-store"))
    return;
  if (!request.sha256.empty()) {
    if (response.status == 200)
      folder_.keep_bytes(response.body);
    return;
  }
  Note note;
  note.status = response.status;
  for (const std::string_view name : kept_headers) {
    const auto found = response.headers.find(std::string(name));
    if (found != response.headers.end())
      note.headers.insert(*found);
  }
  if (last_modified(response).empty())
    note.headers.erase("last-modified");
  note.url = without_query(response.url);
  note.body = folder_.keep_bytes(response.body);
  note.lifetime = lifetime_of(response);
  note.fresh_until = now() + note.lifetime;
  keep_note(request, note);
}

}  // namespace autopin
