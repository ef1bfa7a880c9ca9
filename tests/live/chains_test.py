#!/usr/bin/env python3
"""How many failing builds autopin needs where metadata foresees failures: on each case of
fixtures/chains.json with the real Nix, as many as the least possible, with the right pins and no
other, and green without autopin.

usage: chains_test.py [--table] [CASE...]

--table runs each case with and without lookahead, and the article's case, and prints failing
builds side by side. What counts is each nix-build or nix-store --realise that exits with another
code than 0, as a front of them in PATH sees it.
"""
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys

import fixture_run as fixture

FRONT = """#!/bin/sh
{real} "$@"
code=$?
case "{name} $*" in nix-build*|*--realise*) [ $code = 0 ] || echo {name} >> {count} ;; esac
exit $code
"""


def counting(folder, env):
    """The environment with Nix behind fronts that write down what failed, and where to."""
    fronts, count = folder / "fronts", folder / "failed"
    fronts.mkdir()
    count.write_text("")
    for name in ("nix-build", "nix-store"):
        real = shutil.which(name, path=env["PATH"])
        (fronts / name).write_text(FRONT.format(real=real, name=name, count=count))
        (fronts / name).chmod(0o755)
    return {**env, "PATH": f"{fronts}:{env['PATH']}"}, count


def run_autopin(draft, env, index_url, more):
    with fixture.scratch() as folder:
        env, count = counting(folder, {**env, "XDG_STATE_HOME": str(folder / "state")})
        run = subprocess.run(
            [fixture.AUTOPIN, "build", "before.nix", "--no-out-link", "--json", "--index-url",
             index_url, *more], cwd=draft, env=env, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return run, len(count.read_text().split())


def pins_of(log):
    """All that was pinned, "name version" each."""
    return sorted(pin for step in log["steps"] if step["risk"] == "pin" and not step["taken_back"]
                  for pin in re.sub("^pin |;.*", "", step["summary"]).split(", "))


def wanted_pins(case):
    return sorted(f"{case['name']}-{name} {version}" for name, versions in case["pins"].items()
                  for version in ([versions] if isinstance(versions, str) else versions))


class Chains:
    def __init__(self, folder):
        self.folder = folder
        self.env = fixture.fixture_environment()

    def environment(self, case):
        nixpkgs = "nixpkgs-today" if case.get("era") == "today" else "nixpkgs"
        return {**self.env, "NIX_PATH": f"nixpkgs={self.folder / nixpkgs}"}

    def run(self, case, index_url, look_ahead=True):
        """(failing builds, what is wrong or None)"""
        env = self.environment(case)
        with fixture.scratch() as scratch:
            draft = scratch / "draft"
            shutil.copytree(self.folder / case["name"], draft)
            run, failed = run_autopin(draft, env, index_url, [] if look_ahead else ["--no-lookahead"])
            if run.returncode != 0:
                return failed, f"exit code {run.returncode}\n{run.stderr[-4000:]}"
            log = json.loads(run.stdout)
            wrong = self.judge(case, log, failed) if look_ahead else None
            alone = subprocess.run(["nix-build", "--no-out-link", "before.fixed.nix"], cwd=draft,
                                   env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if alone.returncode != 0:
                wrong = f"not green without autopin:\n{alone.stdout[-3000:]}"
            if wrong:
                wrong += f"\n{run.stderr[-2000:]}\n{(draft / 'before.fixed.nix').read_text()}"
        return failed, wrong

    @staticmethod
    def judge(case, log, failed):
        if failed != log["totals"]["failing_builds"]:
            return f"{failed} builds failed, and the patch log says {log['totals']['failing_builds']}"
        if pins_of(log) != wanted_pins(case):
            return f"pinned {pins_of(log)}\ninstead of {wanted_pins(case)}"
        if failed != case["least"]:
            return f"{failed} failing builds, and {case['least']} would do"
        return None


def article(index_url, more):
    """Its failing builds; the failing check is one more round."""
    with fixture.scratch() as scratch:
        fixture.copy_draft("article", scratch / "draft")
        return run_autopin(scratch / "draft", fixture.fixture_environment(), index_url,
                           ["--check", fixture.case("article")["check"], *more])


def print_row(name, with_it, without, least, what):
    print(f"| {name:<16} | {with_it:>4} | {without:>7} | {least:>5} | {what} |", flush=True)


def print_table(chains, cases, index_url):
    """Exits by the column that counts."""
    right = True
    print_row("case", "with", "without", "least", "what")
    print("|---|---|---|---|---|")
    for case in cases:
        with_it, wrong = chains.run(case, index_url)
        without, stopped = chains.run(case, index_url, look_ahead=False)
        print_row(case["name"], with_it, f"{without}{', red' if stopped else ''}", case["least"], case["what"])
        if wrong:
            print(wrong)
        right = right and not wrong
    with fixture.served_index() as own_index:
        counts = []
        for more in ([], ["--no-lookahead"]):
            run, failed = article(own_index, more)
            counts.append(f"{failed}{'' if run.returncode == 0 else ', red'}")
        print_row("article", *counts, 3, "and one failing check")
    return right and counts[0] == "3"


def main():
    words = [w for w in sys.argv[1:] if w != "--table"]
    cases = [c for c in json.loads((fixture.FIXTURES / "chains.json").read_text())
             if not words or c["name"] in words]
    with fixture.scratch() as folder:
        made = folder / "chains"
        subprocess.run(["/usr/bin/python3", str(fixture.FIXTURES / "tools/make-chains.py"), str(made)], check=True)
        chains = Chains(made)
        with fixture.served_index(made / "nixpkgs/index") as index_url:
            if "--table" in sys.argv:
                sys.exit(0 if print_table(chains, cases, index_url) else 1)
            failed = 0
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                for case, (count, wrong) in zip(cases, pool.map(lambda c: chains.run(c, index_url), cases)):
                    failed += wrong is not None
                    print(f"{case['name']}: {wrong or f'{count} failing builds, as few as can be'}", flush=True)
            sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
