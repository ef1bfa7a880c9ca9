#!/usr/bin/env python3
"""Every form of a tool's message gets its kind and params.

usage: forms_test.py [NAME...]     (cases of tests/log/forms/cases.jsonl)

The logs are written by hand after the tools' formats, one form each, bare; kind
`none` is a log in which nothing failed. Listed params are compared.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
autopin = os.environ.get("AUTOPIN", here.parents[1] / "build/dev/autopin")


def same(have, want) -> bool:
    if isinstance(want, list):
        return {fold(x) for x in want} <= {fold(x) for x in have or []}
    return fold(have or "") == fold(want)


def fold(text):
    return frozenset(text.replace("_", "-").lower().replace(" ", "").split(","))


def differs(case, found):
    causes = [one for one in found if one["severity"] in ("cause", "environment")]
    if case["kind"] in ("none", "undetermined"):
        return f"has causes {[one['kind'] for one in causes]}" if causes else None
    if not found or found[0]["kind"] != case["kind"]:
        return f"{found[0]['kind'] if found else 'nothing'}, not {case['kind']}"
    for name, want in case["params"].items():
        have = found[0]["params"].get(name)
        if not same(have, want):
            return f"{name} {have!r}, not {want!r}"
    return None


def judge(case):
    run = subprocess.run([autopin, "diagnose", "--json", "-"],
                         input=case["log"].encode(), capture_output=True, check=True)
    return case, differs(case, json.loads(run.stdout)["diagnoses"])


wanted = set(sys.argv[1:])
cases = [json.loads(line)
         for line in open(here / "forms/cases.jsonl", encoding="utf-8")]
passed = failed = 0
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for case, why in pool.map(
            judge, [one for one in cases if not wanted or one["name"] in wanted]):
        passed, failed = passed + (not why), failed + bool(why)
        if why:
            print(f"{case['name']}: {why}")
print(f"{passed} passed, {failed} failed")
sys.exit(bool(failed) or not passed)
