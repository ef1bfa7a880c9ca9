#include "loop/deliver.h"

#include "base/error.h"
#include "nix/draft_paths.h"
#include "nix/edit.h"
#include "nix/source.h"

namespace autopin {
namespace {

namespace fs = std::filesystem;

void copy_folder(const fs::path& from, const fs::path& to) {
  if (!fs::exists(from))
    return;
  fs::remove_all(to);
  fs::create_directories(to.parent_path());
  fs::copy(from, to, fs::copy_options::recursive);
}

bool same_drvs(nix::Evaluator& evaluator, const nix::Draft& draft,
               const fs::path& entry, const std::vector<std::string>& roots) {
  nix::Invocation invocation = evaluator.invocation();
  invocation.entry = entry;
  if (!draft.on_disk())
    invocation.expression.reset();
  nix::Evaluator fresh(evaluator.world(), invocation);
  const auto opened = nix::Draft::open(evaluator.world(), invocation);
  const auto evaluation = fresh.instantiate(opened);
  const auto* made = std::get_if<nix::Instantiated>(&evaluation);
  return made != nullptr && made->drvs == roots;
}

/// Outside of the draft's folder, where relative paths no longer mean the same.
fs::path write_outside(Files& files, const nix::Draft& draft,
                       const fs::path& outside) {
  fs::path entry;
  std::map<fs::path, fs::path> moved;
  for (const auto& file : draft.files())
    if (draft.changed(file) || file == draft.entry())
      moved[file] = outside / fixed_name(file).filename();
  for (const auto& [file, target] : moved) {
    std::string text = nix::with_absolute_paths(
        nix::Source::parse(draft.text(file)), file.parent_path().string());
    for (const auto& [other, other_target] : moved)
      if (other != file)
        for (std::size_t at = text.find(other.string());
             at != std::string::npos;
             at = text.find(other.string(), at + other_target.string().size()))
          text.replace(at, other.string().size(), other_target.string());
    files.write(target, text);
    if (file == draft.entry())
      entry = target;
  }
  return entry;
}

}  // namespace

fs::path fixed_name(const fs::path& file) {
  return file.parent_path() /
         (file.stem().string() + ".fixed" + file.extension().string());
}

std::map<fs::path, std::string> fixed_copies(const nix::Draft& draft) {
  std::map<fs::path, std::string> texts;
  std::map<fs::path, std::vector<std::pair<fs::path, nix::Range>>> named;
  for (const auto& file : draft.files()) {
    if (draft.changed(file))
      texts[file] = draft.text(file);
    const auto source = nix::Source::parse(draft.text(file));
    for (const auto& path : nix::relative_paths(source))
      if (!path.interpolated)
        named[(file.parent_path() / path.text).lexically_normal()].emplace_back(
            file, path.range);
  }
  // Who names a file with a new name gets one too, up to the entry.
  std::map<fs::path, std::vector<nix::Edit>> redirected;
  std::vector<fs::path> pending;
  for (const auto& [file, text] : texts)
    pending.push_back(file);
  while (!pending.empty()) {
    const fs::path file = pending.back();
    pending.pop_back();
    if (file == draft.entry())
      continue;
    for (const auto& [user, range] : named[file]) {
      const fs::path relative =
          fixed_name(file).lexically_proximate(user.parent_path());
      redirected[user].push_back({range, "./" + relative.generic_string()});
      if (texts.emplace(user, draft.text(user)).second)
        pending.push_back(user);
    }
  }
  std::map<fs::path, std::string> copies;
  for (const auto& [file, text] : texts) {
    nix::EditSet edits;
    edits.add_all(redirected[file]);
    copies[fixed_name(file)] = edits.apply(text);
  }
  return copies;
}

Delivery deliver(nix::Evaluator& evaluator, const nix::Draft& draft,
                 const std::vector<std::string>& roots,
                 const DeliveryRequest& request) {
  Files& files = evaluator.world().files;
  Delivery delivery;
  const fs::path beside = draft.entry().parent_path() /
                          (draft.entry().stem().string() + ".autopin");
  std::vector<fs::path> written;
  if (draft.changed()) {
    if (request.in_place && draft.on_disk()) {
      for (const auto& file : draft.files())
        if (draft.changed(file))
          files.write(file, draft.text(file));
      delivery.fixed = draft.entry();
    } else {
      for (const auto& [file, text] : fixed_copies(draft)) {
        files.write(file, text);
        written.push_back(file);
      }
      delivery.fixed = fixed_name(draft.entry());
    }
  }
  copy_folder(request.log_folder, beside);
  delivery.log_folder = beside;
  if (roots.empty())
    return delivery;
  const fs::path entry =
      delivery.fixed.empty() ? draft.entry() : delivery.fixed;
  if ((!draft.on_disk() && delivery.fixed.empty()) ||
      same_drvs(evaluator, draft, entry, roots))
    return delivery;
  fs::remove_all(beside);
  copy_folder(request.log_folder, request.outside / beside.filename());
  delivery.log_folder = request.outside / beside.filename();
  if (request.in_place || delivery.fixed.empty()) {
    if (draft.changed() && !same_drvs(evaluator, draft, entry, roots))
      delivery.notes.emplace_back(
          "the draft takes its own folder as a source: with the fix in it, it "
          "is another derivation than the one that was built");
    else
      delivery.notes.emplace_back(
          "the draft takes its own folder as a source, so the patch log is "
          "kept outside of it");
    return delivery;
  }
  for (const auto& file : written)
    fs::remove(file);
  delivery.fixed = write_outside(files, draft, request.outside);
  delivery.notes.emplace_back(
      "the draft takes its own folder as a source, and a file laid beside it "
      "would change what it builds: the fixed draft and the patch log are kept "
      "outside of it");
  if (!same_drvs(evaluator, draft, delivery.fixed, roots))
    delivery.notes.emplace_back(
        "evaluated from there it is another derivation than the one built");
  return delivery;
}

}  // namespace autopin
