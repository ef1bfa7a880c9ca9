#include "python/remote_wheel.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <utility>
#include <vector>

#include "base/error.h"
#include "python/file_facts.h"

namespace autopin::python {

namespace {

// Holds the longest end of a zip (64 KiB of comment) and more.
constexpr std::int64_t tail_bytes = 96 << 10;
constexpr std::uint64_t least_bytes = 32 << 10;

struct ContentRange {
  std::uint64_t first = 0;
  std::uint64_t total = 0;
};

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word))
    return false;
  text.remove_prefix(word.size());
  return true;
}

bool take(std::string_view& text, std::uint64_t& number) {
  const auto result =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc())
    return false;
  text.remove_prefix(static_cast<std::size_t>(result.ptr - text.data()));
  return true;
}

/// "bytes 10-19/1234" (RFC 9110, 14.4), where it fits the bytes that came.
std::optional<ContentRange> range_of(const HttpResponse& response) {
  const auto header = response.headers.find("content-range");
  if (response.status != 206 || header == response.headers.end())
    return std::nullopt;
  std::string_view text = header->second;
  ContentRange out;
  std::uint64_t last = 0;
  const bool read = take(text, "bytes ") && take(text, out.first) &&
                    take(text, "-") && take(text, last) && take(text, "/") &&
                    take(text, out.total) && text.empty();
  const bool fits = read && out.first <= last && last < out.total &&
                    last - out.first + 1 == response.body.size();
  return fits ? std::optional(out) : std::nullopt;
}

class Remote {
 public:
  Remote(HttpClient& http, const IndexFile& file, HttpRequest request,
         HttpResponse response, ContentRange range)
      : http_(http), file_(file), range_(range) {
    parts_.emplace_back(std::move(request), std::move(response));
  }

  FileFacts facts() {
    FileFacts out = read_wheel(
        [this](std::uint64_t offset, std::uint64_t length) {
          return read(offset, length);
        },
        range_.total, file_.filename);
    out.how = "range";
    check_metadata(out.metadata, file_);
    // Only now is it known to be that wheel.
    for (const auto& [request, response] : parts_)
      http_.keep(request, response);
    return out;
  }

 private:
  std::string read(std::uint64_t offset, std::uint64_t length) {
    const std::string& tail = parts_.front().second.body;
    if (offset >= range_.first)
      return tail.substr(offset - range_.first, length);
    for (const Piece& piece : pieces_)
      if (offset >= piece.first &&
          length <= piece.bytes.size() - (offset - piece.first))
        return piece.bytes.substr(offset - piece.first, length);
    // A member's head is read before its bytes: both at a time.
    const std::uint64_t end =
        std::min(offset + std::max(length, least_bytes), range_.first);
    std::string bytes = fetch(offset, end - offset);
    if (length > bytes.size())
      return bytes + tail.substr(0, length - bytes.size());
    pieces_.push_back({offset, std::move(bytes)});
    return pieces_.back().bytes.substr(0, length);
  }

  std::string fetch(std::uint64_t offset, std::uint64_t length) {
    const auto first = static_cast<std::int64_t>(offset);
    const auto count = static_cast<std::int64_t>(length);
    HttpRequest request;
    request.url = file_.url;
    request.range = {first, first + count - 1};
    request.max_bytes = count;
    HttpResponse response = http_.get(request);
    const auto range = range_of(response);
    if (!range || range->first != offset || response.body.size() != length)
      throw Error("get part of a file", file_.url,
                  "the server does not give the range that it offered");
    parts_.emplace_back(std::move(request), std::move(response));
    return parts_.back().second.body;
  }

  struct Piece {
    std::uint64_t first = 0;
    std::string bytes;
  };

  HttpClient& http_;
  const IndexFile& file_;
  ContentRange range_;
  /// The end first, then others that were needed.
  std::deque<std::pair<HttpRequest, HttpResponse>> parts_;
  std::vector<Piece> pieces_;
};

}  // namespace

HttpRequest tail_request(const IndexFile& file, std::int64_t max_bytes) {
  HttpRequest request;
  request.url = file.url;
  request.range = {-tail_bytes, -1};
  request.max_bytes = max_bytes;
  return request;
}

std::variant<FileFacts, WholeFile, NoRanges> read_remote_wheel(
    HttpClient& http, const IndexFile& file, std::int64_t max_bytes) {
  HttpRequest request = tail_request(file, max_bytes);
  HttpResponse response = http.get(request);
  if (response.status == 200)
    return WholeFile{std::move(response)};
  const auto range = range_of(response);
  if (!range || range->first + response.body.size() != range->total)
    return NoRanges{};
  return Remote(http, file, std::move(request), std::move(response), *range)
      .facts();
}

}  // namespace autopin::python
