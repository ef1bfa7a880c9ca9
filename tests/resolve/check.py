"""Is an answer of the resolver right? By `packaging` alone, from the files' own metadata."""
import email.parser
import functools
import io
import re
import tarfile
import urllib.request
import zipfile

from packaging.markers import default_environment
from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

# What a source distribution leaves to the code of its setup.py.
UNKNOWN = None


def same(left, right):
    return Version(left) == Version(right)


def is_preview(version):
    return Version(version).is_prerelease


def get(url):
    with urllib.request.urlopen(url) as answer:
        return answer.read()


def requires_txt(text):
    """setuptools' own form: sections are [extra], [:marker] or [extra:marker]."""
    section, out = "", []
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("["):
            section = line[1:-1]
        elif line and not line.startswith("#"):
            extra, _, marker = section.partition(":")
            parts = [f"({marker})"] if marker else []
            parts += [f'extra == "{extra}"'] if extra else []
            out.append(line + ("; " + " and ".join(parts) if parts else ""))
    return out


@functools.lru_cache(None)
def metadata(url):
    """(Requires-Dist or UNKNOWN, Requires-Python)"""
    if url.endswith(".whl"):
        message = email.parser.BytesParser().parsebytes(get(url + ".metadata"))
        return message.get_all("Requires-Dist", []), message.get("Requires-Python", "")
    body = get(url)
    if url.endswith(".zip"):
        archive = zipfile.ZipFile(io.BytesIO(body))
        names, read = archive.namelist(), archive.read
    else:
        archive = tarfile.open(fileobj=io.BytesIO(body))
        names, read = archive.getnames(), lambda n: archive.extractfile(n).read()
    info = email.parser.BytesParser().parsebytes(
        read(next(n for n in names if re.fullmatch(r"[^/]+/PKG-INFO", n))))
    python = info.get("Requires-Python", "")
    if info.get_all("Requires-Dist"):
        return info.get_all("Requires-Dist"), python
    listed = [n for n in names if n.endswith(".egg-info/requires.txt")]
    if listed:
        return requires_txt(read(listed[0]).decode()), python
    return ([] if any(n.endswith(".egg-info/SOURCES.txt") for n in names) else UNKNOWN), python


def environment(python):
    out = default_environment()
    out.update(python_version=".".join(python.split(".")[:2]),
               python_full_version=python if python.count(".") == 2 else python + ".0")
    out["implementation_version"] = out["python_full_version"]
    return out


def parsed(text):
    """As it stands; else as tools before PEP 440 meant it; else nothing, as for pip."""
    for form in (text, re.sub(r"(>=?|<=?)\s*([0-9.]+)\.\*", r"\1\2", text)):
        try:
            return Requirement(form)
        except InvalidRequirement:
            pass
    return None


def faults(given, answer, python):
    """Sentences; empty where all is well."""
    pins = {p["name"]: p for p in answer["pins"]}
    env = environment(python)
    out = []
    todo = [("the set", Requirement(r), "") for r in given["requirements"]]
    seen = set()
    while todo:
        who, need, extra = todo.pop()
        if need.marker and not need.marker.evaluate({**env, "extra": extra}):
            continue
        name = canonicalize_name(need.name)
        if name not in pins:
            if name not in ("setuptools", "wheel", "pip"):
                out.append(f"{who} needs {need}, which is not there")
            continue
        pin = pins[name]
        if not need.specifier.contains(pin["version"], prereleases=True):
            out.append(f"{who} needs {need}, and {pin['version']} was chosen")
        for extra_asked in {"", *map(canonicalize_name, need.extras)}:
            if (name, extra_asked) in seen:
                continue
            seen.add((name, extra_asked))
            texts, requires = metadata(pin["file"]["url"])
            try:
                fits = not requires or SpecifierSet(requires).contains(env["python_full_version"])
            except InvalidSpecifier:
                fits = True
            if not fits:
                out.append(f"{name} {pin['version']} requires Python {requires}")
            for need in filter(None, map(parsed, texts or [])):
                todo.append((f"{name} {pin['version']}", need, extra_asked))
    reached = {n for n, _ in seen}
    out += [f"{n} is asked for by nobody" for n in pins if n not in reached]
    return out
