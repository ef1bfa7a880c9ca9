#include "log/internal_json.h"

#include <nlohmann/json.hpp>

#include "base/text.h"

namespace autopin {

namespace {

using nlohmann::json;

// libutil/logging.hh: ActivityType and ResultType.
constexpr int activity_build = 105;
constexpr int result_build_log_line = 101;
constexpr int result_set_phase = 104;
constexpr int result_post_build_log_line = 107;

std::string string_at(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>()
                                                     : std::string();
}

int int_at(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<int>()
                                                             : -1;
}

std::string first_field(const json& object) {
  const auto found = object.find("fields");
  if (found == object.end() || !found->is_array() || found->empty() ||
      !(*found)[0].is_string())
    return {};
  return (*found)[0].get<std::string>();
}

}  // namespace

std::optional<JsonEvent> parse_internal_json(std::string_view line) {
  line.remove_prefix(5);
  json object = json::parse(line, nullptr, false);
  if (object.is_discarded())  // Builders print any byte; JSON wants UTF-8.
    object = json::parse(to_utf8(line), nullptr, false);
  if (!object.is_object())
    return std::nullopt;
  JsonEvent event;
  const auto id = object.find("id");
  if (id != object.end() && id->is_number_unsigned())
    event.activity = id->get<std::uint64_t>();
  const std::string action = string_at(object, "action");
  const int type = int_at(object, "type");
  if (action == "start" && type == activity_build) {
    event.kind = JsonEvent::Kind::build_start;
    event.text = first_field(object);
  } else if (action == "stop") {
    event.kind = JsonEvent::Kind::stop;
  } else if (action == "result" && (type == result_build_log_line ||
                                    type == result_post_build_log_line)) {
    event.kind = JsonEvent::Kind::log_line;
    event.text = first_field(object);
  } else if (action == "result" && type == result_set_phase) {
    event.kind = JsonEvent::Kind::phase;
    event.text = first_field(object);
  } else if (action == "msg") {
    event.kind = JsonEvent::Kind::message;
    event.text = string_at(object, "msg");
    // Nix 2.4 to 2.8 leave `msg` of an error without its cause now and then.
    if (event.text.empty())
      event.text = string_at(object, "raw_msg");
  } else if (action == "setPhase") {
    // Written by stdenv into the builder's own output, and kept in `nix log`.
    event.kind = JsonEvent::Kind::own_phase;
    event.text = string_at(object, "phase");
  }
  return event;
}

}  // namespace autopin
