#pragma once
// From the bytes of a log to its lines as the builder wrote them: put together
// across pieces, told apart where a progress bar drew over itself, and without
// what a terminal, a CI system or a web page added on the way.

#include <string>
#include <string_view>

#include "log/scout.h"

namespace autopin {

class LineTaker {
 public:
  LineTaker() = default;
  LineTaker(const LineTaker&) = delete;
  LineTaker& operator=(const LineTaker&) = delete;
  virtual ~LineTaker() = default;

  /// `number` is that of the physical line, 1-based; of one that was drawn over
  /// by CR there are several.
  virtual void take_line(std::string_view line, long number, bool redrawn) = 0;
  /// `text` begins with the line feed after line `number`. Answers how many of
  /// the lines that follow need not come.
  virtual Scout::Passed pass_over(std::string_view text, long number) = 0;
};

class PhysicalLines {
 public:
  explicit PhysicalLines(LineTaker& taker) : taker_(taker) {}

  /// Takes any piece of the log. Of a longer line its first 64 KiB are kept.
  void feed(std::string_view bytes);
  /// An unterminated last line counts.
  void finish();
  /// Lines read so far.
  long count() const { return number_; }

 private:
  void keep(std::string_view piece);
  void flush_rest();
  void stamped_line(std::string_view line);
  void flush_pieces();
  void physical_line(std::string_view line, long number);
  void decorated_line(std::string_view line, long number, bool redrawn);
  bool html_tags(std::string_view line, std::string& plain);

  LineTaker& taker_;
  std::string rest_;
  std::string pieces_;      ///< Of a line that GitLab's runner stamped.
  long pieces_number_ = 0;  ///< Of its first piece; 0: there is none.
  long number_ = 0;
  bool html_ = false;
};

}  // namespace autopin
