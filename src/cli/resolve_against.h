#pragma once
// The package set that `autopin resolve --against` compares with, and the
// parts that ask it.

#include <memory>
#include <string>
#include <vector>

#include "fix/evaluated_set.h"
#include "io/world.h"

namespace autopin {

class Against {
 public:
  /// `words` as a Nix user would say it; `flags` go to every evaluation.
  Against(World& world, const std::string& words,
          const std::vector<std::string>& flags, const std::string& python);

  fix::EvaluatedSet& set() { return *set_; }

 private:
  fix::Tables tables_;
  std::unique_ptr<nix::Evaluator> evaluator_;
  std::unique_ptr<fix::EvaluatedSet> set_;
};

}  // namespace autopin
