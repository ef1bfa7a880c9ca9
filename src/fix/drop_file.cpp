// Transforms: an environment two packages of which bring the same file, one
//   that no program reads (a top-level `tests` folder of Python, a README) ->
//   one of the two without it.
// Offered when: a table knows the file as such.
// Not offered when: the file may be wanted: which of the two is right is not
// for
//   a machine to say.

#include <re2/re2.h>

#include "fix/fixes.h"
#include "fix/hooks.h"

namespace autopin::fix {
namespace {

struct Owner {
  std::string drv;
  std::string file;  ///< In its output.
};

/// Who made the files of a line that names two of them.
std::vector<Owner> owners_of(const Situation& situation,
                             const Diagnosis& diagnosis) {
  static const RE2 named(
      R"((/nix/store/[0-9a-z]{32}-[^/\s'’`]+)/([A-Za-z0-9_./+-]+))");
  std::vector<Owner> owners;
  for (const auto& line : diagnosis.lines) {
    re2::StringPiece rest(line.text);
    std::string output;
    std::string file;
    while (RE2::FindAndConsume(&rest, named, &output, &file)) {
      const auto drv =
          situation.store().maker_of_output(situation.roots(), output);
      if (drv && file.find("..") == std::string::npos &&
          (owners.empty() ||
           (owners.front().file == file && owners.front().drv != *drv)))
        owners.push_back({*drv, file});
    }
  }
  return owners;
}

/// What is needless, as a person calls it, and the line of shell that removes
/// it.
struct Removal {
  std::string what;
  std::string line;
};

std::optional<Removal> removal_of(const Tables& tables,
                                  const std::string& file) {
  static const RE2 module(R"(lib/(python|pypy)[\d.]+/site-packages/([^/]+).*)");
  std::string interpreter;
  std::string top;
  if (RE2::FullMatch(file, module, &interpreter, &top)) {
    if (tables.find("needless-modules", top).empty())
      return std::nullopt;
    // Any version's folder: the draft may be built for the next one.
    return Removal{top, "rm -r $out/lib/" + interpreter + "*/site-packages/" +
                            nix::shell_quote(top)};
  }
  if (tables.find("needless-files", file).empty())
    return std::nullopt;
  return Removal{file, "rm $out/" + nix::shell_quote(file)};
}

}  // namespace

Offer drop_colliding_file(const Failure& failure, const Situation& situation,
                          const Permissions&) {
  const auto owners = owners_of(situation, failure.diagnosis);
  if (owners.size() < 2)
    return not_offered("drop-colliding-file",
                       "the log does not say whose the two files are");
  const auto removal =
      removal_of(situation.parts().tables, owners.front().file);
  if (!removal)
    return not_offered("drop-colliding-file",
                       "one of the packages may need " + owners.front().file);
  Offer offer;
  for (const auto& owner : owners) {
    const std::string name = situation.store().distribution(owner.drv).name;
    DerivationChange change;
    change.attributes.push_back(
        more_lines("postInstall", {removal->line},
                   comment_for(failure, failure.diagnosis.why)));
    Proposal draft;
    draft.fix = "drop-colliding-file";
    draft.risk = Risk::exact;
    draft.summary = "leave " + removal->what + " out of " + name;
    draft.why = failure.diagnosis.why;
    draft.check =
        attribute_says(situation, owner.drv, "postInstall", removal->line);
    offer.add({place_change(situation, owner.drv, change, draft), {}});
  }
  return offer;
}

}  // namespace autopin::fix
