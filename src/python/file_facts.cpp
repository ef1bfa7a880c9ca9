#include "python/file_facts.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "python/file_name.h"
#include "python/name.h"

namespace autopin::python {

namespace {

struct SdistTexts {
  std::string pkg_info;
  std::string requires_txt;
  bool has_requires_txt = false;
  std::string setup_py;
  std::string setup_cfg;
  std::string pyproject;
};

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         text.substr(text.size() - end.size()) == end;
}

/// The piece of `texts` that a member of "name-1.0/…" fills, or nothing.
std::string* slot_of(std::string_view path, SdistTexts& texts) {
  if (path.substr(0, 2) == "./")
    path.remove_prefix(2);
  const auto depth = std::count(path.begin(), path.end(), '/');
  // "src/" layouts put the egg-info one level deeper.
  if (ends_with(path, ".egg-info/requires.txt") && depth <= 3) {
    texts.has_requires_txt = true;
    return &texts.requires_txt;
  }
  if (depth != 1)
    return nullptr;
  const std::string_view name = path.substr(path.find('/') + 1);
  if (name == "PKG-INFO")
    return &texts.pkg_info;
  if (name == "setup.py")
    return &texts.setup_py;
  if (name == "setup.cfg")
    return &texts.setup_cfg;
  if (name == "pyproject.toml")
    return &texts.pyproject;
  return nullptr;
}

SdistTexts read_texts(std::string_view bytes, std::string_view filename) {
  SdistTexts texts;
  if (ends_with(filename, ".zip")) {
    const ReadAt read = read_from(bytes);
    for (const ArchiveMember& member : list_zip(read, bytes.size(), filename)) {
      if (std::string* slot = slot_of(member.name, texts))
        *slot = read_zip_member(read, bytes.size(), member, filename);
    }
    return texts;
  }
  const auto wanted = [](const std::string& name) {
    SdistTexts scratch;
    return slot_of(name, scratch) != nullptr;
  };
  for (TarFile& file : read_tar(bytes, wanted, filename))
    *slot_of(file.name, texts) = std::move(file.content);
  return texts;
}

void add_entries(const DeclaredRequirements::List& entries,
                 const std::string& extra, Metadata& out) {
  for (const std::string& entry : entries) {
    // In setuptools' form, so that extras get their markers the same way.
    const std::string text =
        extra.empty() ? entry : '[' + extra + "]\n" + entry;
    for (Requirement& r : parse_requires_txt(text, out.unreadable))
      out.requires_dist.push_back(std::move(r));
  }
}

/// The runtime requirements of a source distribution: PKG-INFO where it may be
/// relied on, else what setuptools last wrote beside it, else the literal
/// lists of the build files.
void settle_requirements(const SdistTexts& texts, FileFacts& out) {
  Metadata& metadata = out.metadata;
  out.requirements_are_final = metadata.requirements_are_final(false);
  if (out.requirements_are_final || !metadata.requires_dist.empty())
    return;
  if (texts.has_requires_txt) {
    metadata.requires_dist =
        parse_requires_txt(texts.requires_txt, metadata.unreadable);
    return;
  }
  add_entries(
      out.declared.install_requires.value_or(DeclaredRequirements::List{}), "",
      metadata);
  if (out.declared.extras_require) {
    for (const auto& [extra, entries] : *out.declared.extras_require)
      add_entries(entries, extra, metadata);
  }
}

bool is_wheel_metadata(std::string_view path) {
  return ends_with(path, ".dist-info/METADATA") &&
         std::count(path.begin(), path.end(), '/') == 1;
}

}  // namespace

FileFacts read_wheel(const ReadAt& read, std::uint64_t size,
                     std::string_view filename) {
  for (const ArchiveMember& member : list_zip(read, size, filename)) {
    if (!is_wheel_metadata(member.name))
      continue;
    FileFacts out;
    out.metadata =
        parse_metadata(read_zip_member(read, size, member, filename), filename);
    return out;
  }
  throw Error("read the wheel", filename, "it has no METADATA");
}

FileFacts read_sdist(std::string_view bytes, std::string_view filename,
                     std::string_view project) {
  FileFacts out;
  const auto spelled = SdistName::parse(filename, project);
  // .tar.Z, for which no library is kept.
  const bool readable = !ends_with(filename, ".Z");
  if (!readable && spelled) {
    out.metadata.name = spelled->project_spelling;
    out.metadata.version = spelled->version_spelling;
    out.declared.opaque = {"archive"};
    out.requirements_are_final = false;
    return out;
  }
  const SdistTexts texts = read_texts(bytes, filename);
  if (!texts.pkg_info.empty()) {
    out.metadata = parse_metadata(texts.pkg_info, filename);
  } else if (spelled) {
    out.metadata.name = spelled->project_spelling;
    out.metadata.version = spelled->version_spelling;
  }
  out.declared = merge(
      merge(read_setup_py(texts.setup_py), read_setup_cfg(texts.setup_cfg)),
      read_pyproject(texts.pyproject));
  // A build without setup.py has no setup() to miss.
  if (texts.setup_py.empty()) {
    auto& opaque = out.declared.opaque;
    opaque.erase(std::remove(opaque.begin(), opaque.end(), "setup"),
                 opaque.end());
  }
  if (out.metadata.requires_python.empty())
    out.metadata.requires_python = out.declared.python_requires;
  settle_requirements(texts, out);
  return out;
}

void check_metadata(const Metadata& metadata, const IndexFile& file) {
  const auto version = Version::parse(metadata.version);
  const bool same_version =
      version && version->public_version() == file.version.public_version();
  const auto wheel = WheelName::parse(file.filename);
  const bool same_name =
      !wheel || normalize_name(metadata.name) == wheel->project;
  if (same_version && same_name)
    return;
  throw Error("read package metadata", file.url,
              "the file is that of another package: it says " +
                  to_utf8(metadata.name) + ' ' + to_utf8(metadata.version));
}

}  // namespace autopin::python
