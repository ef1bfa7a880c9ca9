#!/usr/bin/env python3
"""How fast `autopin resolve` is, beside uv and pip, all asking one index on loopback.

usage: resolve.py --cache DIR [--runs N] [--latency SECONDS] [--only NAME,…] [--no-pip]

AUTOPIN names the program: measure that of the `release` preset. Needs uv and pip in the
Python that runs it, as tests/resolve/compare.py does, which this also takes its index
from: DIR is filled from the index that pip is set to before anything is timed.

For each set the programs take turns, N times each (3): cold with their own caches
removed, then warm with what the cold run left. Printed are medians of wall seconds and
ratios; the machine and the server on it count in all of them, so compare ratios. Then
growth: made-up indexes of 100 and 1000 packages, warm. It judges nothing.
"""
import argparse
import hashlib
import json
import pathlib
import random
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/resolve"))
import loopback  # noqa: E402
import tools  # noqa: E402


def takes(program, with_pip):
    out = {"autopin": program.autopin, "uv": program.uv}
    if with_pip:
        out["pip"] = lambda requirements: program.pip(requirements)
    return out


def measure(source, requirements, options):
    """(program, "cold" or "warm") -> seconds; and the number of packages."""
    seconds, packages = {}, 0
    with loopback.Loopback(source, options.latency) as index, \
            tempfile.TemporaryDirectory() as home:
        program = tools.Tools(index.url, pathlib.Path(home) / "home")
        programs = takes(program, not options.no_pip)
        for take in programs.values():  # fills the server
            take(requirements)
        for _ in range(options.runs):
            for name, take in programs.items():
                program.cold()
                for cache in ("cold", "warm"):
                    answer = take(requirements)
                    if not answer.versions:
                        sys.exit(f"{name} finds nothing: {answer.output[-2000:]}")
                    seconds.setdefault((name, cache), []).append(answer.seconds)
                    packages = len(answer.versions)
    return {key: statistics.median(values) for key, values in seconds.items()}, packages


def made_up(packages, rng):
    """An index of `packages` projects with ten versions, each of which needs three others."""
    pages, files = {}, {}
    for n in range(packages):
        name, rows = f"p{n}", []
        for version in range(1, 11):
            filename = f"{name}-{version}-py3-none-any.whl"
            rows.append({"filename": filename, "url": f"../../files/{name}/0/{filename}",
                         "hashes": {"sha256": hashlib.sha256(filename.encode()).hexdigest()},
                         "core-metadata": True})
            needs = [f"Requires-Dist: p{other}>={rng.randint(1, version)}"
                     for other in rng.sample(range(n + 1, packages), min(3, packages - n - 1))]
            if n + 1 < packages:
                needs.append(f"Requires-Dist: p{n + 1}")
            files[filename + ".metadata"] = "\n".join(
                ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *needs, ""])
        pages[name] = {"meta": {"api-version": "1.1"}, "name": name, "files": rows}
    return {"pages": pages, "files": files}


def growth(options):
    times = {}
    for packages in (100, 1000):
        source = loopback.Recorded(made_up(packages, random.Random(packages)))
        with loopback.Loopback(source) as index, tempfile.TemporaryDirectory() as home:
            program = tools.Tools(index.url, pathlib.Path(home) / "home")
            for name, take in takes(program, False).items():
                answer = take(["p0"])
                if len(answer.versions) != packages:
                    sys.exit(f"{name} finds {len(answer.versions)}: {answer.output[-2000:]}")
                times[name, packages] = statistics.median(
                    take(["p0"]).seconds for _ in range(options.runs))
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--cache", required=True)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--only", default="")
    parser.add_argument("--no-pip", action="store_true")
    options = parser.parse_args()
    only = set(filter(None, options.only.split(",")))
    sets = json.loads((ROOT / "tests/resolve/sets.json").read_text())["speed"]
    source = loopback.Upstream(options.cache)
    others = ["uv"] + ([] if options.no_pip else ["pip"])
    print("seconds; in parentheses autopin's time over the other's")
    print(f"{'set':7} {'packages':>8} {'cache':5} {'autopin':>8}" + "".join(f"{o:>16}" for o in others))
    for given in sets:
        if only and given["name"] not in only:
            continue
        times, packages = measure(source, given["requirements"], options)
        for cache in ("cold", "warm"):
            mine = times["autopin", cache]
            print(f"{given['name']:7} {packages:8} {cache:5} {mine:8.3f}" + "".join(
                f"{times[o, cache]:8.3f} ({mine / times[o, cache]:5.2f})" for o in others), flush=True)
    if only and "growth" not in only:
        return
    times = growth(options)
    for name in ("autopin", "uv"):
        few, many = times[name, 100], times[name, 1000]
        print(f"growth  {name}: 100 packages {few:.3f}, 1000 packages {many:.3f}: {many / few:.1f} times")


if __name__ == "__main__":
    main()
