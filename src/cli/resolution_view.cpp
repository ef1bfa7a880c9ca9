#include "cli/resolution_view.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/hash.h"
#include "base/printable.h"
#include "base/text.h"
#include "nix/edit.h"
#include "python/fetchpypi.h"

namespace autopin {

namespace {

using nlohmann::ordered_json;
using python::IndexFile;
using python::NeedKind;
using python::Pin;
using python::Resolution;

/// In Nix's base 32, as nixpkgs writes hashes of that time.
std::string base32_of(const IndexFile& file) {
  const auto raw = from_hex(file.sha256);
  return raw ? to_nix_base32(*raw) : "";
}

std::string role_of(NeedKind kind, const std::string& build_of) {
  if (build_of.empty())
    return "";
  return " (for the " + std::string(python::to_string(kind)) + " of " +
         build_of + ')';
}

std::vector<std::string> printable_all(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
  for (const std::string& text : texts)
    out.push_back(printable_line(text));
  return out;
}

ordered_json json_of(const IndexFile& file) {
  ordered_json out;
  out["filename"] = file.filename;
  out["url"] = file.url;
  out["kind"] = file.kind == IndexFile::Kind::wheel ? "wheel" : "sdist";
  out["sha256"] = file.sha256;
  out["base32"] = base32_of(file);
  if (const auto raw = from_hex(file.sha256))
    out["sri"] = to_sri(*raw);
  out["index"] = file.index;
  return out;
}

ordered_json json_of(const Pin& pin) {
  ordered_json out;
  out["name"] = pin.name;
  out["spelling"] = pin.spelling;
  out["version"] = pin.version.text();
  if (!pin.from_attribute.empty())
    out["attribute"] = pin.from_attribute;
  if (pin.file)
    out["file"] = json_of(*pin.file);
  out["kind"] = python::to_string(pin.kind);
  if (!pin.for_build_of.empty())
    out["for-build-of"] = pin.for_build_of;
  out["asked-by"] = printable_all(pin.asked_by);
  out["reason"] = printable_line(pin.reason);
  out["needs"] = ordered_json::array();
  for (const python::Need& need : pin.needs) {
    ordered_json row;
    row["requirement"] = printable_line(need.requirement.text());
    row["kind"] = python::to_string(need.kind);
    row["source"] = need.source;
    out["needs"].push_back(row);
  }
  out["opaque"] = pin.opaque;
  return out;
}

/// The name in the scope: a package that only one build sees gets one of its
/// own, since the scope's must stay as it is.
std::string attribute_of(const Pin& pin) {
  if (pin.for_build_of.empty())
    return pin.name;
  return pin.name + '_' + replace_all(pin.version.text(), ".", "_");
}

class NixView {
 public:
  explicit NixView(const Resolution& resolution) : resolution_(resolution) {}

  std::string text() {
    out_ = "self: super: {\n";
    std::set<std::string> done;
    for (const Pin& pin : resolution_.pins) {
      if (!done.insert(attribute_of(pin)).second)
        continue;
      // Every package of the scope is built with it, itself included.
      if (python::is_builders_own(pin.name))
        line("# " + pin.name + ' ' + pin.version.text() +
             ": the builder's own is left as it is");
      else
        add(pin);
    }
    return out_ + "}\n";
  }

 private:
  void line(const std::string& text, int depth = 1) {
    out_ += std::string(static_cast<std::size_t>(2 * depth), ' ') + text + '\n';
  }

  void add(const Pin& pin) {
    for (const std::string& who : pin.asked_by)
      line("# " + printable_line(who) + role_of(pin.kind, pin.for_build_of));
    const std::string name = nix::attr_name(attribute_of(pin));
    if (!pin.file) {
      line(name + " = super." + nix::attr_name(pin.from_attribute) + ';');
      return;
    }
    line(name + " = super.buildPythonPackage rec {");
    add_source(*pin.file);
    add_inputs("propagatedBuildInputs", NeedKind::runtime, pin);
    add_inputs("buildInputs", NeedKind::build, pin);
    add_inputs("checkInputs", NeedKind::test, pin);
    line("};");
  }

  void add_source(const IndexFile& file) {
    const auto fetch = python::to_fetch_pypi(file);
    const bool wheel = file.kind == IndexFile::Kind::wheel;
    std::string rest;
    if (!fetch) {
      line("pname = " + nix::quote(python_name(file)) + ';', 2);
      line("version = " + nix::quote(file.version.text()) + ';', 2);
      if (wheel)
        line("format = \"wheel\";", 2);
      line("src = builtins.fetchurl {", 2);
      line("url = " + nix::quote(file.url) + ';', 3);
    } else {
      for (const auto& [key, value] : fetch->arguments) {
        if (key == "pname" || key == "version" || key == "format")
          line(key + " = " + nix::quote(value) + ';', 2);
      }
      line("src = super.fetchPypi {", 2);
      line(wheel ? "inherit pname version format;" : "inherit pname version;",
           3);
      for (const auto& [key, value] : fetch->arguments) {
        if (key != "pname" && key != "version" && key != "format")
          line(key + " = " + nix::quote(value) + ';', 3);
      }
    }
    line("sha256 = " + nix::quote(base32_of(file)) + ';', 3);
    line("};", 2);
  }

  static std::string python_name(const IndexFile& file) {
    return file.filename.substr(0, file.filename.find('-'));
  }

  void add_inputs(const char* argument, NeedKind kind, const Pin& pin) {
    std::vector<std::string> names;
    for (const python::Need& need : pin.needs) {
      if (need.kind != kind)
        continue;
      const std::string name =
          "self." + nix::attr_name(input_for(need.requirement.key(), pin));
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
    if (!names.empty())
      line(std::string(argument) + " = [ " + join(names, " ") + " ];", 2);
  }

  /// The attribute that a need of `pin` is met by.
  std::string input_for(const std::string& name, const Pin& pin) const {
    for (const Pin& other : resolution_.pins) {
      const bool seen = other.for_build_of == pin.for_build_of ||
                        other.for_build_of == pin.name ||
                        other.for_build_of.empty();
      if (other.name == name && seen)
        return attribute_of(other);
    }
    for (const python::Kept& kept : resolution_.kept) {
      if (kept.name == name)
        return kept.attribute;
    }
    return name;
  }

  const Resolution& resolution_;
  std::string out_;
};

}  // namespace

std::string to_text(const Resolution& resolution) {
  std::string out;
  for (const Pin& pin : resolution.pins) {
    out += pin.name + ' ' + pin.version.text() +
           role_of(pin.kind, pin.for_build_of) + '\n';
    if (pin.file) {
      out += "  file    " + printable_line(pin.file->filename) + '\n';
      out += "  from    " + printable_line(pin.file->url) + '\n';
      out += "  sha256  " + base32_of(*pin.file) + '\n';
    } else {
      out += "  from    the package set's " + pin.from_attribute + '\n';
    }
    for (const std::string& who : pin.asked_by)
      out += "  because " + printable_line(who) + '\n';
    if (!pin.opaque.empty())
      out += "  computed, so not read: " + join(pin.opaque, ", ") + '\n';
  }
  for (const python::Kept& kept : resolution.kept)
    out += kept.name + ' ' + kept.version.text() + " kept, as " +
           kept.attribute + role_of(kept.kind, kept.for_build_of) + '\n';
  for (const std::string& note : resolution.notes)
    out += "note: " + printable_line(note) + '\n';
  return out;
}

std::string to_json(const Resolution& resolution) {
  ordered_json out;
  out["schema"] = 1;
  out["outcome"] = "resolved";
  out["pins"] = ordered_json::array();
  for (const Pin& pin : resolution.pins)
    out["pins"].push_back(json_of(pin));
  out["kept"] = ordered_json::array();
  for (const python::Kept& kept : resolution.kept) {
    ordered_json row;
    row["name"] = kept.name;
    row["attribute"] = kept.attribute;
    row["version"] = kept.version.text();
    row["asked-by"] = printable_all(kept.asked_by);
    out["kept"].push_back(row);
  }
  out["notes"] = printable_all(resolution.notes);
  return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

std::string to_json(const python::NoSolution& none) {
  ordered_json out;
  out["schema"] = 1;
  out["outcome"] = "no-solution";
  out["why"] = printable(none.why);
  out["names"] = none.names;
  if (!none.fitting_python.empty())
    out["fitting-python"] = none.fitting_python;
  return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

std::string to_nix(const Resolution& resolution) {
  return NixView(resolution).text();
}

}  // namespace autopin
