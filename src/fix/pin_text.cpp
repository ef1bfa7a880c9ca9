#include "fix/pin_text.h"

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "python/fetchpypi.h"
#include "python/name.h"

namespace autopin::fix {
namespace {

using python::NeedKind;
using python::Pin;

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The set's package to start from: the attribute that the resolver chose; for
/// a tool of one build the one of the same series (pytest_3 for 3.0.3), since
/// the change to it is smaller; else the default one.
std::optional<SetAttribute> base_of(const PythonSet& set, const Pin& pin) {
  const auto found = set.find(pin.name);
  if (found.empty())
    return std::nullopt;
  const auto series = [](std::string_view version) {
    return version.substr(0, version.find('.'));
  };
  const std::string wanted = pin.version.text();
  for (const auto& attribute : found) {
    if (!pin.from_attribute.empty()
            ? attribute.attribute == pin.from_attribute
            : pin.kind != NeedKind::runtime &&
                  series(attribute.version) == series(wanted))
      return attribute;
  }
  return found.front();
}

std::string set_hash(const std::string& hex, bool modern) {
  const auto raw = from_hex(hex);
  if (!raw)
    return {};
  return modern ? "hash = " + nix::quote(to_sri(*raw))
                : "sha256 = " + nix::quote(to_nix_base32(*raw));
}

AttrChange set_attr(std::string name, NixText value) {
  AttrChange change;
  change.attribute = std::move(name);
  change.values.push_back(std::move(value));
  return change;
}

AttrChange append(std::string name, NixText value) {
  AttrChange change = set_attr(std::move(name), std::move(value));
  change.op = AttrChange::Op::append_items;
  return change;
}

/// One list of a change, so that two additions are one `++`.
void append_to(DerivationChange& change, const std::string& list,
               const NixText& value, const std::string& comment) {
  for (auto& there : change.attributes)
    if (there.op == AttrChange::Op::append_items && there.attribute == list) {
      there.values.push_back(value);
      return;
    }
  change.attributes.push_back(append(list, value));
  change.attributes.back().comment = comment;
}

}  // namespace

PinText::PinText(const PythonSet& set, const python::Resolution& resolution,
                 const Failure& failure)
    : set_(set), resolution_(resolution) {
  modern_ = !set.has({"pytestCheckHook"}).empty();
  for (const Pin& pin : resolution.pins) {
    PinnedPackage package{pin, base_of(set, pin), {}};
    const std::string reason =
        pin.asked_by.empty() ? pin.reason : pin.asked_by.front();
    package.comment = comment_for(failure, "asked for by " + reason);
    packages_.push_back(std::move(package));
  }
}

const PinnedPackage* PinText::find(const std::string& name) const {
  const PinnedPackage* found = nullptr;
  for (const auto& package : packages_)
    if (package.pin.name == name &&
        (found == nullptr || package.pin.for_build_of.empty()))
      found = &package;
  return found;
}

const PinnedPackage* PinText::find_for(const PinnedPackage& user,
                                       const python::Need& need) const {
  const std::string& build =
      need.kind == NeedKind::runtime ? user.pin.for_build_of : user.pin.name;
  const std::string name = need.requirement.key();
  for (const auto& package : packages_)
    if (package.pin.name == name && package.pin.for_build_of == build)
      return &package;
  const auto* shared = find(name);
  return shared != nullptr && shared->pin.for_build_of.empty() ? shared
                                                               : nullptr;
}

std::optional<NixText> PinText::reference(const std::string& name) const {
  return reference_to(find(name), name);
}

std::optional<NixText> PinText::reference_to(const PinnedPackage* package,
                                             const std::string& name) const {
  if (package != nullptr) {
    if (!package->pin.from_attribute.empty())
      return python_ref(package->pin.from_attribute);
    return python_ref(package->base ? package->base->attribute
                                    : package->pin.name);
  }
  for (const auto& kept : resolution_.kept)
    if (kept.name == name)
      return python_ref(kept.attribute);
  return std::nullopt;
}

NixText PinText::fetch(const Pin& pin) const {
  const auto& file = *pin.file;
  const std::string hash = set_hash(file.sha256, modern_);
  if (const auto arguments = python::to_fetch_pypi(file, modern_)) {
    std::string text = " {\n";
    for (const auto& [name, value] : arguments->arguments)
      text += "  " + name + " = " + nix::quote(value) + ";\n";
    return python_ref("fetchPypi") + (text + "  " + hash + ";\n}");
  }
  return top_ref("fetchurl") +
         (" {\n  url = " + nix::quote(file.url) + ";\n  " + hash + ";\n}");
}

DerivationChange PinText::own_change(const PinnedPackage& package) const {
  DerivationChange change;
  const Pin& pin = package.pin;
  if (!pin.file || !package.base)
    return change;
  const auto& given = package.base->given;
  const std::string version = pin.version.text();
  // Where the set writes the name out, a new version renames nothing.
  if (contains(given, "name"))
    change.attributes.push_back(
        set_attr("name", nix::quote(package.base->name + "-" + version)));
  change.attributes.push_back(set_attr("version", nix::quote(version)));
  const bool is_wheel = pin.file->kind == python::IndexFile::Kind::wheel;
  if (is_wheel != (package.base->format == "wheel")) {
    if (contains(given, "pyproject"))
      change.attributes.push_back(set_attr("pyproject", "null"));
    change.attributes.push_back(
        set_attr("format", is_wheel ? "\"wheel\"" : "\"setuptools\""));
  }
  change.attributes.push_back(set_attr("src", fetch(pin)));
  return change;
}

bool PinText::has_in_closure(const PinnedPackage& package,
                             const std::string& name) const {
  return package.base &&
         !set_.situation()
              .store()
              .find_distribution(package.base->drv, name, nix::Edges::runtime)
              .empty();
}

bool PinText::brought_by_other(const PinnedPackage& package,
                               const std::string& name) const {
  return std::any_of(
      package.pin.needs.begin(), package.pin.needs.end(),
      [&](const python::Need& need) {
        const auto* other =
            need.kind == NeedKind::runtime ? find_for(package, need) : nullptr;
        return other != nullptr && other->pin.name != name &&
               std::any_of(other->pin.needs.begin(), other->pin.needs.end(),
                           [&](const python::Need& inner) {
                             return inner.kind == NeedKind::runtime &&
                                    inner.requirement.key() == name;
                           });
      });
}

DerivationChange PinText::change_with(const PinnedPackage& package, bool scope,
                                      std::vector<std::string>& placed) const {
  DerivationChange change = own_change(package);
  const std::vector<std::string> none;
  const auto& arguments = package.base ? package.base->arguments : none;
  for (const python::Need& need : package.pin.needs) {
    const std::string name = need.requirement.key();
    const auto* other = find_for(package, need);
    const bool runtime = need.kind == NeedKind::runtime;
    const auto plain = reference_to(other, name);
    if (!plain)
      continue;
    const auto defaults = set_.find(name);
    const std::string argument =
        defaults.empty() ? std::string() : defaults.front().attribute;
    const bool is_argument = contains(arguments, argument);
    if (runtime && has_in_closure(package, name) && (scope || other == nullptr))
      continue;
    if (runtime && scope && brought_by_other(package, name))
      continue;
    if (!runtime && other == nullptr) {
      const auto inputs = package.base
                              ? set_.situation().store().inputs(
                                    package.base->drv, nix::Edges::build)
                              : none;
      if (!defaults.empty() && contains(inputs, defaults.front().drv))
        continue;
    }
    std::optional<NixText> value = plain;
    if (other != nullptr && !(scope && runtime)) {
      if (runtime && !is_argument && brought_by_other(package, name))
        continue;
      value = value_of(*other, scope, placed);
    }
    if (!value)
      continue;
    if (is_argument && !(scope && runtime)) {
      change.arguments.push_back(
          {argument, *value, other != nullptr ? other->comment : ""});
      continue;
    }
    append_to(change,
              runtime ? "propagatedBuildInputs"
              : need.kind == NeedKind::test
                  ? (modern_ ? "nativeCheckInputs" : "checkInputs")
                  : (modern_ ? "nativeBuildInputs" : "buildInputs"),
              *value, other != nullptr && !runtime ? other->comment : "");
  }
  return change;
}

std::optional<NixText> PinText::value_of(
    const PinnedPackage& package, bool scope,
    std::vector<std::string>& placed) const {
  if (!package.pin.from_attribute.empty())
    return python_ref(package.pin.from_attribute);
  if (contains(placed, package.pin.name))
    placed.emplace_back("");  // twice: nested() looks for this mark
  placed.push_back(package.pin.name);
  const DerivationChange change = change_with(package, scope, placed);
  if (package.base)
    return override_text(python_ref(package.base->attribute),
                         {package.base->has_override_python_attrs,
                          package.base->has_override_attrs, true},
                         true, change);
  // The set has no such package: a new one, its tests left out since nothing is
  // known of what they need.
  NixText text =
      python_ref("buildPythonPackage") +
      (" {\n  pname = " + nix::quote(package.pin.spelling) +
       ";\n  version = " + nix::quote(package.pin.version.text()) + ";\n");
  const bool is_wheel =
      package.pin.file->kind == python::IndexFile::Kind::wheel;
  if (!modern_)
    text +=
        "  name = " +
        nix::quote(package.pin.spelling + "-" + package.pin.version.text()) +
        ";\n";
  if (is_wheel)
    text += "  format = \"wheel\";\n";
  else if (modern_)
    text += "  pyproject = true;\n  build-system = [ " +
            python_ref("setuptools") + " ];\n";
  text += "  src = " + fetch(package.pin).indented("  ") + ";\n";
  for (const auto& attribute : change.attributes)
    if (attribute.op == AttrChange::Op::append_items) {
      text += "  " + attribute.attribute + " = [ ";
      for (const auto& value : attribute.values)
        text +=
            value.has_lines() ? "(" + value.indented("  ") + ") " : value + " ";
      text += "];\n";
    }
  return text + "  doCheck = false;\n}";
}

std::vector<SetEntry> PinText::scope_entries() const {
  std::vector<SetEntry> entries;
  for (const auto& package : packages_) {
    if (package.pin.kind != NeedKind::runtime)
      continue;  // belongs into the package whose build asks for it
    SetEntry entry;
    entry.comment = package.comment;
    std::vector<std::string> placed;
    if (package.base && package.pin.from_attribute.empty()) {
      entry.attribute = package.base->attribute;
      entry.change = change_with(package, true, placed);
      entry.functions = {package.base->has_override_python_attrs,
                         package.base->has_override_attrs, true};
    } else {
      const auto defaults = set_.find(package.pin.name);
      entry.attribute =
          defaults.empty() ? package.pin.name : defaults.front().attribute;
      entry.value = value_of(package, true, placed);
    }
    const std::string pinned = entry.attribute;
    entries.push_back(std::move(entry));
    // Other attributes of the same distribution that the draft's closure uses
    // would bring a second copy.
    for (const auto& other : set_.find(package.pin.name)) {
      if (other.attribute == pinned || !set_.situation().in_closure(other.drv))
        continue;
      SetEntry alias;
      alias.attribute = other.attribute;
      alias.value = python_ref(pinned);
      alias.comment = package.comment;
      entries.push_back(std::move(alias));
    }
  }
  return entries;
}

std::optional<NixText> PinText::nested(const std::string& name) const {
  const auto* package = find(name);
  if (package == nullptr)
    return reference(name);
  std::vector<std::string> placed;
  auto text = value_of(*package, false, placed);
  if (contains(placed, ""))
    return std::nullopt;
  return text;
}

std::vector<Source> PinText::sources() const {
  std::vector<Source> sources;
  for (const auto& package : packages_)
    if (package.pin.file) {
      const auto raw = from_hex(package.pin.file->sha256);
      sources.push_back({package.pin.file->index, package.pin.file->filename,
                         raw ? to_sri(*raw) : std::string()});
    }
  return sources;
}

}  // namespace autopin::fix
