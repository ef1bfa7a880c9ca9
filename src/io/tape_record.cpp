// Recorder of tape.h: each part asks the real one and writes both down.
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "io/tape.h"
#include "io/tape_codec.h"
#include "io/tape_request.h"

namespace autopin {
namespace {

namespace fs = std::filesystem;

/// The tape and the rules, shared by the five parts.
struct Tape {
  TapeWriter writer;
  Scrubber scrubber;

  void add(const std::string& kind, const TapeJson& request,
           const TapeJson& result) {
    const auto hide = [&](std::string_view text) {
      return scrubber.hide(text);
    };
    writer.add(kind, changed(request, hide), changed(result, hide));
  }

  /// Asks, and writes down what came: the answer as `to_json` has it, or the
  /// Error.
  template <typename Ask, typename ToJson>
  auto record(const std::string& kind, const TapeJson& request, const Ask& ask,
              const ToJson& to_json) {
    try {
      auto answer = ask();
      add(kind, request, to_json(answer));
      return answer;
    } catch (const Error& error) {
      add(kind, request, {{"error", error.what()}});
      throw;
    }
  }
};

class RecordingCommands : public CommandRunner {
 public:
  RecordingCommands(Tape& tape, CommandRunner& real)
      : tape_(tape), real_(real) {}
  CommandResult run(const Command& command, const OutputSink& sink) override {
    return tape_.record(
        "command", request_of(command),
        [&] { return real_.run(command, sink); },
        [](const CommandResult& result) {
          TapeJson json{{"exit_code", result.exit_code}};
          if (result.timed_out)
            json["timed_out"] = true;
          json["out"] = result.out;
          json["err"] = result.err;
          return json;
        });
  }

 private:
  Tape& tape_;
  CommandRunner& real_;
};

class RecordingHttp : public HttpClient {
 public:
  RecordingHttp(Tape& tape, HttpClient& real) : tape_(tape), real_(real) {}
  HttpResponse get(const HttpRequest& request) override {
    try {
      HttpResponse response = real_.get(request);
      write(request, response);
      return response;
    } catch (const Error& error) {
      tape_.add("get", request_of(request), {{"error", error.what()}});
      throw;
    }
  }
  void expect(const std::vector<HttpRequest>& soon) override {
    real_.expect(soon);
  }
  void keep(const HttpRequest& request, const HttpResponse& response) override {
    real_.keep(request, response);
  }

 private:
  void write(const HttpRequest& request, const HttpResponse& response) {
    const auto hide = [&](std::string_view text) {
      return tape_.scrubber.hide(text);
    };
    TapeJson headers = TapeJson::object();
    std::string type;
    for (const auto& [name, value] : response.headers) {
      if (is_kept_header(name))
        headers[name] = hide(value);
      if (name == "content-type")
        type = to_lower(value);
    }
    // Only pages of an index; a file's bytes are hashed, and stay.
    const bool is_page = type.find("html") != std::string::npos ||
                         type.find("json") != std::string::npos;
    tape_.writer.add("get", changed(request_of(request), hide),
                     {{"status", response.status},
                      {"headers", headers},
                      {"url", hide(response.url)},
                      {"page", is_page},
                      {"body", is_page ? tape_.scrubber.hide_page(response.body)
                                       : response.body}});
  }

  Tape& tape_;
  HttpClient& real_;
};

class RecordingFiles : public Files {
 public:
  RecordingFiles(Tape& tape, Files& real) : tape_(tape), real_(real) {}
  std::optional<std::string> read(const fs::path& path) override {
    return tape_.record(
        "read", request_of(path), [&] { return real_.read(path); },
        [](const std::optional<std::string>& content) {
          return content ? TapeJson{{"content", *content}}
                         : TapeJson{{"content", nullptr}};
        });
  }
  void write(const fs::path& path, std::string_view content) override {
    record_act("write", request_of(path, content),
               [&] { real_.write(path, content); });
  }
  void append(const fs::path& path, std::string_view content) override {
    record_act("append", request_of(path, content),
               [&] { real_.append(path, content); });
  }
  void remove(const fs::path& path) override {
    record_act("remove", request_of(path), [&] { real_.remove(path); });
  }
  void make_folders(const fs::path& path) override {
    record_act("make-folders", request_of(path),
               [&] { real_.make_folders(path); });
  }
  bool exists(const fs::path& path) override {
    return tape_.record(
        "exists", request_of(path), [&] { return real_.exists(path); },
        [](bool there) {
          return TapeJson{{"exists", there}};
        });
  }
  fs::path make_temporary_folder() override {
    return tape_.record(
        "temporary-folder", TapeJson::object(),
        [&] { return real_.make_temporary_folder(); },
        [](const fs::path& path) { return request_of(path); });
  }
  std::vector<std::string> list(const fs::path& folder) override {
    return tape_.record(
        "list", request_of(folder), [&] { return real_.list(folder); },
        [](const std::vector<std::string>& names) {
          return TapeJson{{"names", names}};
        });
  }

 private:
  template <typename Act>
  void record_act(const std::string& kind, const TapeJson& request,
                  const Act& act) {
    tape_.record(
        kind, request,
        [&] {
          act();
          return 0;
        },
        [](int) { return TapeJson::object(); });
  }

  Tape& tape_;
  Files& real_;
};

class RecordingClock : public Clock {
 public:
  RecordingClock(Tape& tape, Clock& real) : tape_(tape), real_(real) {}
  std::chrono::system_clock::time_point now() override {
    return tape_.record(
        "now", TapeJson::object(), [&] { return real_.now(); },
        [](std::chrono::system_clock::time_point now) {
          return TapeJson{{"ns", std::int64_t{now.time_since_epoch().count()}}};
        });
  }

 private:
  Tape& tape_;
  Clock& real_;
};

class RecordingEnvironment : public Environment {
 public:
  RecordingEnvironment(Tape& tape, Environment& real)
      : tape_(tape), real_(real) {}
  std::optional<std::string> get(const std::string& name) override {
    return tape_.record(
        "variable", TapeJson{{"name", name}}, [&] { return real_.get(name); },
        [](const std::optional<std::string>& value) {
          return value ? TapeJson{{"value", *value}}
                       : TapeJson{{"value", nullptr}};
        });
  }

 private:
  Tape& tape_;
  Environment& real_;
};

}  // namespace

struct Recorder::Parts {
  Tape tape;
  RecordingCommands commands;
  RecordingHttp http;
  RecordingFiles files;
  RecordingClock clock;
  RecordingEnvironment environment;
  World world{commands, http, files, clock, environment};

  Parts(const fs::path& folder, ScrubRules rules, World& real)
      : tape{TapeWriter(folder), Scrubber(std::move(rules))},
        commands(tape, real.commands),
        http(tape, real.http),
        files(tape, real.files),
        clock(tape, real.clock),
        environment(tape, real.environment) {}
};

Recorder::Recorder(const fs::path& folder, ScrubRules rules, World& real)
    : parts_(std::make_unique<Parts>(folder, std::move(rules), real)) {}
Recorder::~Recorder() = default;
World& Recorder::world() {
  return parts_->world;
}
void Recorder::close() {
  parts_->tape.writer.close();
}

}  // namespace autopin
