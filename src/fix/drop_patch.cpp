// Transforms: a package one of whose patches does not apply -> the same without
//   the patch.
// Offered when: the source can be read and has, in every file of the patch,
//   exactly what the patch would make of it: nothing is lost.
// Not offered when: it has not. Then the patch must be made anew, or the source
//   is another one than it was made for; a person must say which.

#include <algorithm>

#include "base/error.h"
#include "base/patch.h"
#include "base/text.h"
#include "fix/fixes.h"
#include "fix/hooks.h"
#include "python/archive.h"

namespace autopin::fix {
namespace {

using Contents = std::map<std::string, std::string>;

/// Those of the files that the unpacked source has; nothing where it cannot be
/// read (it was built elsewhere, or is packed in another way).
std::optional<Contents> read_source(const Situation& situation,
                                    const std::string& source,
                                    const std::vector<std::string>& wanted) {
  auto& files = situation.parts().world.files;
  Contents contents;
  if (!files.list(source).empty()) {
    for (const auto& name : wanted)
      if (auto text = files.read(std::filesystem::path(source) / name))
        contents[name] = std::move(*text);
    return contents;
  }
  if (!source.ends_with(".tar.gz") && !source.ends_with(".tgz") &&
      !source.ends_with(".tar"))
    return std::nullopt;
  const auto archive = files.read(source);
  if (!archive)
    return std::nullopt;
  // stdenv goes into the one folder that an archive has.
  const auto within = [](const std::string& name) {
    const std::string plain = name.starts_with("./") ? name.substr(2) : name;
    return plain.substr(plain.find('/') + 1);
  };
  try {
    for (auto& member : python::read_tar(
             *archive,
             [&](const std::string& name) {
               return std::find(wanted.begin(), wanted.end(), within(name)) !=
                      wanted.end();
             },
             source))
      contents[within(member.name)] = std::move(member.content);
  } catch (const Error&) {
    return std::nullopt;
  }
  return contents;
}

/// How many leading folders patch(1) takes off, nothing where it is not said
/// as -pN.
std::optional<int> strip_of(const nix::Derivation& derivation) {
  int strip = 1;
  for (const auto& flag : derivation.list_attribute("patchFlags")) {
    if (flag.size() != 3 || !flag.starts_with("-p") || flag[2] < '0' ||
        flag[2] > '9')
      return std::nullopt;
    strip = flag[2] - '0';
  }
  return strip;
}

/// Why the patch cannot be left out, or nothing.
std::optional<std::string> objection(const Situation& situation,
                                     const nix::Derivation& derivation,
                                     const std::string& path) {
  const auto patch = situation.parts().world.files.read(path);
  const auto strip = strip_of(derivation);
  const auto changes =
      patch && strip ? parse_patch(*patch, *strip) : std::nullopt;
  if (!changes)
    return "the patch cannot be read here: see whether the source has it "
           "already";
  std::vector<std::string> names;
  for (const auto& file : *changes)
    names.push_back(file.after.empty() ? file.before : file.after);
  const auto contents =
      read_source(situation, derivation.attribute("src").value_or(""), names);
  if (!contents)
    return "the source cannot be read here: see whether it has the patch "
           "already";
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto found = contents->find(names[i]);
    if (!is_applied((*changes)[i], found == contents->end()
                                       ? std::nullopt
                                       : std::optional(found->second)))
      return "the source does not have it already (" + names[i] +
             "): the patch must be made anew for this source";
  }
  return std::nullopt;
}

}  // namespace

Offer drop_patch(const Failure& failure, const Situation& situation,
                 const Permissions&) {
  const std::string path = failure.diagnosis.param("patch");
  const auto& derivation = situation.store().derivation(failure.drv);
  const auto patches = derivation.list_attribute("patches");
  // The log's word is taken only for one of the package's own.
  if (std::find(patches.begin(), patches.end(), path) == patches.end())
    return not_offered("drop-patch",
                       "the log does not say which of the patches it is");
  if (const auto why = objection(situation, derivation, path))
    return not_offered("drop-patch", *why);
  const std::string name(nix::store_name(path));
  AttrChange drop;
  drop.op = AttrChange::Op::drop_items;
  drop.attribute = "patches";
  drop.words = {name};
  drop.values.emplace_back("patch: (patch.name or (baseNameOf patch)) != " +
                           nix::quote(name));
  drop.comment = comment_for(failure, "The source has " + name + " already.");
  DerivationChange change;
  change.attributes.push_back(std::move(drop));
  Proposal draft;
  draft.fix = "drop-patch";
  draft.risk = Risk::exact;
  draft.summary = "leave out " + name + ", which the source has already";
  draft.why = failure.diagnosis.why;
  draft.check = check_successor(
      situation, failure.drv,
      [path, count = patches.size()](
          const Situation& after,
          const std::string& successor) -> std::optional<std::string> {
        const auto left =
            after.store().derivation(successor).list_attribute("patches");
        if (left.size() + 1 != count ||
            std::find(left.begin(), left.end(), path) != left.end())
          return "not this patch alone is left out";
        return std::nullopt;
      });
  return {place_change(situation, failure.drv, change, draft), {}};
}

}  // namespace autopin::fix
