// Transforms: a source distribution that is not at the place which its name and
//   version lead to -> the same by the name that the index's own page gives it:
//   another spelling (zope.interface, zope_interface), another extension.
// Offered when: the index has the version, and its file is the one that the
//   draft's hash is of, as far as both say.
// Not offered when: it has not. Which version to have instead is a person's
//   choice, and where a file that is none of an index went, nobody's guess.

#include <re2/re2.h>

#include <algorithm>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "fix/fixes.h"
#include "fix/hash_literal.h"
#include "python/fetchpypi.h"
#include "python/file_name.h"
#include "python/name.h"

namespace autopin::fix {
namespace {

using nix::Binding;
using nix::Edit;
using nix::ExprId;
using nix::Source;
using Arguments = std::vector<std::pair<std::string, std::string>>;

/// What a URL of an index's source archive says.
struct Asked {
  std::string project;
  std::string filename;
};

std::optional<Asked> asked_by(const nix::Derivation& derivation) {
  static const RE2 of_index(
      R"((?:mirror://pypi|https?://[^/]+/packages/source)/[^/]+/([^/]+)/([^/?#]+))");
  for (const char* attribute : {"urls", "url"})
    for (const auto& url : derivation.list_attribute(attribute)) {
      Asked asked;
      if (RE2::FullMatch(url, of_index, &asked.project, &asked.filename))
        return asked;
    }
  return std::nullopt;
}

/// A file as fetchPypi's arguments, with its default written out.
std::optional<Arguments> arguments_for(const std::string& filename,
                                       const python::Version& version) {
  python::IndexFile file;
  file.filename = filename;
  file.version = version;
  auto answer = python::to_fetch_pypi(file);
  if (!answer)
    return std::nullopt;
  if (answer->arguments.size() == 2)
    answer->arguments.emplace_back("extension", "tar.gz");
  return answer->arguments;
}

/// `name = "value";` in a { } of which it may be inherited.
void put(const Source& source, ExprId attrset, const std::string& name,
         const std::string& value, const std::string& comment,
         std::vector<Edit>& edits) {
  const Binding* binding = source.find_binding(attrset, name);
  if (binding != nullptr && !binding->is_inherit) {
    edits.push_back(
        nix::replace_expr(source, binding->value, nix::quote(value)));
    return;
  }
  if (binding != nullptr)
    for (std::size_t i = 0; i < binding->path.size(); ++i)
      if (binding->path[i].text == name) {
        const auto range = binding->path[i].range;
        const auto begin =
            source.text().find_last_not_of(" \t\r\n", range.begin - 1) + 1;
        edits.push_back({binding->path.size() == 1
                             ? binding->range
                             : nix::Range{begin, range.end},
                         ""});
      }
  edits.push_back(nix::add_binding(
      source, attrset, {name + " = " + nix::quote(value) + ";", comment}));
}

/// The { } that a fetcher's call in the draft is given.
std::optional<ExprId> given_at(const Source& source, const nix::Node& node) {
  if (node.form != nix::NodeForm::expression)
    return std::nullopt;
  const auto& call = source.at(source.strip(node.expr));
  if (call.kind != nix::ExprKind::apply)
    return std::nullopt;
  const auto body = literal_body(source, source.strip(call.argument));
  return body ? std::optional(body->attrset) : std::nullopt;
}

struct Chosen {
  const python::IndexFile* file = nullptr;
  std::string why_not;
};

/// The project's file of the version that is asked for; `specified` is the
/// draft's hash, zeros where it is not known yet.
Chosen choose_file(const python::Project& project, const Asked& asked,
                   const python::Version& version,
                   const std::string& specified) {
  const std::string what = asked.project + " " + version.text();
  const bool known = specified.find_first_not_of('0') != std::string::npos;
  bool any = false;
  for (const auto& file : project.files) {
    if (file.kind != python::IndexFile::Kind::sdist ||
        file.version != version || file.yanked)
      continue;
    any = true;
    if (!known || file.sha256.empty() || file.sha256 == specified)
      return {&file, ""};
  }
  return {nullptr, any ? "the index's " + what +
                             " is not the file that the draft's hash is of"
                       : "the index has no source of " + what};
}

/// The file is asked for by that name now, and no longer by `drv`.
Check check_asked_for(const std::string& drv, const std::string& filename) {
  return [drv, filename](const Situation& state) -> std::optional<std::string> {
    if (state.in_closure(drv))
      return "the old file is still asked for";
    for (const auto& member :
         state.store().closure(state.roots(), nix::Edges::build))
      if (const auto now = asked_by(state.store().derivation(member));
          now && now->filename == filename)
        return std::nullopt;
    return filename + " is not asked for";
  };
}

/// Asks for what `after` says and no longer for what `before` says.
void put_file(const Source& source, ExprId attrset, const Arguments& before,
              const Arguments& after, const std::string& filename,
              const std::string& comment, std::vector<Edit>& edits) {
  const auto& pname = after.front().second;
  if (source.find_binding(attrset, "url") != nullptr)
    put(source, attrset, "url",
        "mirror://pypi/" + pname.substr(0, 1) + "/" + pname + "/" + filename,
        comment, edits);
  else
    for (std::size_t i = 0; i < after.size(); ++i)
      if (before[i] != after[i])
        put(source, attrset, after[i].first, after[i].second, comment, edits);
}

}  // namespace

Offer fix_url(const Failure& failure, const Situation& situation,
              const Permissions&) {
  const auto& derivation = situation.store().derivation(failure.drv);
  const auto asked = asked_by(derivation);
  if (!asked)
    return not_offered(
        "fix-url",
        "it is no file of a package index: only you can say where it is "
        "now");
  const auto name = python::SdistName::parse(asked->filename, asked->project);
  if (!name)
    return not_offered("fix-url",
                       "what is asked for is no source distribution");
  std::shared_ptr<const python::Project> project;
  try {
    project =
        situation.parts().index.project(python::normalize_name(asked->project));
  } catch (const Error& problem) {
    return not_offered("fix-url", problem.what());
  }
  if (!project)
    return not_offered("fix-url", "the index knows no " + asked->project);
  std::string specified;
  for (const auto& [output, facts] : derivation.outputs)
    specified = facts.hash;
  const Chosen chosen = choose_file(*project, *asked, name->version, specified);
  if (chosen.file == nullptr)
    return not_offered("fix-url", chosen.why_not);
  const auto& file = *chosen.file;
  const auto before = arguments_for(asked->filename, name->version);
  const auto after = arguments_for(file.filename, file.version);
  if (file.filename == asked->filename || !before || !after)
    return not_offered(
        "fix-url",
        "the index has the file under the very name that was asked for");
  Proposal draft;
  draft.fix = "fix-url";
  draft.risk = Risk::exact;
  draft.summary = "fetch " + file.filename;
  draft.why = failure.diagnosis.why;
  draft.where = "where it is fetched";
  draft.sources.push_back({file.index, file.filename, file.sha256});
  draft.check = check_asked_for(failure.drv, file.filename);
  const std::string comment =
      comment_for(failure, "as the index spells the file's name");
  Offer offer;
  for (const auto* node : situation.probe().makers(failure.drv)) {
    const auto& source = situation.source(node->file);
    const auto attrset = given_at(source, *node);
    if (!attrset)
      continue;
    Proposal proposal = draft;
    put_file(source, *attrset, *before, *after, file.filename, comment,
             proposal.edits[node->file]);
    offer.proposals.push_back(std::move(proposal));
  }
  if (offer.proposals.empty())
    return not_offered("fix-url", "the draft does not fetch it itself");
  return offer;
}

}  // namespace autopin::fix
