#include "python/interpreters.h"

#include <algorithm>
#include <vector>

#include "python/candidates.h"

namespace autopin::python {

namespace {

std::vector<std::string> all_cpythons() {
  // The status of each is in the developer's guide of Python, "Versions".
  constexpr int newest = 14;
  constexpr int oldest = 3;
  std::vector<std::string> out;
  for (int minor = newest; minor >= oldest; --minor)
    out.push_back("3." + std::to_string(minor));
  out.emplace_back("2.7");
  return out;
}

bool is_newer(const std::string& left, const std::string& right) {
  const auto l = Version::parse(left);
  const auto r = Version::parse(right);
  return l && r && *l > *r;
}

}  // namespace

std::optional<std::string> newest_python(const Requirement& requirement,
                                         Index& index, Target target,
                                         const ResolveOptions& options) {
  std::vector<std::string> pythons =
      options.pythons.empty() ? all_cpythons() : options.pythons;
  std::stable_sort(pythons.begin(), pythons.end(), is_newer);
  EmptyPackageSet nothing;
  target.implementation = "cpython";
  for (const std::string& python : pythons) {
    if (!Version::parse(python))
      continue;
    target.python = python;
    Universe universe(nothing, index, target, options);
    if (!universe.fitting(requirement).empty())
      return python;
  }
  return std::nullopt;
}

}  // namespace autopin::python
