#pragma once
// From the groups that a pattern captured to the params of a diagnosis, by the
// templates that the rule gives.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "log/diagnosis.h"
#include "log/rule.h"

namespace autopin {

/// group -> values in the order in which they were seen. A group that took
/// part and matched nothing holds "".
using Captures = std::map<std::string, std::vector<std::string>>;

/// Runs `pattern` over `line` and appends its named groups. False: no match.
bool capture(const Pattern& pattern, std::string_view line, Captures& into);

/// Appends `value` unless it is there; a list stops growing at 5,000 values.
void append_unique(std::vector<std::string>& values, std::string value);

/// Fills `{group}` and `{group|filter}`; nothing where a group is absent.
/// Filters: `colons` (pytest's dots to "::"), `lower`, `upper`, `basename`,
/// `dashes` (underscores to dashes), `trim`, `drv-name` (without version),
/// `none` (empty), `perl` ("/" to
/// "::"), `with:GROUP` (appends ".GROUP" unless it ends so), `lookup:TABLE`
/// (nothing where the table has no such row); and, for a template that is
/// nothing else, `split:X`, `module-names` and `names`, which give many values.
std::vector<std::string> fill(const std::string& text, const Captures& captures,
                              const std::map<std::string, LookupTable>& tables);

/// The params of one diagnosis: of each param's templates the first that gives
/// a value, and all that begin with "+"; and each other group whose name does
/// not begin with "_" as it is.
Params make_params(const Rule& rule, const Captures& captures,
                   const std::map<std::string, LookupTable>& tables);

struct Sentence {
  std::string text;
  std::vector<std::string> missing;  ///< Params that left a gap.
};

/// A sentence with `{param}` filled in; lists are joined by ", ". What stands
/// in brackets with a param, `[…{param}…]`, is left out where that has no
/// value.
Sentence fill_sentence(const std::string& text, const Params& params);

}  // namespace autopin
