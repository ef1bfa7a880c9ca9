// Transforms: something built elsewhere that the loader cannot load for want of
//   a library -> the same with the library among its inputs, and with the hook
//   that writes its place into the files (autoPatchelfHook).
// Offered when: the set has the hook and a package of the library, of the
//   release that the soname says.
// Not offered when: the library is a driver's (libcuda.so.1): it is there on
// the
//   machine that runs the program, and nowhere else.

#include <algorithm>

#include "base/text.h"
#include "fix/fixes.h"
#include "fix/hooks.h"
#include "fix/top_set.h"

namespace autopin::fix {
namespace {

/// "libcublas.so.12" -> "libcublas", "12".
struct Soname {
  std::string stem;
  std::string major;
};

Soname parse_soname(const std::string& text) {
  const auto at = text.find(".so");
  Soname name{text.substr(0, at), {}};
  if (at != std::string::npos && text.size() > at + 4)
    name.major = text.substr(at + 4, text.find('.', at + 4) - at - 4);
  return name;
}

/// "12.9.1.4" of "cuda12.9-libcublas-12.9.1.4.drv": from the last `-` that a
/// digit follows.
std::string version_in(std::string_view name) {
  if (name.ends_with(".drv"))
    name.remove_suffix(4);
  for (auto at = name.rfind('-'); at != std::string_view::npos && at > 0;
       at = name.rfind('-', at - 1))
    if (at + 1 < name.size() && name[at + 1] >= '0' && name[at + 1] <= '9')
      return std::string(name.substr(at + 1));
  return {};
}

/// CUDA's own: from the scope of the release that has this soname.
std::optional<std::string> cuda_attribute(const Situation& situation,
                                          const std::string& library) {
  const auto& tables = situation.parts().tables;
  const Soname soname = parse_soname(library);
  auto packages = tables.find("cuda-libraries", soname.stem);
  if (packages.empty())
    packages.push_back(soname.stem);
  const auto releases = tables.find("cuda-sonames", library);
  std::vector<std::string> scopes{"cudaPackages"};
  for (const auto& release : releases)
    scopes.push_back("cudaPackages_" + replace_all(release, ".", "_"));
  std::vector<std::string> names;
  for (const auto& scope : scopes)
    for (const auto& package : packages)
      if (nix::is_identifier(package))
        names.push_back(scope + "." + package);
  const auto drvs = drvs_of_top(situation, names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (drvs[i].empty())
      continue;
    const auto name = std::string(nix::store_name(drvs[i]));
    const std::string version = version_in(name);
    const bool fits =
        releases.empty()
            ? soname.major.empty() || version == soname.major ||
                  version.starts_with(soname.major + ".")
            : name.starts_with("cuda" + releases.front() + ".") ||
                  name.starts_with("cuda" + releases.front() + "-");
    if (fits)
      return names[i];
  }
  return std::nullopt;
}

std::optional<std::string> attribute_of(const Situation& situation,
                                        const std::string& library) {
  const auto& tables = situation.parts().tables;
  const std::string stem = parse_soname(library).stem;
  auto names = tables.find("libraries", library);
  const std::string plain = stem.starts_with("lib") ? stem.substr(3) : stem;
  for (auto& name : tables.find("libraries", plain))
    names.push_back(std::move(name));
  if (!names.empty())
    if (const auto there = attributes_of_top(situation, names); !there.empty())
      return there.front();
  if (auto found = cuda_attribute(situation, library))
    return found;
  names.clear();
  for (const auto& name : {plain, stem, to_lower(plain)})
    if (nix::is_identifier(name))
      names.push_back(name);
  const auto there = attributes_of_top(situation, names);
  return there.empty() ? std::nullopt : std::optional(there.front());
}

AttrChange list_of(std::string attribute, const std::vector<std::string>& names,
                   std::string comment) {
  AttrChange list;
  list.op = AttrChange::Op::append_items;
  list.attribute = std::move(attribute);
  for (const auto& name : names)
    list.values.push_back(top_ref(name));
  list.comment = std::move(comment);
  return list;
}

}  // namespace

Offer add_shared_library(const Failure& failure, const Situation& situation,
                         const Permissions&) {
  const auto named = failure.diagnosis.params.find("libraries");
  if (named == failure.diagnosis.params.end() || named->second.empty())
    return not_offered("add-shared-library", "the log names no library");
  std::vector<std::string> libraries;
  for (const auto& library : named->second) {
    if (!situation.parts().tables.find("driver-libraries", library).empty())
      return not_offered(
          "add-shared-library",
          library +
              " belongs to the driver of the machine that runs the "
              "program; no package may bring it. Leave out what "
              "needs the device while building",
          true);
    const auto attribute = attribute_of(situation, library);
    if (!attribute)
      return not_offered(
          "add-shared-library",
          "no attribute of the package set is known to have " + library);
    if (std::find(libraries.begin(), libraries.end(), *attribute) ==
        libraries.end())
      libraries.push_back(*attribute);
  }
  const std::string hook = "autoPatchelfHook";
  const bool has_hook = situation.store()
                            .derivation(failure.drv)
                            .attribute("nativeBuildInputs")
                            .value_or("")
                            .find("auto-patchelf-hook") != std::string::npos;
  if (!has_hook && attributes_of_top(situation, {hook}).empty())
    return not_offered("add-shared-library", "the package set has no " + hook);
  DerivationChange change;
  const std::string comment = comment_for(failure, failure.diagnosis.why);
  if (!has_hook)
    change.attributes.push_back(list_of("nativeBuildInputs", {hook}, comment));
  change.attributes.push_back(
      list_of("buildInputs", libraries, has_hook ? comment : std::string()));
  Proposal draft;
  draft.fix = "add-shared-library";
  draft.risk = Risk::exact;
  draft.summary = "let the loader find " + join(libraries, ", ");
  draft.why = failure.diagnosis.why;
  std::vector<std::string> wanted = libraries;
  if (!has_hook)
    wanted.push_back(hook);
  draft.check =
      all_are_inputs(situation, failure.drv, drvs_of_top(situation, wanted));
  return {place_change(situation, failure.drv, change, draft), {}};
}

}  // namespace autopin::fix
