#include "cli/resolve_against.h"

#include <filesystem>

#include "log/rule_set.h"

namespace autopin {

Against::Against(World& world, const std::string& words,
                 const std::vector<std::string>& flags,
                 const std::string& python)
    : tables_(load_rules(rule_folders({})).tables()) {
  const fix::SetExpression meant = fix::set_expression(words);
  nix::Invocation invocation;
  invocation.folder = std::filesystem::current_path();
  invocation.evaluation_flags = flags;
  invocation.evaluation_flags.insert(invocation.evaluation_flags.end(),
                                     meant.flags.begin(), meant.flags.end());
  evaluator_ = std::make_unique<nix::Evaluator>(world, invocation);
  set_ = std::make_unique<fix::EvaluatedSet>(*evaluator_, tables_,
                                             meant.expression, python);
}

}  // namespace autopin
