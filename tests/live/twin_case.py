#!/usr/bin/env python3
"""Twins of the article's case, under names that nothing knows: each must go green
by itself, and stay so without autopin.

usage: twin_case.py SEED DEPTH...       DEPTH 1 to 5
"""
import json
import os
import subprocess
import sys

import fixture_run as fixture


def run_twin(seed, depth):
    with fixture.scratch() as folder:
        twin = folder / "twin"
        subprocess.run(["/usr/bin/python3", str(fixture.FIXTURES / "tools/make-twin.py"),
                        seed, depth, str(twin)], check=True, stdout=subprocess.DEVNULL)
        expected = json.loads((twin / "case.json").read_text())
        env = {**fixture.fixture_environment(), "XDG_STATE_HOME": str(folder / "state"),
               "NIX_PATH": f"nixpkgs={twin / 'nixpkgs'}"}
        with fixture.served_index(twin / "nixpkgs/index") as index_url:
            run = subprocess.run(
                [fixture.AUTOPIN, "build", "--no-out-link", "--json", "--index-url", index_url,
                 "--check", expected["check"], str(twin / "before.nix")],
                env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True)
        if run.returncode != 0:
            return f"exit code {run.returncode}\n{run.stderr[-5000:]}"
        totals = json.loads(run.stdout)["totals"]
        alone = subprocess.run(["nix-shell", str(twin / "before.fixed.nix"), "--run",
                                expected["check"]], env=env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if alone.returncode != 0:
            return f"not green without autopin:\n{alone.stdout[-3000:]}"
        print(f"seed {seed}, depth {depth}: green, {totals['failing_builds']} failing builds",
              flush=True)
    return None


def main():
    failed = False
    for depth in sys.argv[2:]:
        problem = run_twin(sys.argv[1], depth)
        if problem:
            failed = True
            print(f"seed {sys.argv[1]}, depth {depth}: {problem}", flush=True)
    sys.exit(1 if failed else 0)


main()
