// Player of tape.h: each part takes its next event, which must be what is
// asked.
#include <algorithm>
#include <map>

#include "base/error.h"
#include "io/tape.h"
#include "io/tape_codec.h"
#include "io/tape_request.h"

namespace autopin {
namespace {

namespace fs = std::filesystem;

/// An Error as the recording saw it; its text is "what: where: why" already.
[[noreturn]] void throw_again(const std::string& text) {
  const std::size_t first = std::min(text.find(": "), text.size());
  const std::size_t rest = std::min(first + 2, text.size());
  const std::size_t second = std::min(text.find(": ", rest), text.size());
  throw Error(text.substr(0, first), text.substr(rest, second - rest),
              text.substr(std::min(second + 2, text.size())));
}

class Tape {
 public:
  Tape(const fs::path& folder, ScrubRules rules)
      : events_(read_tape(folder)), scrubber_(std::move(rules)) {}

  /// The recorded answer, with the paths of this run.
  TapeJson answer(const std::string& kind, const TapeJson& asked) {
    const auto show = [&](std::string_view text) {
      return scrubber_.show(text);
    };
    const TapeJson request = changed(
        asked, [&](std::string_view text) { return scrubber_.neutral(text); });
    const TapeEvent* event = next(track_of(kind));
    if (event == nullptr)
      throw Departure("the replay departs from the tape",
                      "after its last event of that sort",
                      "the run asks for more: " + title(kind, request));
    TapeJson recorded = changed(event->request, show);
    // Older tapes have the client's own bound there.
    if (kind == "get")
      recorded.erase("max_bytes");
    if (event->kind != kind)
      depart(*event, "the run asks instead: " + title(kind, request));
    const std::string differs = difference(recorded, request);
    if (!differs.empty())
      depart(*event, differs);
    taken_[track_of(kind)] = event->number;
    const auto error = event->result.find("error");
    if (error != event->result.end())
      throw_again(show(error->get<std::string>()));
    // A file's bytes stand as they came; see the recorder.
    if (kind == "get" && !event->result.at("page").get<bool>()) {
      TapeJson result = event->result;
      result["body"] = nullptr;
      result = changed(result, show);
      result["body"] = event->result.at("body");
      return result;
    }
    return changed(event->result, show);
  }

  void finish() {
    for (const TapeEvent& event : events_)
      if (event.number > taken_[track_of(event.kind)])
        depart(event, "the run ended without asking for it");
  }

 private:
  const TapeEvent* next(TapeTrack track) {
    const int last = taken_[track];
    const auto found = std::find_if(
        events_.begin() + last, events_.end(),
        [&](const TapeEvent& event) { return track_of(event.kind) == track; });
    return found == events_.end() ? nullptr : &*found;
  }

  [[noreturn]] static void depart(const TapeEvent& event,
                                  const std::string& why) {
    throw Departure("the replay departs from the tape",
                    "event " + std::to_string(event.number) + " (" +
                        title(event.kind, event.request) + ")",
                    why);
  }

  std::vector<TapeEvent> events_;
  Scrubber scrubber_;
  std::map<TapeTrack, int> taken_;  // number of the last one
};

class PlayingCommands : public CommandRunner {
 public:
  explicit PlayingCommands(Tape& tape) : tape_(tape) {}
  CommandResult run(const Command& command, const OutputSink& sink) override {
    const TapeJson answer = tape_.answer("command", request_of(command));
    CommandResult result;
    result.exit_code = answer.at("exit_code").get<int>();
    result.timed_out = answer.value("timed_out", false);
    result.out = answer.at("out").get<std::string>();
    result.err = answer.at("err").get<std::string>();
    if (sink && !result.err.empty())
      sink(Stream::err, result.err);
    if (sink && !result.out.empty())
      sink(Stream::out, result.out);
    return result;
  }

 private:
  Tape& tape_;
};

class PlayingHttp : public HttpClient {
 public:
  explicit PlayingHttp(Tape& tape) : tape_(tape) {}
  HttpResponse get(const HttpRequest& request) override {
    const TapeJson answer = tape_.answer("get", request_of(request));
    return {answer.at("status").get<int>(),
            answer.at("headers").get<std::map<std::string, std::string>>(),
            answer.at("body").get<std::string>(),
            answer.at("url").get<std::string>()};
  }

 private:
  Tape& tape_;
};

class PlayingFiles : public Files {
 public:
  PlayingFiles(Tape& tape, Mirror mirror)
      : tape_(tape), mirror_(std::move(mirror)) {}
  std::optional<std::string> read(const fs::path& path) override {
    return text(tape_.answer("read", request_of(path)).at("content"));
  }
  void write(const fs::path& path, std::string_view content) override {
    tape_.answer("write", request_of(path, content));
    if (is_mirrored(path))
      mirror_.files->write(path, content);
  }
  void append(const fs::path& path, std::string_view content) override {
    tape_.answer("append", request_of(path, content));
    if (is_mirrored(path))
      mirror_.files->append(path, content);
  }
  void remove(const fs::path& path) override {
    tape_.answer("remove", request_of(path));
    if (is_mirrored(path))
      mirror_.files->remove(path);
  }
  void make_folders(const fs::path& path) override {
    tape_.answer("make-folders", request_of(path));
    if (is_mirrored(path))
      mirror_.files->make_folders(path);
  }
  bool exists(const fs::path& path) override {
    return tape_.answer("exists", request_of(path)).at("exists").get<bool>();
  }
  fs::path make_temporary_folder() override {
    return tape_.answer("temporary-folder", TapeJson::object())
        .at("path")
        .get<std::string>();
  }
  std::vector<std::string> list(const fs::path& folder) override {
    return tape_.answer("list", request_of(folder))
        .at("names")
        .get<std::vector<std::string>>();
  }

  static std::optional<std::string> text(const TapeJson& value) {
    if (value.is_null())
      return std::nullopt;
    return value.get<std::string>();
  }

 private:
  bool is_mirrored(const fs::path& path) const {
    return mirror_.files != nullptr &&
           std::any_of(mirror_.folders.begin(), mirror_.folders.end(),
                       [&](const fs::path& folder) {
                         const fs::path inside =
                             path.lexically_normal().lexically_relative(
                                 folder.lexically_normal());
                         return !inside.empty() && *inside.begin() != "..";
                       });
  }

  Tape& tape_;
  Mirror mirror_;
};

class PlayingClock : public Clock {
 public:
  explicit PlayingClock(Tape& tape) : tape_(tape) {}
  std::chrono::system_clock::time_point now() override {
    const std::chrono::system_clock::duration since(
        tape_.answer("now", TapeJson::object()).at("ns").get<std::int64_t>());
    return std::chrono::system_clock::time_point(since);
  }

 private:
  Tape& tape_;
};

class PlayingEnvironment : public Environment {
 public:
  explicit PlayingEnvironment(Tape& tape) : tape_(tape) {}
  std::optional<std::string> get(const std::string& name) override {
    return PlayingFiles::text(
        tape_.answer("variable", TapeJson{{"name", name}}).at("value"));
  }

 private:
  Tape& tape_;
};

}  // namespace

struct Player::Parts {
  Tape tape;
  PlayingCommands commands{tape};
  PlayingHttp http{tape};
  PlayingFiles files;
  PlayingClock clock{tape};
  PlayingEnvironment environment{tape};
  World world{commands, http, files, clock, environment};

  Parts(const fs::path& folder, ScrubRules rules, Mirror mirror)
      : tape(folder, std::move(rules)), files(tape, std::move(mirror)) {}
};

Player::Player(const fs::path& folder, ScrubRules rules, Mirror mirror)
    : parts_(std::make_unique<Parts>(folder, std::move(rules),
                                     std::move(mirror))) {}
Player::~Player() = default;
World& Player::world() {
  return parts_->world;
}
void Player::finish() {
  parts_->tape.finish();
}

std::vector<RecordedCommand> failing_commands(const fs::path& folder) {
  std::vector<RecordedCommand> failing;
  for (const TapeEvent& event : read_tape(folder)) {
    const int exit_code =
        event.kind == "command" ? event.result.value("exit_code", 0) : 0;
    if (exit_code != 0)
      failing.push_back(
          {event.number,
           event.request.at("argv").get<std::vector<std::string>>(),
           exit_code});
  }
  return failing;
}

}  // namespace autopin
