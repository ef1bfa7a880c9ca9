#pragma once
// autopin's answers in the form of packaging_oracle.py, and the differences
// that are argued from the standards.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "python/differential_cases.h"
#include "python/file_name.h"
#include "python/name.h"
#include "python/requirement.h"
#include "python/specifier.h"
#include "python/tags.h"
#include "python/version.h"

namespace autopin::python {

inline std::string flag(bool value) {
  return value ? "1" : "0";
}

inline std::pair<MarkerEnvironment, std::string> read_environment(
    const std::string& text) {
  const auto json = nlohmann::json::parse(text);
  MarkerEnvironment out;
  const auto get = [&json](const char* key) {
    return json.at(key).get<std::string>();
  };
  out.python_version = get("python_version");
  out.python_full_version = get("python_full_version");
  out.implementation_version = get("implementation_version");
  out.implementation_name = get("implementation_name");
  out.platform_python_implementation = get("platform_python_implementation");
  out.os_name = get("os_name");
  out.sys_platform = get("sys_platform");
  out.platform_machine = get("platform_machine");
  out.platform_system = get("platform_system");
  out.platform_release = get("platform_release");
  out.platform_version = get("platform_version");
  return {out, get("extra")};
}

inline std::string marker_answer(const Marker& marker,
                                 const std::string& environment) {
  const auto [values, extra] = read_environment(environment);
  const auto holds = marker.evaluate(values, extra);
  return holds ? flag(*holds) : "undefined";
}

inline std::string specifier_answer(const Case& c) {
  const auto set = SpecifierSet::parse(c.arguments[0]);
  const auto version = Version::parse(c.arguments[1]);
  if (!set)
    return "error InvalidSpecifier";
  if (!version)
    return "error InvalidVersion";
  return flag(set->contains(*version, SpecifierSet::Prereleases::allowed)) +
         ' ' + flag(set->contains(*version)) + ' ' + set->text();
}

inline std::string choose_answer(const Case& c) {
  const auto set = SpecifierSet::parse(c.arguments[0]);
  if (!set)
    return "error InvalidSpecifier";
  std::vector<Version> versions;
  for (std::size_t i = 1; i < c.arguments.size(); ++i)
    versions.push_back(*Version::parse(c.arguments[i]));
  const auto chosen = set->filter(versions);
  // Those of the question that are among the chosen, as it spells them.
  std::vector<std::string> out;
  for (std::size_t i = 0; i < versions.size(); ++i) {
    for (const Version& v : chosen) {
      if (v.text() != versions[i].text())
        continue;
      out.push_back(c.arguments[i + 1]);
      break;
    }
  }
  return join(out, ",");
}

inline std::string requirement_answer(const Case& c) {
  const auto r = Requirement::parse(c.arguments[0]);
  if (!r)
    return "error InvalidRequirement";
  return r->name + '|' + join(r->extras, ",") + '|' + r->specifiers.text() +
         '|' + r->url + '|' +
         (r->marker ? marker_answer(*r->marker, c.arguments[1]) : "");
}

inline std::string wheel_answer(const std::string& filename) {
  const auto wheel = WheelName::parse(filename);
  if (!wheel)
    return "error";
  std::vector<std::string> tags;
  for (const Tag& tag : wheel->tags)
    tags.push_back(tag.text());
  std::sort(tags.begin(), tags.end());
  return wheel->project + '|' + wheel->version.text() + '|' + wheel->build +
         '|' + join(tags, ",");
}

inline std::string tags_answer(const Case& c) {
  Target target;
  target.python = c.arguments[0];
  target.system = c.arguments[1];
  target.machine = c.arguments[2];
  const std::pair libc{std::stoi(c.arguments[4]), std::stoi(c.arguments[5])};
  if (c.arguments[3] == "musl")
    target.musl = libc;
  target.glibc = libc;
  target.macos = libc;
  std::vector<std::string> out;
  for (const Tag& tag : supported_tags(target))
    out.push_back(tag.text());
  return join(out, ",");
}

inline std::string our_answer(const Case& c) {
  const std::string& first = c.arguments[0];
  if (c.kind == "version") {
    const auto version = Version::parse(first);
    return version ? version->text() : "error InvalidVersion";
  }
  if (c.kind == "compare") {
    const auto left = Version::parse(first);
    const auto right = Version::parse(c.arguments[1]);
    if (!left || !right)
      return "error InvalidVersion";
    return *left < *right ? "<" : *left > *right ? ">" : "=";
  }
  if (c.kind == "specifier")
    return specifier_answer(c);
  if (c.kind == "choose")
    return choose_answer(c);
  if (c.kind == "requirement")
    return requirement_answer(c);
  if (c.kind == "marker") {
    const auto marker = Marker::parse(first);
    return marker ? marker_answer(*marker, c.arguments[1])
                  : "error InvalidMarker";
  }
  if (c.kind == "name")
    return normalize_name(first);
  if (c.kind == "wheel")
    return wheel_answer(first);
  if (c.kind == "sdist") {
    const auto sdist = SdistName::parse(first);
    return sdist ? sdist->project + '|' + sdist->version.text() : "error";
  }
  return tags_answer(c);
}

}  // namespace autopin::python
