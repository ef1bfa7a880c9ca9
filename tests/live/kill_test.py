#!/usr/bin/env python3
"""kill -9 of autopin and its child at random moments: the draft stays whole, and
the next run ends green.

usage: kill_test.py [CASE [TIMES [SEED]]]     header-missing, 3 times, by default
"""
import os
import random
import signal
import subprocess
import sys
import time

import fixture_run as fixture


def children(pid):
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as stat:
                    parent = int(stat.read().rpartition(")")[2].split()[1])
            except (FileNotFoundError, ProcessLookupError):
                continue
            if parent == pid:
                found.append(int(entry))
    return found


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else "header-missing"
    times = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    seed = sys.argv[3] if len(sys.argv) > 3 else str(time.time())
    print(f"{name}, {times} times, seed {seed}", flush=True)
    chance = random.Random(seed)
    expected = fixture.case(name)
    with fixture.scratch() as folder, fixture.served_index() as index_url:
        draft = folder / "draft"
        fixture.copy_draft(name, draft)
        original = fixture.texts(draft)
        env = {**fixture.fixture_environment(), "XDG_STATE_HOME": str(folder / "state")}
        command = [fixture.AUTOPIN, "build", str(draft / "before.nix"), "--no-out-link",
                   "--index-url", index_url]
        if expected.get("check"):
            command += ["--check", expected["check"]]

        started = time.monotonic()
        subprocess.run([*command, "-q"], env={**env, "XDG_STATE_HOME": str(folder / "first")},
                       check=True, stdout=subprocess.DEVNULL)
        whole = time.monotonic() - started
        (draft / "before.fixed.nix").unlink()

        for _ in range(times):
            moment = chance.uniform(0, whole)
            with open(folder / "said", "wb") as said:
                run = subprocess.Popen(command, env=env, stdout=said, stderr=said)
                time.sleep(moment)
                doomed = [run.pid, *children(run.pid)]
                for pid in doomed:
                    try:
                        os.kill(pid, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
                run.wait()
            now = fixture.texts(draft)
            for file, text in original.items():
                if now.get(file) != text:
                    sys.exit(f"killed after {moment:.2f} s: {file} is not what it was")
            print(f"killed after {moment:.2f} of {whole:.2f} s: the draft is whole", flush=True)

        last = subprocess.run(command, env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if last.returncode != 0:
            sys.exit(f"the next run ends with {last.returncode}:\n{last.stdout[-3000:]}")
    print("the next run ends green")


main()
