#!/usr/bin/env python3
"""autopin's answers beside pip's and uv's, each from the same index on loopback.

usage: compare.py --cache DIR [--only NAME,…] [--verbose]

Needs pip, uv and `packaging` in the Python that runs it (a virtual environment outside of
the repository), and a release build (or AUTOPIN). Asks the index that pip is set to for
what DIR does not hold yet. Sets for the running interpreter go to `pip install --dry-run`,
others to `uv pip compile --python-version`.

"equal": the same versions of the same distributions. "as high": different, but an
independent checker finds every requirement of every distribution met, and uv finds that
no distribution can be raised unless another is lowered.
"""
import argparse
import json
import pathlib
import sys
import tempfile

import check
import loopback
import tools

HERE = pathlib.Path(__file__).resolve().parent


def differences(ours, theirs):
    names = sorted(set(ours) | set(theirs))
    return [f"{n}: {ours.get(n, 'none')} here, {theirs.get(n, 'none')} there" for n in names
            if not (n in ours and n in theirs and check.same(ours[n], theirs[n]))]


def can_be_raised(name, ours, given, program):
    """A higher version of `name` with all others at least as high, by uv's word."""
    at_least = [f"{n}>={v}" for n, v in ours.items() if n != name]
    higher = [*given["requirements"], f"{name}>{ours[name]}"]
    found = program.uv(higher, given.get("python"), at_least).versions
    # A preview is no better than the release before it.
    previews = {n for n, v in found.items() if check.is_preview(v)}
    known = {n for n, v in ours.items() if check.is_preview(v)}
    return found.get(name) if previews <= known else None


def verdict(given, program, verbose):
    python = given.get("python")
    ours = program.autopin(given["requirements"], python)
    theirs = program.uv(given["requirements"], python) if python else program.pip(given["requirements"])
    row = {"name": given["name"], "packages": len(ours.versions), "retries": theirs.retries,
           "ours": ours, "theirs": theirs, "notes": []}
    if not ours.versions or not theirs.versions:
        row["verdict"] = "both none" if not ours.versions and not theirs.versions else "ONE HAS NONE"
        row["notes"] = [] if ours.versions else [ours.output.strip()]
        row["notes"] += [] if theirs.versions else [theirs.output.strip()[-800:]]
        return row
    row["notes"] = differences(ours.versions, theirs.versions)
    if not row["notes"]:
        row["verdict"] = "equal"
        if not python:
            row["notes"] = [f"{n}: {f} here, {theirs.files[n]} there" for n, f in ours.files.items()
                            if theirs.files[n] != f]
        return row
    faults = check.faults(given, ours.detail, python or tools.RUNNING)
    faults += [f"{n} could be {v}" for n in ours.versions
               if (v := can_be_raised(n, ours.versions, given, program))]
    row["notes"] += [f"FAULT: {f}" for f in faults]
    row["verdict"] = "WRONG" if faults else "as high"
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--cache", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    only = set(filter(None, options.only.split(",")))
    groups = json.loads((HERE / "sets.json").read_text())
    rows = []
    print(f"{'set':14} {'against':5} {'packages':>8} {'pip went back':>13}  verdict")
    with loopback.Loopback(loopback.Upstream(options.cache)) as index, \
            tempfile.TemporaryDirectory() as home:
        program = tools.Tools(index.url, pathlib.Path(home) / "home")
        for group, against in (("running", "pip"), ("other", "uv")):
            for given in groups[group]:
                if only and given["name"] not in only:
                    continue
                row = verdict(given, program, options.verbose)
                rows.append(row)
                print(f"{row['name']:14} {against:5} {row['packages']:8} {row['retries']:13}  "
                      f"{row['verdict']}", flush=True)
                for note in row["notes"]:
                    print("    " + note.replace("\n", "\n    "), flush=True)
    bad = [r["name"] for r in rows if r["verdict"] not in ("equal", "as high", "both none")]
    print(f"{len(rows)} sets, {sum(r['verdict'] == 'equal' for r in rows)} equal, "
          f"{sum(r['packages'] >= 10 for r in rows)} of ten packages or more, "
          f"pip went back in {sum(r['retries'] > 0 for r in rows)}")
    sys.exit(f"differ: {', '.join(bad)}" if bad else 0)


if __name__ == "__main__":
    main()
