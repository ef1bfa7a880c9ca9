"""What the live and the replay suite share: cases, environment, comparisons."""
import atexit
import contextlib
import functools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"
AUTOPIN = os.environ.get("AUTOPIN", str(ROOT / "build/dev/autopin"))

# README.md, "Exit codes"; written out here so that a change of the program shows.
EXIT_CODES = {"green": 0, "error": 1, "no-rule": 2, "cannot-fix": 3, "refused": 4,
              "circle": 5, "limit": 6, "environment": 7, "broken-draft": 8}

# What --record leaves in a case's folder; the rest of it is the draft.
RECORDED = {"case.json", "expected.nix", "expected", "tape", "log.json", "run.json"}


def case(name):
    return json.loads((FIXTURES / name / "case.json").read_text())


def fixture_environment():
    """The environment that fixtures/tools/nix-env.sh makes."""
    out = subprocess.run(
        ["bash", "-c", f'. "{FIXTURES}/tools/nix-env.sh" && env -0'],
        check=True, stdout=subprocess.PIPE).stdout.decode()
    env = dict(line.split("=", 1) for line in out.split("\0") if "=" in line)
    # An index of another run may have had the same port.
    env["XDG_CACHE_HOME"] = cache_folder()
    return env


@functools.cache
def cache_folder():
    folder = tempfile.mkdtemp(prefix="autopin-cache-")
    atexit.register(shutil.rmtree, folder)
    return folder


@contextlib.contextmanager
def served_index(folder=FIXTURES / "nixpkgs/index"):
    """The URL of a package index (the fixtures' own), served on the loopback interface."""
    server = subprocess.Popen(
        ["/usr/bin/python3", str(FIXTURES / "tools/serve-index.py"),
         str(folder), "--until-eof"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield server.stdout.readline().strip()
    finally:
        server.stdin.close()
        server.wait()


@contextlib.contextmanager
def scratch():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="autopin-live-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def copy_draft(name, to):
    """The draft's own files, without what belongs to the test."""
    shutil.copytree(FIXTURES / name, to,
                    ignore=lambda folder, names: RECORDED & set(names)
                    if pathlib.Path(folder) == FIXTURES / name else set())


def texts(folder):
    """Relative name -> bytes of every file, the patch log left out."""
    return {str(p.relative_to(folder)): p.read_bytes()
            for p in folder.rglob("*") if p.is_file() and not p.is_symlink()
            and not any(part.endswith(".autopin") for part in p.parts)}


def is_subsequence(old, new):
    """Whether `new` is `old` with pieces inserted: no byte changed, none lost."""
    rest = iter(new)
    return all(byte in rest for byte in old)


def kinds(value):
    """Every "kind" in a patch log."""
    if isinstance(value, dict):
        own = [value["kind"]] if isinstance(value.get("kind"), str) else []
        return own + [k for v in value.values() for k in kinds(v)]
    if isinstance(value, list):
        return [k for v in value for k in kinds(v)]
    return []
