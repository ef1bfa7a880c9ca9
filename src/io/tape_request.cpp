#include "io/tape_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/printable.h"
#include "base/text.h"
#include "io/tape.h"

namespace autopin {
namespace {

constexpr std::size_t longest_title = 160;
constexpr std::size_t context = 24;

std::string around(std::string_view text, std::size_t at) {
  if (at >= text.size())
    return "its end";
  const std::size_t begin = at > context ? at - context : 0;
  const std::string_view part = text.substr(begin, 2 * context);
  return fmt::format("“{}{}{}”", begin > 0 ? "…" : "", printable_line(part),
                     begin + part.size() < text.size() ? "…" : "");
}

/// "/argv/2" as a person says it.
std::string name_of(const std::string& pointer) {
  const std::vector<std::string> parts = split(pointer, '/');
  if (parts.size() == 3 && parts[1] == "argv")
    return parts[2] == "0" ? "the program" : "argument " + parts[2];
  if (parts.size() < 2)
    return "the request";
  return join({parts.begin() + 1, parts.end()}, " ");
}

std::string difference_at(const TapeJson& expected, const TapeJson& actual,
                          const std::string& pointer) {
  if (expected == actual)
    return {};
  if (expected.is_array() && actual.is_array()) {
    for (std::size_t i = 0; i < std::min(expected.size(), actual.size()); ++i)
      if (expected[i] != actual[i])
        return difference_at(expected[i], actual[i],
                             pointer + "/" + std::to_string(i));
    const bool fewer = actual.size() < expected.size();
    const TapeJson& odd =
        fewer ? expected[actual.size()] : actual[expected.size()];
    return fmt::format(
        "{} is {} the tape: {}",
        name_of(pointer + "/" +
                std::to_string(std::min(expected.size(), actual.size()))),
        fewer ? "missing, which is on" : "more than is on",
        odd.is_string() ? around(odd.get<std::string>(), 0) : odd.dump());
  }
  if (expected.is_object() && actual.is_object()) {
    for (const auto& [key, value] : expected.items()) {
      const auto found = actual.find(key);
      if (found == actual.end())
        return name_of(pointer + "/" + key) + " is missing, which the tape has";
      if (*found != value)
        return difference_at(value, *found, pointer + "/" + key);
    }
    for (const auto& [key, value] : actual.items())
      if (!expected.contains(key))
        return name_of(pointer + "/" + key) + " is not on the tape";
  }
  if (expected.is_string() && actual.is_string())
    return name_of(pointer) + " differs at " +
           first_difference(expected.get_ref<const std::string&>(),
                            actual.get_ref<const std::string&>());
  return fmt::format("{} is {} where the tape has {}", name_of(pointer),
                     printable_line(actual.dump(
                         -1, ' ', true, TapeJson::error_handler_t::replace)),
                     printable_line(expected.dump(
                         -1, ' ', true, TapeJson::error_handler_t::replace)));
}

}  // namespace

TapeTrack track_of(std::string_view kind) {
  if (kind == "command")
    return TapeTrack::commands;
  if (kind == "get")
    return TapeTrack::http;
  if (kind == "now")
    return TapeTrack::clock;
  if (kind == "variable")
    return TapeTrack::environment;
  return TapeTrack::files;
}

TapeJson request_of(const Command& command) {
  TapeJson request{{"argv", command.argv}};
  // `--option access-tokens X`: the value is a word of its own.
  auto& argv = request["argv"];
  for (std::size_t i = 0; i + 1 < argv.size(); ++i)
    if (command.argv[i].ends_with("access-tokens"))
      argv[i + 1] = "secret";
  if (!command.input.empty())
    request["input"] = command.input;
  if (!command.folder.empty())
    request["folder"] = command.folder.string();
  if (!command.environment.empty()) {
    auto& variables = request["environment"] = TapeJson::array();
    for (const auto& [name, value] : command.environment)
      variables.push_back(value ? name + "=" + *value : name + " (unset)");
  }
  if (command.timeout.count() != 0)
    request["timeout_ms"] = command.timeout.count();
  return request;
}

TapeJson request_of(const HttpRequest& request) {
  TapeJson json{{"url", request.url}};
  if (!request.accept.empty())
    json["accept"] = request.accept;
  if (request.range)
    json["range"] = {request.range->first, request.range->second};
  return json;
}

TapeJson request_of(const std::filesystem::path& path) {
  return {{"path", path.string()}};
}

TapeJson request_of(const std::filesystem::path& path,
                    std::string_view content) {
  return {{"path", path.string()}, {"content", content}};
}

bool is_kept_header(const std::string& name) {
  constexpr std::array<std::string_view, 8> kept{
      "accept-ranges", "content-length", "content-range", "content-type",
      "etag",          "last-modified",  "location",      "retry-after"};
  return std::find(kept.begin(), kept.end(), name) != kept.end();
}

TapeJson changed(const TapeJson& value, const TextChange& change) {
  if (value.is_string())
    return change(value.get_ref<const std::string&>());
  if (!value.is_structured())
    return value;
  TapeJson copy = value;
  for (auto& item : copy)
    item = changed(item, change);
  return copy;
}

std::string title(const std::string& kind, const TapeJson& request) {
  std::string words = kind;
  for (const char* key : {"url", "path", "name"})
    if (request.contains(key))
      words += " " + request.at(key).get<std::string>();
  if (request.contains("argv"))
    for (const auto& argument : request.at("argv"))
      words += " " + argument.get<std::string>();
  words = printable_line(words);
  if (words.size() > longest_title)
    words = to_utf8(words.substr(0, longest_title)) + "…";
  return words;
}

std::string difference(const TapeJson& expected, const TapeJson& actual) {
  return difference_at(expected, actual, "");
}

std::string first_difference(std::string_view expected,
                             std::string_view actual) {
  if (expected == actual)
    return {};
  const auto at =
      static_cast<std::size_t>(std::mismatch(expected.begin(), expected.end(),
                                             actual.begin(), actual.end())
                                   .first -
                               expected.begin());
  const auto line =
      std::count(expected.begin(),
                 expected.begin() + static_cast<std::ptrdiff_t>(at), '\n') +
      1;
  return fmt::format("byte {} (line {}): {} where {} was expected", at, line,
                     around(actual, at), around(expected, at));
}

}  // namespace autopin
