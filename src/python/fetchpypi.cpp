#include "python/fetchpypi.h"

#include <array>
#include <string_view>

#include "python/file_name.h"

namespace autopin::python {

namespace {

using Arguments = std::vector<std::pair<std::string, std::string>>;

/// nixpkgs, pkgs/build-support/fetchpypi: what is not given is this.
void add_unless(std::string_view standard, const char* name,
                const std::string& value, Arguments& out) {
  if (value != standard)
    out.emplace_back(name, value);
}

std::optional<FetchPypi> of_wheel(const IndexFile& file, bool has_dist) {
  const auto name = WheelName::parse(file.filename);
  if (!name || !name->build.empty())
    return std::nullopt;
  FetchPypi out;
  out.filename = file.filename;
  out.arguments = {{"pname", name->project_spelling},
                   {"version", name->version_spelling},
                   {"format", "wheel"}};
  constexpr std::string_view universal = "py2.py3";
  if (has_dist)
    add_unless(universal, "dist", name->python, out.arguments);
  add_unless(universal, "python", name->python, out.arguments);
  add_unless("none", "abi", name->abi, out.arguments);
  add_unless("any", "platform", name->platform, out.arguments);
  return out;
}

/// Where the file's version starts: at the dash behind which it stands as the
/// index entry has it ("foo-1-2.tar.gz" is foo 1.post2).
std::optional<std::size_t> version_start(std::string_view stem,
                                         const Version& version) {
  for (std::size_t at = stem.find('-'); at != std::string_view::npos;
       at = stem.find('-', at + 1)) {
    const auto found = Version::parse(stem.substr(at + 1));
    if (found && *found == version)
      return at + 1;
  }
  return std::nullopt;
}

std::optional<FetchPypi> of_sdist(const IndexFile& file) {
  constexpr std::array<std::string_view, 4> unpacked{".tar.gz", ".zip",
                                                     ".tar.bz2", ".tar.xz"};
  const std::string_view name = file.filename;
  for (const std::string_view extension : unpacked) {
    if (name.size() <= extension.size() ||
        name.substr(name.size() - extension.size()) != extension)
      continue;
    const std::string_view stem =
        name.substr(0, name.size() - extension.size());
    const auto start = version_start(stem, file.version);
    if (!start)
      return std::nullopt;
    FetchPypi out;
    out.filename = file.filename;
    out.arguments = {{"pname", std::string(stem.substr(0, *start - 1))},
                     {"version", std::string(stem.substr(*start))}};
    add_unless("tar.gz", "extension", std::string(extension.substr(1)),
               out.arguments);
    return out;
  }
  return std::nullopt;
}

}  // namespace

std::optional<FetchPypi> to_fetch_pypi(const IndexFile& file, bool has_dist) {
  return file.kind == IndexFile::Kind::wheel ? of_wheel(file, has_dist)
                                             : of_sdist(file);
}

}  // namespace autopin::python
