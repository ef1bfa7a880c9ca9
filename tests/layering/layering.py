#!/usr/bin/env python3
"""Checks what the compiler cannot see: who includes whom, and what is named.

usage: layering.py ROOT

1. Every #include "x/y.h" under src/ follows the USES rows of CMakeLists.txt.
2. No string literal under src/ names a package of fixtures/nixpkgs: the program
   knows rules, not packages.
3. No tracked file names the host of a package registry or a path of the machine
   it was written on. The hosts are asked of pip and apt, so that none is here.

Prints one line per finding and exits 1 if there is any.
"""
import pathlib
import re
import subprocess
import sys

# Parts of Python's and Nix's build machinery that fixes and hooks are about; a
# fix that adds pytestCheckHook or names the setuptools backend must say so.
MACHINERY = {"pip", "setuptools", "wheel", "pytest", "python", "python3",
             "unittest", "flit-core", "stdenv", "lib", "pkgs", "pkg-config",
             "py"}  # a wheel's tag

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/'                    # comments are no literals
    r'|R"(?P<tag>[^()\\ ]{0,16})\((?P<raw>.*?)\)(?P=tag)"'
    r"|'(?:\\.|[^'\\\n])'"
    r'|"(?P<plain>(?:\\.|[^"\\\n])*)"', re.S)


def module_of(path):
    """`log` for log/rules.cpp, `loop` for loop.cpp, `main` for main.cpp."""
    return path.parts[0] if len(path.parts) > 1 else path.stem


def uses_table(cmake_text):
    """The rows autopin_module(NAME USES a b LIBS ...) in order."""
    table = {}
    for body in re.findall(r"^autopin_module\(([^)]*)\)", cmake_text, re.M):
        words = body.split()
        below = []
        if "USES" in words:
            rest = words[words.index("USES") + 1:]
            below = rest[:rest.index("LIBS")] if "LIBS" in rest else rest
        table[words[0]] = below
    return table


def table_findings(table):
    """A row may only use rows above it, which also rules out circles."""
    seen = set()
    for name, below in table.items():
        for other in below:
            if other not in seen:
                yield f"CMakeLists.txt: {name} uses {other}, which is not above it"
        seen.add(name)


def include_findings(table, path, text):
    """`path` is relative to src/."""
    mine = module_of(path)
    if mine == "main":
        allowed = set(table)
    elif mine in table:
        allowed = {mine, *table[mine]}
    else:
        yield f"src/{path}: no row autopin_module({mine}) in CMakeLists.txt"
        return
    for name in INCLUDE.findall(text):
        other = module_of(pathlib.PurePosixPath(name))
        if other not in allowed:
            yield f"src/{path}: includes \"{name}\", but {mine} does not use {other}"


def literals(text):
    """(line number, content) of each string literal of C++ source."""
    for match in LITERAL.finditer(text):
        content = match["raw"] if match["raw"] is not None else match["plain"]
        if content is None:
            continue
        start = text.rfind("\n", 0, match.start()) + 1
        if text[start:match.start()].lstrip().startswith("#include"):
            continue
        yield text.count("\n", 0, match.start()) + 1, content


def name_findings(packages, path, text):
    for line, content in literals(text):
        for word in re.findall(r"[A-Za-z0-9][A-Za-z0-9._-]*", content):
            word = word.rstrip("._-").lower().replace("_", "-")
            if word in packages:
                yield f"src/{path}:{line}: names the fixture package {word}"


def fixture_packages(root):
    """Distribution names of the fixtures' index and its package set."""
    names = {p.name for p in (root / "fixtures/nixpkgs/index/simple").glob("*")
             if p.is_dir()}
    for listing in (root / "fixtures").glob("**/*.nix"):
        names.update(re.findall(r'\bpname\s*=\s*"([^"$]+)"',
                                listing.read_text(errors="replace")))
    return {n.lower().replace("_", "-") for n in names} - MACHINERY


def registry_hosts():
    hosts = set()
    answer = subprocess.run(
        [sys.executable, "-c", "from pip._internal.models.index import PyPI, TestPyPI\n"
         "for i in PyPI, TestPyPI: print(i.netloc, i.file_storage_domain)"],
        capture_output=True, text=True)
    hosts.update(answer.stdout.split())
    try:
        answer = subprocess.run(["apt-get", "indextargets", "--format", "$(SITE)"],
                                capture_output=True, text=True)
        hosts.update(re.sub(r"^\w+://", "", site).split("/")[0]
                     for site in answer.stdout.split())
    except FileNotFoundError:
        pass
    return {h for h in hosts if "." in h}


def foreign_findings(hosts, folders, path, text):
    for host in sorted(hosts):
        for match in re.finditer(r"(?<![\w.-])" + re.escape(host) + r"(?![\w-])", text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: names a package registry's host"
    for folder in sorted(folders):
        for match in re.finditer(r"(?<![\w./-])" + re.escape(folder) + r"/", text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: names a folder of this machine, {folder}"


def machine_folders(root):
    """The folders that hold the checkout: not /, not one that a system has."""
    usual = {"/home", "/tmp", "/var", "/usr", "/opt", "/srv", "/root", "/mnt",
             "/nix", "/src", "/build", "/builds", "/etc"}
    return {str(p) for p in [root, *root.parents] if len(str(p)) > 3} - usual


def tracked_files(root):
    # A checkout owned by somebody else is fine to read: git is told so.
    listing = subprocess.run(
        ["git", "-c", f"safe.directory={root}", "-C", str(root), "ls-files", "-z"],
        capture_output=True)
    if listing.returncode != 0:  # an unpacked archive: every file counts
        return [p.relative_to(root) for p in root.rglob("*")
                if p.is_file() and "build" not in p.relative_to(root).parts[:1]]
    return [pathlib.Path(name) for name in listing.stdout.decode().split("\0") if name]


def findings(root):
    table = uses_table((root / "CMakeLists.txt").read_text())
    if not table:
        yield "CMakeLists.txt: no autopin_module rows found"
    yield from table_findings(table)
    packages = fixture_packages(root)
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in {".cpp", ".h"}:
            continue
        text, inside = path.read_text(), path.relative_to(root / "src")
        yield from include_findings(table, inside, text)
        yield from name_findings(packages, inside, text)
    hosts, folders = registry_hosts(), machine_folders(root)
    for path in tracked_files(root):
        full = root / path
        if full.is_file() and not full.is_symlink():
            text = full.read_bytes().decode("utf-8", "replace")
            yield from foreign_findings(hosts, folders, path, text)


def main():
    found = list(findings(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(found) if found else "layering: nothing found")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
