#pragma once
// Evaluates a draft as it stands in memory, by the real nix-instantiate, so
// that what comes out is what evaluating the delivered files would give: same
// drvPath. An unchanged draft is evaluated as the plain file it is. A changed
// entry goes in on standard input (no limit on its length), its relative path
// literals made absolute; a changed second file is put into the state folder,
// and the literal that names it, in whichever file that is, names the copy.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/world.h"
#include "nix/draft.h"
#include "nix/invocation.h"
#include "nix/source.h"

namespace autopin::nix {

struct Instantiated {
  /// .drv paths in the order of the attributes.
  std::vector<std::string> drvs;
  /// The same as nix-build takes them: "….drv", or "….drv!dev".
  std::vector<std::string> targets;
  std::string log;  ///< Standard error: warnings and traces.
};

/// The evaluator's own message; "(stdin)" and copies in the state folder are
/// named by the draft's files, so that positions can be looked up in it.
struct EvaluationFailed {
  std::string log;
  int exit_code = 1;
};

using Evaluation = std::variant<Instantiated, EvaluationFailed>;
/// JSON text, or why there is none.
using JsonEvaluation = std::variant<std::string, EvaluationFailed>;

/// Where a question is asked, and the Nix function put to the value there.
struct Question {
  std::filesystem::path file;
  Range range;
  std::string function;
  /// Ask a derivation already when it is forced, and not when it is used: for
  /// what the draft only overrides or selects from. An answer that needs what
  /// is just being made (in an overlay, say) is then an infinite recursion.
  bool when_forced = false;
};

/// Texts that stand in for the draft's own during one evaluation.
using Overlay = std::map<std::filesystem::path, std::string>;

class Evaluator {
 public:
  Evaluator(World& world, Invocation invocation);

  const Invocation& invocation() const { return invocation_; }
  World& world() const { return world_; }

  /// Reads the entry, evaluates it once with -v, and takes in each local file
  /// that the evaluation read and the draft leads to. Where evaluation fails,
  /// files that path literals name are taken in as well, since what was read is
  /// then a part only.
  struct Discovery {
    Draft draft;
    Evaluation evaluation;
    /// Local files that were read but no path in the draft leads to (nixpkgs'
    /// own configuration, what a function of nixpkgs found in a folder): not in
    /// the draft, not to be edited.
    std::vector<std::filesystem::path> unreachable;
  };
  Discovery discover();

  /// GC roots of the .drv files stay in the state folder until it is removed.
  Evaluation instantiate(const Draft& draft);
  /// The same with other texts in place of some of the draft's files. `header`
  /// (such as "let x = …; in ") is put before each text in `instrumented`, on
  /// its first line; the text itself is in parentheses.
  Evaluation instantiate(const Draft& draft, const Overlay& instrumented,
                         std::string_view header);

  /// Nothing where `text` parses; else the parser's message.
  std::optional<std::string> syntax_error(std::string_view text);

  /// For each question the JSON of `function value` where the expression with
  /// exactly that range was forced (the first time that it was; for a
  /// derivation, when its drvPath or outPath is). Nothing where it was not, or
  /// where the function failed. All in one evaluation; where that evaluation
  /// dies of a question, those without an answer are asked again one by one.
  std::vector<std::optional<std::string>> ask(
      const Draft& draft, const std::vector<Question>& questions);
  std::optional<std::string> ask(const Draft& draft, const Question& question);

  /// `nix-instantiate --eval --strict --json` of an expression by itself, under
  /// the user's evaluation flags.
  JsonEvaluation evaluate_json(std::string_view expression);
  /// `function` put to the draft's value: called where it is a function, as
  /// nix-build does, and with the first -A taken.
  JsonEvaluation evaluate_json(const Draft& draft, std::string_view function);

  /// The folder that <name> means, where it means one.
  std::optional<std::filesystem::path> search_path(std::string_view name);
  /// All entries of -I and NIX_PATH, absolute.
  const std::vector<std::filesystem::path>& search_path_entries();

 private:
  struct Prepared;
  Command base_command() const;
  Prepared prepare(const Draft& draft, const Overlay& instrumented,
                   std::string_view header);
  Evaluation run(const Prepared& prepared, bool verbose);
  std::vector<std::string> targets_of(const std::string& out,
                                      const std::filesystem::path& root);
  std::string in_drafts_names(const Prepared& prepared, std::string log) const;
  JsonEvaluation run_json(Command command, std::string expression);
  bool ask_together(const Draft& draft, const std::vector<Question>& questions,
                    const std::vector<std::size_t>& which,
                    std::vector<std::optional<std::string>>& answers);

  World& world_;
  Invocation invocation_;
  std::optional<std::vector<std::filesystem::path>> search_path_entries_;
  int evaluations_ = 0;
};

}  // namespace autopin::nix
