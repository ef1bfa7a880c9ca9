#include "log/log_reader.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "base/text.h"
#include "log/clean.h"
#include "log/internal_json.h"
#include "log/nix_lines.h"
#include "log/physical_lines.h"
#include "log/scout.h"

namespace autopin {

namespace {

/// Streams beyond this share stream 0: a log that invents prefixes cannot fill
/// the memory.
constexpr std::size_t most_streams = 10000;

}  // namespace

class LogReader::Impl : private LineTaker {
 public:
  explicit Impl(LogSink& sink)
      : sink_(sink), scout_(sink.scout()), lines_(*this), streams_(1) {}

  void feed(std::string_view bytes) { lines_.feed(bytes); }

  void finish() {
    lines_.finish();
    flush_outcome();
  }

  const LogStream& stream(std::size_t index) const { return streams_[index]; }
  std::size_t stream_count() const { return streams_.size(); }
  long line_count() const { return lines_.count(); }

 private:
  /// A line in which the scout sees nothing would now go to the current stream
  /// as it is and change nothing here.
  bool may_pass() const {
    return scout_ != nullptr && nix_lines_left_ == 0 &&
           (tail_left_ == 0 || !tail_indented_) && !awaits_verdict(current_);
  }

  Scout::Passed pass_over(std::string_view text, long number) override {
    const long most = may_pass() ? sink_.passable(current_, number) : 0;
    if (most == 0)
      return {};
    Scout::Passed passed = scout_->pass(
        text, most, [this](std::uint32_t owner, std::string_view line) {
          return sink_.confirms(owner, line);
        });
    for (long i = 0; i < sink_.comes_after_passing() && passed.lines > 0; ++i) {
      --passed.lines;
      passed.bytes = text.rfind('\n', passed.bytes - 1);
    }
    if (passed.lines == 0)
      return {};
    sink_.on_passed_lines(current_, passed.lines);
    return passed;
  }

  void take_line(std::string_view line, long number, bool redrawn) override {
    number_ = number;
    redrawn_ = redrawn;
    if (line.substr(0, 6) == "@nix {") {
      json_line(line);
    } else {
      std::string colourless;
      text_line(strip_bare_colours(line, colourless));
    }
  }

  // ---- internal-json ----

  void json_line(std::string_view line) {
    const std::optional<JsonEvent> event = parse_internal_json(line);
    if (!event)
      return;
    const auto activity = activities_.find(event->activity);
    switch (event->kind) {
      case JsonEvent::Kind::build_start: {
        const std::size_t index = open_stream(event->text, Source::own);
        activities_[event->activity] = index;
        sink_.on_start(index);
        break;
      }
      case JsonEvent::Kind::stop:
        if (activity != activities_.end()) {
          streams_[activity->second].stopped = true;
          sink_.on_stop(activity->second);
          activities_.erase(activity);
        }
        break;
      case JsonEvent::Kind::log_line:
        builder_text(event->text,
                     activity == activities_.end() ? 0 : activity->second);
        break;
      case JsonEvent::Kind::phase:
        if (activity != activities_.end())
          set_phase(activity->second, event->text);
        break;
      case JsonEvent::Kind::own_phase:
        set_phase(current_, event->text);
        break;
      case JsonEvent::Kind::message:
        message(event->text);
        break;
      case JsonEvent::Kind::other:
        break;
    }
  }

  /// The text of a 101 line: it may hold colour and CR like any other.
  void builder_text(std::string_view text, std::size_t index) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end =
          std::min(text.find_first_of("\r\n", begin), text.size());
      if (end > begin || text.empty()) {
        redrawn_ =
            end < text.size() && text[end] == '\r' &&
            text.find_first_not_of("\r\n", end) != std::string_view::npos;
        std::string scratch;
        const std::string_view line =
            strip_escapes(text.substr(begin, end - begin), scratch);
        builder_line(line, index);
      }
      begin = end + 1;
    }
  }

  void message(std::string_view text) {
    for (const std::string_view piece : lines_of(text)) {
      std::string scratch;
      text_line(strip_escapes(piece, scratch));
    }
  }

  // ---- text ----

  void text_line(std::string_view line) {
    // What is drawn over does not count among the tail's lines.
    if (tail_left_ > 0 && !redrawn_ && tail_line(line))
      return;
    const bool nix = may_be_nix(line);
    if (const auto path = nix ? full_log_hint(line) : std::nullopt) {
      name_tail(*path);
      return;
    }
    if (const auto prefixed = split_prefix(line)) {
      prefixed_line(*prefixed);
      return;
    }
    if (!nix && nix_lines_left_ == 0 && !awaits_verdict(current_)) {
      emit(line, current_, origin_of(current_));
      return;
    }
    if (const auto path = build_start(line)) {
      current_ = open_stream(*path, Source::shared);
      sink_.on_start(current_);
      return;
    }
    if (outcome_line(line))
      return;
    if (continues_nix(line)) {
      emit(line, 0, Origin::nix);
      return;
    }
    // A tail whose head was cut off: still Nix's indentation.
    if (line.size() >= 8 && line.substr(0, 8) == "       >") {
      tail_stream_ =
          tail_stream_ == 0 ? open_stream("", Source::tail) : tail_stream_;
      emit(line.size() > 9 ? line.substr(9) : std::string_view(), tail_stream_,
           Origin::tail);
      return;
    }
    builder_line(line, current_);
  }

  /// nix-output-monitor prefixes the line that starts a build, too, and so says
  /// whose the prefix is: it prints pname, of which a .drv's name says less.
  void prefixed_line(const Prefixed& prefixed) {
    if (const auto path = build_start(prefixed.text)) {
      const std::size_t index = open_stream(*path, Source::own);
      by_label_[std::string(prefixed.name) + '='] = index;
      sink_.on_start(index);
      return;
    }
    builder_line(prefixed.text, open_stream(prefixed.name, Source::own));
  }

  bool outcome_line(std::string_view line) {
    if (const auto path = dependency_failure(line)) {
      outcome(Outcome::Kind::dependency_failed, *path, line);
    } else if (const auto failed = build_failure(line)) {
      outcome(Outcome::Kind::failed, *failed, line);
      failed_path_ = std::string(*failed);
      tail_stream_ = 0;
    } else if (is_dependency_reason(line) && !pending_.derivation.empty()) {
      pending_.kind = Outcome::Kind::dependency_failed;
      flush_outcome();
      return true;
    } else {
      bool ignored = false;
      const auto count = tail_header(line, ignored);
      if (!count)
        return false;
      begin_tail(*count, false);
      return true;
    }
    // The line may say more than the outcome: rules see it as Nix's own words.
    emit(line, 0, Origin::nix);
    nix_lines_left_ = 12;
    bool inline_tail = false;
    if (const auto count = tail_header(line, inline_tail))
      begin_tail(*count, inline_tail);
    return true;
  }

  /// The indented lines under an error of Nix ("specified:", "got:") are Nix's
  /// too, whichever builder wrote last.
  bool continues_nix(std::string_view line) {
    const bool indented = line.substr(0, 2) == "  " || line.empty();
    nix_lines_left_ = indented && nix_lines_left_ > 0 ? nix_lines_left_ - 1 : 0;
    return nix_lines_left_ > 0 && line.find("> ") == std::string_view::npos;
  }

  void outcome(Outcome::Kind kind, std::string_view path,
               std::string_view line) {
    flush_outcome();
    pending_.kind = kind;
    pending_.derivation = std::string(path);
    pending_.number = number_;
    pending_.text = std::string(line.substr(0, 400));
    // 2.29 gives the reason on the next line; all others in the same.
    if (line.find("annot build ") == std::string_view::npos)
      flush_outcome();
  }

  void flush_outcome() {
    if (!pending_.derivation.empty())
      sink_.on_outcome(pending_);
    pending_ = {};
  }

  void begin_tail(int count, bool indented) {
    tail_left_ = std::min(count, 10000);
    tail_indented_ = indented;
    tail_stream_ = open_stream(failed_path_, Source::tail);
  }

  /// One line of a tail, or the first after it.
  bool tail_line(std::string_view line) {
    if (tail_indented_) {  // To 2.3: two spaces.
      if (line.substr(0, 2) == "  " || line.empty()) {
        --tail_left_;
        emit(line.size() > 2 ? line.substr(2) : std::string_view(),
             tail_stream_, Origin::tail);
        return true;
      }
      tail_left_ = 0;
      return false;
    }
    const std::size_t mark = line.find_first_not_of(' ');
    if (mark != std::string_view::npos && line[mark] == '>' &&
        (mark + 1 == line.size() || line[mark + 1] == ' ')) {
      --tail_left_;
      const std::string_view text =
          mark + 2 <= line.size() ? line.substr(mark + 2) : std::string_view();
      emit(text, tail_stream_, Origin::tail);
      return true;
    }
    return false;
  }

  /// "nix log X" names the tail that had no head.
  void name_tail(std::string_view path) {
    if (tail_stream_ != 0 && streams_[tail_stream_].label.empty()) {
      streams_[tail_stream_].label = std::string(path);
      outcome(Outcome::Kind::failed, path, "");
    }
    tail_left_ = 0;
    tail_stream_ = 0;
  }

  void builder_line(std::string_view line, std::size_t index) {
    const std::string_view phase = phase_header(line);
    if (!phase.empty())
      set_phase(index, phase);
    emit(line, index, origin_of(index));
    verdict(line, index);
  }

  static Origin origin_of(std::size_t index) {
    return index == 0 ? Origin::nix : Origin::builder;
  }

  void verdict(std::string_view line, std::size_t index) {
    if (verdicts_.size() < streams_.size())
      verdicts_.resize(streams_.size(), Verdict::none);
    // Where several builds may share the lines, one's success is not another's.
    if (is_success(line, verdicts_[index]) && shared_streams_ < 2)
      sink_.on_success(index);
  }

  bool awaits_verdict(std::size_t index) const {
    return index < verdicts_.size() && verdicts_[index] != Verdict::none;
  }

  void emit(std::string_view text, std::size_t index, Origin origin) {
    if (origin == Origin::tail) {
      const std::string_view phase = phase_header(text);
      if (!phase.empty())
        set_phase(index, phase);
    }
    sink_.on_line(LogLine{number_, text, index, origin, redrawn_});
  }

  void set_phase(std::size_t index, std::string_view phase) {
    if (streams_[index].phase == phase)
      return;
    streams_[index].phase = std::string(phase);
    sink_.on_phase(index, number_);
  }

  enum class Source { own, shared, tail };

  std::size_t open_stream(std::string_view label, Source source) {
    // A tail and the builder's own lines never mix: the tail's phase is not the
    // builder's next phase.
    std::string key(label);
    key += source == Source::tail ? '>' : '=';
    const auto found = by_label_.find(key);
    if (found != by_label_.end() && !label.empty())
      return found->second;
    if (streams_.size() >= most_streams)
      return 0;
    LogStream stream;
    stream.label = std::string(label);
    stream.exclusive = source != Source::shared;
    shared_streams_ += source == Source::shared ? 1 : 0;
    streams_.push_back(std::move(stream));
    by_label_[key] = streams_.size() - 1;
    return streams_.size() - 1;
  }

  LogSink& sink_;
  const Scout* scout_;
  PhysicalLines lines_;
  long number_ = 0;       ///< Of the line that is read now.
  bool redrawn_ = false;  ///< It is drawn over by the next.
  std::vector<LogStream> streams_;
  std::vector<Verdict> verdicts_;  ///< Per stream.
  int shared_streams_ = 0;
  std::unordered_map<std::string, std::size_t> by_label_;
  std::unordered_map<std::uint64_t, std::size_t> activities_;
  std::size_t current_ = 0;
  // The failure last named, and the tail under it.
  std::string failed_path_;
  Outcome pending_;
  int nix_lines_left_ = 0;
  int tail_left_ = 0;
  bool tail_indented_ = false;
  std::size_t tail_stream_ = 0;
};

LogReader::LogReader(LogSink& sink) : impl_(std::make_unique<Impl>(sink)) {}
LogReader::~LogReader() = default;
void LogReader::feed(std::string_view bytes) {
  impl_->feed(bytes);
}
void LogReader::finish() {
  impl_->finish();
}
const LogStream& LogReader::stream(std::size_t index) const {
  return impl_->stream(index);
}
std::size_t LogReader::stream_count() const {
  return impl_->stream_count();
}
long LogReader::line_count() const {
  return impl_->line_count();
}

}  // namespace autopin
