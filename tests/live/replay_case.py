#!/usr/bin/env python3
"""Replays the recording of a case of fixtures/, without Nix and network.

usage: replay_case.py NAME...

The patch log must come out byte for byte as recorded, and a recording of which
one byte was changed must be told from it.
"""
import os
import shutil
import subprocess
import sys
import time

import fixture_run as fixture


def replay(folder, home):
    """PATH is empty; the loopback interface of a new network namespace is down."""
    command = [fixture.AUTOPIN, "replay", f"{folder}/", "--json"]  # a slash is as good as none
    if os.getuid() == 0:
        command = [shutil.which("unshare"), "--net", *command]
    started = time.monotonic()
    run = subprocess.run(command, env={"PATH": "/nowhere", "HOME": str(home)},
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    return run, time.monotonic() - started


def damage(tape):
    """Changes one letter in the middle of the largest file of the tape."""
    largest = max((p for p in tape.rglob("*") if p.is_file()), key=lambda p: p.stat().st_size)
    data = bytearray(largest.read_bytes())
    for at in range(len(data) // 2, len(data)):
        if chr(data[at]).isascii() and chr(data[at]).isalpha():
            data[at] ^= 0x20
            break
    largest.write_bytes(data)


def judge(name):
    source = fixture.FIXTURES / name
    with fixture.scratch() as folder:
        run, seconds = replay(source, folder)
        if run.returncode != 0:
            return f"exit code {run.returncode}:\n{run.stderr.decode()[-3000:]}"
        if run.stdout != (source / "log.json").read_bytes():
            (folder / "log.json").write_bytes(run.stdout)
            diff = subprocess.run(["diff", "-u", source / "log.json", folder / "log.json"],
                                  stdout=subprocess.PIPE, text=True).stdout
            return f"another patch log:\n{diff[:3000]}"
        shutil.copytree(source, folder / name)
        damage(folder / name / "tape")
        run, _ = replay(folder / name, folder)
        if run.returncode == 0 or not run.stderr.strip():
            return "a changed byte of the tape was not noticed"
    print(f"{name}: replayed in {seconds:.2f} s", flush=True)
    return None


def main():
    names = sys.argv[1:] or sorted(p.parent.name for p in fixture.FIXTURES.glob("*/tape"))
    failed = 0
    for name in names:
        problem = judge(name)
        if problem:
            failed += 1
            print(f"{name}: {problem}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
