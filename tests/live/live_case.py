#!/usr/bin/env python3
"""Runs autopin on a case of fixtures/ with the real Nix and judges what it did.

usage: live_case.py [--record] NAME...

case.json says what must come out: the outcome (and by that the exit code), the
kind of the failure, where the fix goes. A green case must then build, and pass
its check, with autopin out of the picture; any other leaves the draft byte for
byte as it was. What a green case becomes is compared with expected.nix.
--record accepts the run: it writes expected.nix, the tape and log.json.
"""
import json
import os
import subprocess
import sys

import fixture_run as fixture


class Wrong(Exception):
    pass


def check(condition, what):
    if not condition:
        raise Wrong(what)


def run_autopin(name, expected, folder, env, index_url, record):
    command = [fixture.AUTOPIN, "build", "before.nix",
               "--no-out-link", "--index-url", index_url, *expected.get("arguments", [])]
    if expected.get("check"):
        command += ["--check", expected["check"]]
    if record:
        command += ["--record", str(fixture.FIXTURES / name)]
    return subprocess.run(command, env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          cwd=folder / "draft")


def check_delivery(name, expected, draft, state, original, env):
    """The fixed copies: only what was asked for, and green without autopin."""
    now = fixture.texts(draft)
    if "outside" in expected:  # a draft that takes its own folder as a source
        for path in state.rglob("*.fixed.nix"):
            now[path.name] = path.read_bytes()
    fixed = {file: text for file, text in now.items() if file not in original}
    check("before.fixed.nix" in fixed, f"no before.fixed.nix among {sorted(now)}")
    for file, text in original.items():
        check(now.get(file) == text, f"{file} was changed")
    source = expected.get("file", "before.nix")
    old, new = original[source], fixed[source.replace(".nix", ".fixed.nix")]
    for gone in expected.get("replaces", []):
        check(gone.encode() in old, f"{source} has no {gone}")
        old = old.replace(gone.encode(), b"")
    new = new.replace(str(draft).encode(), b"./.")
    check(fixture.is_subsequence(old, new), f"{source}: more than insertions")
    if "place" in expected:
        scope = b"packageOverrides" in new or b"pythonPackagesExtensions" in new
        check(scope == (expected["place"] == "scope"), f"not in place: {expected['place']}")

    target = str(draft / "before.fixed.nix")
    if "outside" in expected:
        check(not (draft / "before.fixed.nix").exists(), "a file was laid into the source")
        target = str(next(state.rglob("before.fixed.nix")))
    command = (["nix-shell", target, "--run", expected.get("check", "true")]
               if expected.get("shell") else ["nix-build", "--no-out-link", target])
    alone = subprocess.run(command, env=env, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, cwd=draft)
    check(alone.returncode == 0, f"not green without autopin:\n{alone.stdout[-3000:]}")
    golden = fixture.FIXTURES / name / "expected.nix"
    check(golden.exists(), "no expected.nix; look at the answer and use --record")
    # Outside of its folder the draft names it in full.
    check(golden.read_bytes() == fixed["before.fixed.nix"].replace(str(draft).encode(), b"./."),
          "not as in expected.nix:\n" + fixed["before.fixed.nix"].decode())


def patch_log(draft, state):
    """log.json beside the draft, or in the state folder where it may not lie there."""
    for folder in (draft, state):
        found = sorted(folder.rglob("log.json"))
        if found:
            return json.loads(found[0].read_text())
    raise Wrong("there is no log.json")


def judge(name, record=False):
    expected = fixture.case(name)
    with fixture.scratch() as folder, fixture.served_index() as index_url:
        draft, state = folder / "draft", folder / "state"
        fixture.copy_draft(name, draft)
        original = fixture.texts(draft)
        env = {**fixture.fixture_environment(), "XDG_STATE_HOME": str(state)}
        if "nixpkgs" in expected:
            # The second entry only so that a tape names what the set imports by it.
            env["NIX_PATH"] = (f"nixpkgs={fixture.FIXTURES / expected['nixpkgs']}"
                               f":fixtures={fixture.FIXTURES}")
        env.update(expected.get("env", {}))
        run = run_autopin(name, expected, folder, env, index_url, record)
        try:
            already = expected["outcome"] == "already-green"
            outcome = "green" if already else expected["outcome"]
            wanted = fixture.EXIT_CODES[outcome]
            check(run.returncode == wanted,
                  f"exit code {run.returncode}, not {wanted} ({outcome})")
            log = patch_log(draft, state)
            check(log["outcome"] == outcome, f"the log says {log['outcome']}")
            for kind in [expected["expect_kind"], *expected.get("also_kinds", [])]:
                check(kind is None or kind in fixture.kinds(log), f"no {kind} diagnosed")
            check(log["totals"]["failing_builds"] <= expected.get("most_failing_builds", 6),
                  f"{log['totals']['failing_builds']} failing builds")
            if already:
                check(fixture.texts(draft) == original and not log["steps"],
                      "a green draft was edited")
            elif outcome == "green":
                check_delivery(name, expected, draft, state, original, env)
            else:
                check(fixture.texts(draft) == original, "files were changed or added")
                check(log["message"].strip() != "", "no message says what to do next")
        except Wrong as problem:
            return f"{problem}\n--- autopin said:\n{run.stderr[-6000:]}"
    return None


def main():
    names = sys.argv[1:]
    record = "--record" in names
    names = [n for n in names if n != "--record"] or sorted(
        p.parent.name for p in fixture.FIXTURES.glob("*/case.json"))
    failed = 0
    for name in names:
        problem = judge(name, record)
        failed += problem is not None
        print(f"{name}: {problem or 'as it should be'}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
