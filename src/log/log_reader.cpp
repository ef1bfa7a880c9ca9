#include "log/log_reader.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "log/clean.h"
#include "log/internal_json.h"
#include "log/nix_lines.h"
#include "log/scout.h"

namespace autopin {

namespace {

/// Of a longer physical line the rest is skipped: no rule needs it, and memory
/// stays bounded.
constexpr std::size_t longest_line = 64 * 1024;
/// Streams beyond this share stream 0: a log that invents prefixes cannot fill
/// the memory.
constexpr std::size_t most_streams = 10000;

/// Two drawings of one progress bar: their letters are the same, or more at the
/// end ("Receiving: 99%", "Receiving: 100%, done").
bool is_same_drawing(std::string_view before, std::string_view now) {
  if (before.empty())
    return false;
  const auto letters = [](std::string_view text) {
    std::string kept;
    std::copy_if(text.begin(), text.end(), std::back_inserter(kept),
                 [](unsigned char c) { return std::isalpha(c) != 0; });
    return kept;
  };
  const std::string old_letters = letters(before);
  const std::string new_letters = letters(now);
  return new_letters == old_letters ||
         (old_letters.size() > 3 && now.find('%') != std::string_view::npos &&
          new_letters.compare(0, old_letters.size(), old_letters) == 0);
}

}  // namespace

class LogReader::Impl {
 public:
  explicit Impl(LogSink& sink)
      : sink_(sink), scout_(sink.scout()), streams_(1) {}

  void feed(std::string_view bytes) {
    const char* const begin = bytes.data();
    while (!bytes.empty()) {
      if (bytes.data() != begin && may_pass())
        bytes.remove_prefix(pass({bytes.data() - 1, bytes.size() + 1}));
      const std::size_t end = bytes.find('\n');
      const std::string_view piece = bytes.substr(0, end);
      if (end == std::string_view::npos) {
        keep(piece);
        return;
      }
      bytes.remove_prefix(end + 1);
      ++number_;
      if (rest_.empty()) {
        stamped_line(piece.substr(0, longest_line));
      } else {
        keep(piece);
        std::string line;
        line.swap(rest_);
        stamped_line(line);
      }
    }
  }

  void finish() {
    if (!rest_.empty()) {
      ++number_;
      std::string line;
      line.swap(rest_);
      stamped_line(line);
    }
    flush_pieces();
    flush_outcome();
  }

  const LogStream& stream(std::size_t index) const { return streams_[index]; }
  std::size_t stream_count() const { return streams_.size(); }
  long line_count() const { return number_; }

 private:
  /// A line in which the scout sees nothing would now go to the current stream
  /// as it is and change nothing here.
  bool may_pass() const {
    return scout_ != nullptr && !html_ && pieces_number_ == 0 &&
           nix_lines_left_ == 0 && (tail_left_ == 0 || !tail_indented_) &&
           !awaits_verdict(current_);
  }

  /// `text` begins with the line feed before a line. Answers the bytes done.
  std::size_t pass(std::string_view text) {
    const long most = sink_.passable(current_, number_);
    if (most == 0)
      return 0;
    Scout::Passed passed = scout_->pass(
        text, most, [this](std::uint32_t owner, std::string_view line) {
          return sink_.confirms(owner, line);
        });
    for (long i = 0; i < sink_.comes_after_passing() && passed.lines > 0; ++i) {
      --passed.lines;
      passed.bytes = text.rfind('\n', passed.bytes - 1);
    }
    if (passed.lines == 0)
      return 0;
    number_ += passed.lines;
    sink_.on_passed_lines(current_, passed.lines);
    return passed.bytes;
  }

  void keep(std::string_view piece) {
    if (rest_.size() < longest_line)
      rest_ += piece.substr(0, longest_line - rest_.size());
  }

  /// Puts together what GitLab's runner stamped in pieces.
  void stamped_line(std::string_view line) {
    const std::optional<GitlabStamp> stamp = gitlab_stamp(line);
    if (!stamp) {
      flush_pieces();
      physical_line(line);
      return;
    }
    if (!stamp->goes_on)
      flush_pieces();
    if (pieces_number_ == 0)
      pieces_number_ = number_;
    line.remove_prefix(stamp->length);
    if (pieces_.size() < longest_line)
      pieces_ += line.substr(0, longest_line - pieces_.size());
  }

  void flush_pieces() {
    if (pieces_number_ == 0)
      return;
    const long number = std::exchange(number_, pieces_number_);
    pieces_number_ = 0;
    std::string line;
    line.swap(pieces_);
    physical_line(line);
    number_ = number;
  }

  /// Progress bars redraw by CR: each drawing is a line of its own.
  void physical_line(std::string_view line) {
    if (line.find('\r') == std::string_view::npos) {
      decorated_line(line);
      return;
    }
    std::string_view drawn;
    for (std::size_t begin = 0; begin <= line.size();) {
      const std::size_t end = std::min(line.find('\r', begin), line.size());
      if (end > begin) {
        const std::string_view now = line.substr(begin, end - begin);
        redrawn_ =
            line.find_first_not_of('\r', end) != std::string_view::npos ||
            is_same_drawing(drawn, now);
        decorated_line(now);
        drawn = now;
      }
      begin = end + 1;
    }
    redrawn_ = false;
    if (drawn.empty())
      decorated_line({});
  }

  void decorated_line(std::string_view line) {
    std::string scratch;
    line = strip_odd_ends(strip_escapes(line, scratch));
    line = strip_decoration(line);
    if (is_furniture(line))
      return;
    std::string plain;
    if (line.find('<') != std::string_view::npos && html_tags(line, plain))
      line = plain;
    if (html_ && line.find('&') != std::string_view::npos) {
      plain = unescape_html(line);
      line = plain;
    }
    if (line.substr(0, 6) == "@nix {") {
      json_line(line);
    } else {
      std::string colourless;
      text_line(strip_bare_colours(line, colourless));
    }
  }

  /// A log pasted into an issue: <pre> around, entities within.
  bool html_tags(std::string_view line, std::string& plain) {
    bool changed = false;
    for (const std::string_view tag :
         {"<pre>", "</pre>", "<code>", "</code>"}) {
      const std::string_view now = changed ? std::string_view(plain) : line;
      const std::size_t at = now.find(tag);
      if (at == std::string_view::npos)
        continue;
      if (tag == "<pre>")
        html_ = true;
      if (html_ || at == 0) {
        std::string without(now.substr(0, at));
        without += now.substr(at + tag.size());
        plain = std::move(without);
        changed = true;
      }
    }
    return changed;
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
  std::vector<LogStream> streams_;
  std::vector<Verdict> verdicts_;  ///< Per stream.
  int shared_streams_ = 0;
  std::unordered_map<std::string, std::size_t> by_label_;
  std::unordered_map<std::uint64_t, std::size_t> activities_;
  std::string rest_;
  std::string pieces_;      ///< Of a line that GitLab's runner stamped.
  long pieces_number_ = 0;  ///< Of its first piece; 0: there is none.
  long number_ = 0;
  std::size_t current_ = 0;
  bool html_ = false;
  bool redrawn_ = false;
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
