#include "python/metadata.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "python/scan.h"

namespace autopin::python {

namespace {

struct Field {
  std::string name;  // lower case
  std::string value;
};

/// The header fields, continuation lines joined (RFC 822 as core metadata has
/// it: "The body is the description").
std::vector<Field> read_fields(std::string_view text) {
  std::vector<Field> out;
  for (std::string_view line : lines_of(text)) {
    if (!line.empty() && line.back() == '\r')
      line.remove_suffix(1);
    if (line.empty())
      break;
    if (line.front() == ' ' || line.front() == '\t') {
      if (!out.empty())
        out.back().value += ' ' + std::string(trim(line));
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
      continue;
    out.push_back({to_lower(trim(line.substr(0, colon))),
                   std::string(trim(line.substr(colon + 1)))});
  }
  return out;
}

void add_requirement(const std::string& text, std::vector<Requirement>& out,
                     std::vector<std::string>& unreadable) {
  if (auto requirement = Requirement::parse_leniently(text))
    out.push_back(*std::move(requirement));
  else
    unreadable.push_back(text);
}

/// "[extra:marker]" of a requires.txt as the marker of each of its entries.
std::string marker_of_section(std::string_view section) {
  const std::size_t colon = section.find(':');
  const std::string extra(trim(section.substr(0, colon)));
  std::string marker(
      colon == std::string_view::npos ? "" : trim(section.substr(colon + 1)));
  if (extra.empty())
    return marker;
  const std::string is_extra = "extra == '" + extra + '\'';
  return marker.empty() ? is_extra : '(' + marker + ") and " + is_extra;
}

std::string with_marker(const std::string& entry, const std::string& marker) {
  if (marker.empty())
    return entry;
  // An entry may bring a marker of its own.
  const std::size_t semicolon = entry.find(';');
  if (semicolon == std::string::npos)
    return entry + " ; " + marker;
  return entry.substr(0, semicolon) + " ; (" + entry.substr(semicolon + 1) +
         ") and (" + marker + ')';
}

}  // namespace

bool Metadata::requirements_are_final(bool is_wheel) const {
  if (is_wheel)
    return true;
  const auto form = Version::parse(metadata_version);
  const bool has_dynamic = form && *form >= *Version::parse("2.2");
  return has_dynamic &&
         std::none_of(dynamic.begin(), dynamic.end(), [](const std::string& f) {
           return f == "requires-dist";
         });
}

Metadata parse_metadata(std::string_view text, std::string_view where) {
  Metadata out;
  for (Field& field : read_fields(text)) {
    if (field.name == "metadata-version")
      out.metadata_version = field.value;
    else if (field.name == "name")
      out.name = field.value;
    else if (field.name == "version")
      out.version = field.value;
    else if (field.name == "requires-python")
      out.requires_python = field.value;
    else if (field.name == "requires-dist")
      add_requirement(field.value, out.requires_dist, out.unreadable);
    else if (field.name == "provides-extra")
      out.provides_extra.push_back(field.value);
    else if (field.name == "dynamic")
      out.dynamic.push_back(to_lower(field.value));
  }
  if (out.name.empty() || out.version.empty())
    throw Error("read package metadata", where, "no Name or no Version field");
  return out;
}

std::vector<Requirement> parse_requires_txt(
    std::string_view text, std::vector<std::string>& unreadable) {
  std::vector<Requirement> out;
  std::string marker;
  for (const std::string_view raw : lines_of(text)) {
    const std::string line(trim(raw));
    if (line.empty() || line.front() == '#')
      continue;
    if (line.front() == '[' && line.back() == ']')
      marker =
          marker_of_section(std::string_view(line).substr(1, line.size() - 2));
    else
      add_requirement(with_marker(line, marker), out, unreadable);
  }
  return out;
}

}  // namespace autopin::python
