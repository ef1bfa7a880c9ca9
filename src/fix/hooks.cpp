#include "fix/hooks.h"

#include <algorithm>

#include "fix/top_set.h"

namespace autopin::fix {

AttrChange more_words(std::string attribute,
                      const std::vector<std::string>& words,
                      std::string comment) {
  AttrChange change;
  change.op = AttrChange::Op::append_items;
  change.attribute = std::move(attribute);
  for (const auto& word : words)
    change.values.emplace_back(nix::quote(word));
  change.words = words;
  change.comment = std::move(comment);
  return change;
}

AttrChange more_lines(std::string hook, std::vector<std::string> lines,
                      std::string comment) {
  AttrChange change;
  change.op = AttrChange::Op::append_lines;
  change.attribute = std::move(hook);
  change.lines = std::move(lines);
  change.comment = std::move(comment);
  return change;
}

AttrChange set_variable(std::string name, NixText value, std::string comment) {
  AttrChange change;
  change.variable = true;
  change.attribute = std::move(name);
  change.values.push_back(std::move(value));
  change.comment = std::move(comment);
  return change;
}

AttrChange more_in_variable(std::string name, std::string word,
                            std::string comment) {
  AttrChange change = more_words(std::move(name), {std::move(word)}, "");
  change.variable = true;
  change.comment = std::move(comment);
  return change;
}

std::vector<Proposal> place_variable(const Situation& situation,
                                     const std::string& drv,
                                     const AttrChange& variable,
                                     const Proposal& draft) {
  std::vector<Proposal> proposals;
  for (const bool in_env : {true, false}) {
    if (in_env && !builders_take_env(situation))
      continue;
    DerivationChange change;
    change.attributes.push_back(variable);
    change.attributes.front().in_env = in_env;
    auto more = place_change(situation, drv, change, draft);
    std::move(more.begin(), more.end(), std::back_inserter(proposals));
  }
  return proposals;
}

Check attribute_says(const Situation& before, const std::string& drv,
                     std::string attribute, std::string text) {
  return check_successor(
      before, drv,
      [attribute = std::move(attribute), text = std::move(text)](
          const Situation& after,
          const std::string& successor) -> std::optional<std::string> {
        const auto value =
            after.store().derivation(successor).attribute(attribute);
        if (!value || value->find(text) == std::string::npos)
          return "the builder does not see " + text + " in " + attribute;
        return std::nullopt;
      });
}

Check all_are_inputs(const Situation& before, const std::string& drv,
                     std::vector<std::string> wanted) {
  return check_successor(
      before, drv,
      [wanted = std::move(wanted)](
          const Situation& after,
          const std::string& successor) -> std::optional<std::string> {
        const auto inputs = after.store().inputs(successor, nix::Edges::build);
        for (const auto& input : wanted)
          if (std::find(inputs.begin(), inputs.end(), input) == inputs.end())
            return std::string(nix::store_name(input)) +
                   " is not among the inputs";
        return std::nullopt;
      });
}

std::string hook_before(const Diagnosis& diagnosis) {
  const std::string& phase = diagnosis.phase;
  for (const auto& [name, hook] :
       {std::pair{"configurePhase", "preConfigure"},
        std::pair{"buildPhase", "preBuild"},
        std::pair{"installPhase", "preInstall"},
        std::pair{"installCheckPhase", "preInstallCheck"},
        std::pair{"checkPhase", "preCheck"}})
    if (phase == name)
      return hook;
  return diagnosis.params.count("tests") != 0 ? "preCheck" : "preBuild";
}

}  // namespace autopin::fix
