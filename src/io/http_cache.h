#pragma once
// An HTTP client that remembers (RFC 9111, for one user): what is fresh by
// Cache-Control max-age is not asked for again, what has an ETag or a
// Last-Modified is asked after, and bytes whose SHA-256 is known come from
// wherever they once came. Of a page its reader may hand in something shorter
// that says the same; no tape is made of that.

#include <filesystem>
#include <optional>

#include "io/cache_folder.h"
#include "io/clock.h"
#include "io/http.h"

namespace autopin {

struct HttpCacheOptions {
  /// Empty: nothing is kept.
  std::filesystem::path folder;
  /// Nobody is asked; fresh or not, what is kept is the answer.
  bool offline = false;
  std::uint64_t max_bytes = std::uint64_t{2} << 30U;
};

/// $XDG_CACHE_HOME/autopin/http, or below ~/.cache; empty where there is
/// neither. Part of its name is the version of what is in it.
std::filesystem::path http_cache_folder();

class CachingHttpClient : public HttpClient {
 public:
  CachingHttpClient(HttpClient& real, Clock& clock, HttpCacheOptions options);

  /// Throws Error, naming the URL, for what is missing when offline.
  HttpResponse get(const HttpRequest& request) override;
  void expect(const std::vector<HttpRequest>& soon) override;
  void keep(const HttpRequest& request, const HttpResponse& response) override;

 private:
  struct Note;

  bool remembers() const { return !options_.folder.empty(); }
  std::optional<Note> note_of(const HttpRequest& request);
  void keep_note(const HttpRequest& request, const Note& note);
  bool is_fresh(const Note& note);
  std::optional<HttpResponse> answer_of(const Note& note);
  std::optional<HttpResponse> known_bytes(const HttpRequest& request);
  std::int64_t now();

  HttpClient& real_;
  Clock& clock_;
  HttpCacheOptions options_;
  CacheFolder folder_;
};

}  // namespace autopin
