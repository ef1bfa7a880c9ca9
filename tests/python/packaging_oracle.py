#!/usr/bin/env python3
"""Answers what Python's `packaging` says, one line for each line of stdin.

A line is a kind and its arguments, separated by tabs; see `ANSWERS`. The first
line of the output is the version of `packaging`, or "none". Run by
differential_test.cpp, thousands of cases at a time.
"""
import json
import sys


def load():
    """Debian's or a user's packaging, else the copy inside pip."""
    import importlib
    for prefix in ("packaging", "pip._vendor.packaging"):
        try:
            top = importlib.import_module(prefix)
            names = ("version", "specifiers", "requirements", "markers", "tags",
                     "utils", "_manylinux", "_musllinux")
            return top.__version__, {
                n: importlib.import_module(f"{prefix}.{n}") for n in names}
        except ImportError:
            continue
    return "none", None


VERSION, P = load()


def flag(value):
    return "1" if value else "0"


def version(text):
    return str(P["version"].Version(text))


def compare(left, right):
    a, b = P["version"].Version(left), P["version"].Version(right)
    return "<" if a < b else ">" if a > b else "="


def specifier(spec, text):
    parsed = P["specifiers"].SpecifierSet(spec)
    return " ".join([flag(parsed.contains(text, prereleases=True)),
                     flag(parsed.contains(text)), str(parsed)])


def choose(spec, *versions):
    return ",".join(P["specifiers"].SpecifierSet(spec).filter(list(versions)))


def requirement(text, environment):
    parsed = P["requirements"].Requirement(text)
    holds = "" if parsed.marker is None else marker(parsed.marker, environment)
    return "|".join([parsed.name, ",".join(sorted(parsed.extras)),
                     str(parsed.specifier), parsed.url or "", holds])


def marker(text, environment):
    # Marker() alone does not see text behind the marker before 23.1.
    parsed = (P["requirements"].Requirement(f"x;{text}").marker
              if isinstance(text, str) else text)
    try:
        return flag(parsed.evaluate(json.loads(environment)))
    except P["markers"].UndefinedComparison:
        return "undefined"


def name(text):
    return P["utils"].canonicalize_name(text)


def wheel(text):
    project, parsed, build, tags = P["utils"].parse_wheel_filename(text)
    return "|".join([project, str(parsed), "".join(map(str, build)),
                     ",".join(sorted(map(str, tags)))])


def sdist(text):
    project, parsed = P["utils"].parse_sdist_filename(text)
    return f"{project}|{parsed}"


def tags(python, system, machine, libc, major, minor):
    """All tags that a CPython takes; the libc is what the target has."""
    numbers = tuple(map(int, python.split(".")))[:2]
    libc_version = (int(major), int(minor))
    if system == "darwin":
        platforms = list(P["tags"].mac_platforms(libc_version, machine))
    else:
        linux, musl = P["_manylinux"], P["_musllinux"]
        linux._get_glibc_version = lambda: (
            libc_version if libc == "glibc" else (-1, -1))
        linux._have_compatible_abi = lambda *_: True
        musl._get_musl_version = lambda _: (
            musl._MuslVersion(*libc_version) if libc == "musl" else None)
        platforms = ([*linux.platform_tags(f"linux_{machine}", machine)]
                     if libc == "glibc" else [])
        platforms += [*musl.platform_tags(machine), f"linux_{machine}"]
    abi = "cp" + "".join(map(str, numbers))
    abi += "m" if numbers < (3, 8) else ""
    abi += "u" if numbers < (3, 3) else ""
    found = [*P["tags"].cpython_tags(numbers, [abi], platforms),
             *P["tags"].compatible_tags(numbers, "cp" + "".join(
                 map(str, numbers)), platforms)]
    return ",".join(map(str, found))


ANSWERS = {f.__name__: f for f in (
    version, compare, specifier, choose, requirement, marker, name, wheel,
    sdist, tags)}


def main():
    print(VERSION)
    if P is None:
        return
    for line in sys.stdin:
        kind, *arguments = line.rstrip("\n").split("\t")
        try:
            print(ANSWERS[kind](*arguments))
        except Exception as problem:  # pylint: disable=broad-except
            print("error", type(problem).__name__)


main()
