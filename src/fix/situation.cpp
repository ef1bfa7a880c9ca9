#include "fix/situation.h"

#include <algorithm>
#include <utility>

namespace autopin::fix {

Situation::Situation(Parts parts, nix::Draft draft,
                     std::vector<std::string> plain)
    : parts_(std::move(parts)),
      draft_(std::move(draft)),
      roots_(std::move(plain)) {
  for (const auto& file : draft_.files())
    sources_.emplace(file, nix::Source::parse(draft_.text(file)));
}

const nix::ProbeResult& Situation::probe() const {
  if (!probe_)
    probe_ = nix::probe(parts_.evaluator, draft_, roots_);
  return *probe_;
}

bool Situation::in_closure(const std::string& drv) const {
  if (!closure_) {
    closure_ = parts_.store.closure(roots_, nix::Edges::build);
    std::sort(closure_->begin(), closure_->end());
  }
  return std::binary_search(closure_->begin(), closure_->end(), drv);
}

std::optional<std::string> Situation::ask(const nix::Node& node,
                                          const std::string& function) const {
  const std::string key = node.file.string() + ":" +
                          std::to_string(node.range.begin) + "-" +
                          std::to_string(node.range.end) + ":" + function;
  const auto known = answers_.find(key);
  if (known != answers_.end())
    return known->second;
  auto answer = parts_.evaluator.ask(draft_, {node.file, node.range, function});
  return answers_.emplace(key, std::move(answer)).first->second;
}

}  // namespace autopin::fix
