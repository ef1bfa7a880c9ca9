#include "fix/hooks.h"

namespace autopin::fix {

AttrChange more_words(std::string attribute,
                      const std::vector<std::string>& words,
                      std::string comment) {
  AttrChange change;
  change.op = AttrChange::Op::append_items;
  change.attribute = std::move(attribute);
  for (const auto& word : words)
    change.values.emplace_back(nix::quote(word));
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
