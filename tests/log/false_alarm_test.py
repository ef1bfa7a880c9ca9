#!/usr/bin/env python3
"""Logs of builds that ended well hold no cause.

usage: false_alarm_test.py [LOG...]     (each a log of a build that ended well)

Without arguments: over tests/log/successes, our own recordings, bare, and as
`-L` prints them. Hints (consequences) are no alarm.
"""
import gzip
import json
import os
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
autopin = os.environ.get("AUTOPIN", here.parents[1] / "build/dev/autopin")


def alarms(log: bytes) -> list:
    run = subprocess.run([autopin, "diagnose", "--json", "-"], input=log,
                         stdout=subprocess.PIPE, check=True)
    return [one for one in json.loads(run.stdout)["diagnoses"]
            if one["severity"] != "consequence"]


def read(path: pathlib.Path) -> bytes:
    return gzip.open(path).read() if path.suffix == ".gz" else path.read_bytes()


def prefixed(log: bytes) -> bytes:
    return b"".join(b"quiet> " + line + b"\n" for line in log.splitlines())


def main() -> int:
    paths = ([pathlib.Path(name) for name in sys.argv[1:]]
             or sorted((here / "successes").glob("*.log.gz")))
    assert paths, "no logs"
    passed = failed = lines = 0
    for path in paths:
        log = read(path)
        lines += log.count(b"\n")
        for name, text in (("bare", log), ("prefixed", prefixed(log))):
            found = alarms(text)
            if found:
                failed += 1
            else:
                passed += 1
            for one in found:
                print(f"{path.name}, {name}: {one['kind']} {one['params']} by "
                      f"{one['rule']}: {one['lines'][:2]}")
    # The same lines under a failure must be able to fail the test.
    broken = b"x.c:1:10: fatal error: zlib.h: No such file or directory\n"
    assert alarms(read(paths[0]) + broken), "nothing is ever found"
    print(f"{len(paths)} logs, {lines} lines")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
