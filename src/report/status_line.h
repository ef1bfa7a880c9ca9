#pragma once
// The last line of a terminal while a build runs: what, since when, and what it
// last said. Its text only; progress.cpp draws it.

#include <chrono>
#include <map>
#include <string>
#include <string_view>

#include "report/progress.h"

namespace autopin::report {

/// "/nix/store/<hash>-html5lib-0.9.drv" -> "html5lib-0.9", printable.
std::string short_name(std::string_view derivation);

/// As much of `text` as fits into `columns`, "…" where it is cut. Counts
/// characters; the wide ones of East Asian scripts as two.
std::string fitted(std::string_view text, std::size_t columns);

class StatusLine {
 public:
  explicit StatusLine(ProgressOptions options);

  int round = 0;
  /// Elapsed time counts from the first word of an activity, also where several
  /// builds take turns here.
  void set_activity(std::string what, std::string phase);
  void set_line(std::string what, std::string line);
  /// The activity has ended.
  void forget(const std::string& what);
  /// False while it was drawn less than 100 ms ago.
  bool is_due() const;
  /// "" when there is nothing to show.
  std::string text();

 private:
  using Time = std::chrono::steady_clock::time_point;

  Time now() const;

  ProgressOptions options_;
  std::string what_;
  std::string phase_;
  std::string line_;
  std::map<std::string, Time> since_;
  Time drawn_;
};

}  // namespace autopin::report
