#pragma once
// A rule says which words of a log mean which kind of failure. Rules are data
// (rules/*.json, documented in rules/README.md); this is their shape in memory
// after the loader has checked it.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "log/diagnosis.h"
#include "log/guard.h"

namespace re2 {
class RE2;
}

namespace autopin {

/// A pattern that is compiled when it is first needed: a run needs few of them,
/// and compiling all takes longer than reading many a log.
class LazyRegex {
 public:
  LazyRegex() = default;
  explicit LazyRegex(const std::string& pattern);

  /// Compiles. Safe from several threads. Throws Error where RE2 refuses.
  const re2::RE2& operator*() const;
  const re2::RE2* operator->() const { return &**this; }

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// One RE2 pattern and its text as written, macros expanded.
struct Pattern {
  std::string text;
  Guard guard;
  LazyRegex regex;
};

/// A line that must (or may) stand at most `within` lines above the trigger, in
/// the same builder's log; its groups are captured with the trigger's.
struct Context {
  Pattern pattern;
  int within = 0;
  bool required = true;
};

/// The lines below a trigger that belong to it.
struct Block {
  std::vector<Pattern> lines;  ///< Groups of those that match are captured.
  std::vector<Pattern> until;  ///< Ends the block; that line is outside.
  int most = 0;                ///< Ends it after so many lines; 0: never.
  std::string item;            ///< A group that begins a new item (see `emit`).
  /// Per item: param -> templates, the first whose groups are all there.
  std::map<std::string, std::vector<std::string>> emit;
};

struct RuleSample {
  std::string log;
  bool positive = true;
  std::map<std::string, std::vector<std::string>> params;  ///< Expected ones.
};

struct Rule {
  std::string id;
  std::string kind;
  std::string family;  ///< The file's name without ".json".
  std::string why, cure, url;
  std::vector<std::string> phases;  ///< Only there, where the phase is known.
  std::vector<Pattern> patterns;
  std::vector<Pattern>
      unless;  ///< The line is no match where one of these fits.
  std::vector<Context> context;
  bool has_block = false;
  Block block;
  std::map<std::string, std::vector<std::string>> params;  ///< Templates.
  std::vector<std::string>
      needs;  ///< Params or groups without which there is no diagnosis.
  Severity severity = Severity::cause;
  int rank = 50;      ///< Lower stands nearer to the cause.
  bool weak = false;  ///< Counts only where nothing else explains the failure.
  std::vector<std::string>
      explains;  ///< Kinds that become consequences; "*": all.
  std::vector<std::string>
      overrides;                   ///< Rules that say the same, less exactly.
  std::vector<std::string> fixes;  ///< Ordered, mildest first.
  /// Fix -> the param without which it is no help.
  std::map<std::string, std::string> fix_needs;
  std::vector<RuleSample> samples;
};

/// How the values of one param behave.
enum class ParamType {
  key,   ///< One value; two that differ are two failures.
  list,  ///< Several values; two failures of one kind in one build are merged.
  note   ///< One value that does not tell failures apart: the first stays.
};

struct Kind {
  std::string name;
  std::string text;  ///< One sentence, for the table of kinds.
  std::map<std::string, ParamType> params;
};

/// key -> value, with the source that the table cites.
struct LookupTable {
  std::string source;
  std::map<std::string, std::string> rows;
};

}  // namespace autopin
