"""Runs autopin, pip and uv on one set of requirements; each sees one index and nothing else."""
import dataclasses
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
AUTOPIN = os.environ.get("AUTOPIN", str(ROOT / "build/release/autopin"))
RUNNING = "{}.{}.{}".format(*sys.version_info[:3])


@dataclasses.dataclass
class Answer:
    versions: dict  # PEP 503 name -> version; empty: no solution
    seconds: float
    output: str
    files: dict = dataclasses.field(default_factory=dict)  # name -> file name
    detail: dict = dataclasses.field(default_factory=dict)

    @property
    def retries(self):
        """How often pip said that it goes back."""
        return len(re.findall(r"looking at multiple versions of", self.output))


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def quiet_environment(home):
    """Nothing of the user's: no indexes, no configuration, no caches but those below `home`."""
    return {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8",
            "PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "UV_NO_CONFIG": "1", "UV_PYTHON_DOWNLOADS": "never", "NO_COLOR": "1"}


def glibc_platform():
    """This machine, as a wheel's tag."""
    major, minor = platform.libc_ver()[1].split(".")[:2]
    return f"manylinux_{major}_{minor}_{platform.machine()}"


class Tools:
    """`home` holds the three caches; `cold` removes them."""

    def __init__(self, index_url, home):
        self.index_url = index_url
        self.home = pathlib.Path(home)
        self.uv_program = shutil.which("uv", path=f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}")
        self.home.mkdir(parents=True, exist_ok=True)

    def cold(self):
        shutil.rmtree(self.home)
        self.home.mkdir()

    def run(self, command, **more):
        begin = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True,
                              env=quiet_environment(self.home), cwd=self.home, **more)
        return done, time.monotonic() - begin

    def autopin(self, requirements, python=None, wheel_platform=None, flags=()):
        done, seconds = self.run(
            [AUTOPIN, "resolve", "--json", "--no-tests", "--all-wheels", "--python", python or RUNNING,
             "--platform", wheel_platform or glibc_platform(), "--index-url", self.index_url, *flags, "--", *requirements])
        try:
            detail = json.loads(done.stdout)
        except json.JSONDecodeError:
            detail = {}
        pins = detail.get("pins", [])
        return Answer({p["name"]: p["version"] for p in pins}, seconds, done.stdout + done.stderr,
                      {p["name"]: p["file"]["filename"] for p in pins if "file" in p}, detail)

    def pip(self, requirements):
        report = self.home / "report.json"
        done, seconds = self.run(
            [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--no-input",
             "--index-url", self.index_url, "--report", str(report), *requirements])
        if done.returncode != 0:
            return Answer({}, seconds, done.stdout + done.stderr)
        detail = json.loads(report.read_text())
        rows = [(normal(i["metadata"]["name"]), i) for i in detail["install"]]
        return Answer({n: i["metadata"]["version"] for n, i in rows}, seconds,
                      done.stdout + done.stderr,
                      {n: i["download_info"]["url"].rsplit("/", 1)[1] for n, i in rows}, detail)

    def uv(self, requirements, python=None, constraints=(), flags=()):
        with tempfile.TemporaryDirectory() as folder:
            constraint = pathlib.Path(folder) / "constraints.txt"
            constraint.write_text("\n".join(constraints) + "\n")
            done, seconds = self.run(
                [self.uv_program, "pip", "compile", "--quiet", "--no-header", "--no-annotate",
                 "--python", sys.executable, "--python-version", python or RUNNING,
                 "--index-url", self.index_url, "--constraint", str(constraint), *flags, "-"],
                input="\n".join(requirements) + "\n")
        rows = re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==(\S+)", done.stdout, re.M)
        versions = {normal(n): v for n, v in rows} if done.returncode == 0 else {}
        return Answer(versions, seconds, done.stdout + done.stderr)
