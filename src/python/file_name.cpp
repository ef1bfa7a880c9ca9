#include "python/file_name.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "python/name.h"
#include "python/scan.h"

namespace autopin::python {

namespace {

bool is_wheel_project(std::string_view name) {
  // PEP 427: runs of other characters are one "_"; old tools left dots.
  return !name.empty() && name.find("__") == std::string_view::npos &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return is_alphanumeric(c) || c == '_' || c == '.';
         });
}

std::optional<std::string_view> without_suffix(std::string_view text,
                                               std::string_view suffix) {
  if (text.size() <= suffix.size() ||
      text.substr(text.size() - suffix.size()) != suffix)
    return std::nullopt;
  return text.substr(0, text.size() - suffix.size());
}

constexpr std::array<std::string_view, 6> sdist_extensions{
    ".tar.gz", ".zip", ".tar.bz2", ".tgz", ".tar.xz", ".tar.Z"};

/// Where the version starts: behind the last dash, or, the project being
/// known, behind the dash at which the text before it is the project.
std::size_t version_offset(std::string_view stem, std::string_view project) {
  if (project.empty()) {
    const std::size_t dash = stem.rfind('-');
    return dash == std::string_view::npos ? dash : dash + 1;
  }
  const std::string key = normalize_name(project);
  for (std::size_t at = stem.find('-'); at != std::string_view::npos;
       at = stem.find('-', at + 1)) {
    if (normalize_name(stem.substr(0, at)) == key)
      return at + 1;
  }
  return std::string_view::npos;
}

}  // namespace

std::optional<WheelParts> WheelParts::of(std::string_view filename) {
  auto rest = without_suffix(filename, ".whl");
  if (!rest)
    return std::nullopt;
  std::array<std::string_view, 6> parts;
  std::size_t count = 0;
  for (bool more = true; more; ++count) {
    const std::size_t dash = rest->find('-');
    if (count == parts.size())
      return std::nullopt;
    parts[count] = rest->substr(0, dash);
    more = dash != std::string_view::npos;
    rest->remove_prefix(more ? dash + 1 : rest->size());
  }
  if (count < 5 || !is_wheel_project(parts[0]))
    return std::nullopt;
  WheelParts out{parts[0],         parts[1],         "",
                 parts[count - 3], parts[count - 2], parts[count - 1]};
  if (count == 6) {
    if (parts[2].empty() || !is_digit(parts[2].front()))
      return std::nullopt;
    out.build = parts[2];
  }
  if (out.python.empty() || out.abi.empty() || out.platform.empty())
    return std::nullopt;
  return out;
}

std::optional<WheelName> WheelName::parse(std::string_view filename) {
  const auto parts = WheelParts::of(filename);
  const auto version = parts ? Version::parse(parts->version) : std::nullopt;
  if (!version)
    return std::nullopt;
  WheelName out;
  out.project_spelling = parts->project;
  out.version_spelling = parts->version;
  out.project = normalize_name(parts->project);
  out.version = *version;
  out.build = parts->build;
  out.python = parts->python;
  out.abi = parts->abi;
  out.platform = parts->platform;
  out.tags = expand_tags(out.python + '-' + out.abi + '-' + out.platform);
  return out;
}

std::optional<SdistName> SdistName::parse(std::string_view filename,
                                          std::string_view project) {
  for (const std::string_view extension : sdist_extensions) {
    const auto stem = without_suffix(filename, extension);
    if (!stem)
      continue;
    const std::size_t at = version_offset(*stem, project);
    if (at == std::string_view::npos || at < 2)
      return std::nullopt;
    SdistName out;
    out.project_spelling = stem->substr(0, at - 1);
    out.version_spelling = stem->substr(at);
    out.extension = extension;
    const auto version = Version::parse(out.version_spelling);
    if (!version)
      return std::nullopt;
    out.project = normalize_name(out.project_spelling);
    out.version = *version;
    return out;
  }
  return std::nullopt;
}

}  // namespace autopin::python
