#!/usr/bin/env python3
"""Runs a fuzz target for some seconds, from the seeds of the repository.

usage: run.py PROGRAM SECONDS [LIBFUZZER OPTION...]

Seeds are what the fixtures hold of the target's kind of input: rules and their
samples, drafts, recorded index pages. A finding's input is left in the current
folder, and the exit code is libFuzzer's.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LARGEST = 20_000  # bytes: libFuzzer learns from small inputs


def samples():
    for path in sorted((ROOT / "rules").glob("*.json")):
        for rule in json.loads(path.read_text()).get("rules", []):
            for sample in rule.get("samples", []):
                yield (sample if isinstance(sample, str) else sample["log"]).encode()


def single_rules():
    for path in sorted((ROOT / "rules").glob("*.json")):
        for rule in json.loads(path.read_text()).get("rules", []):
            yield json.dumps({"rules": [rule]}).encode()


def files(pattern):
    return (path.read_bytes() for path in sorted(ROOT.glob(pattern)) if path.is_file())


SEEDS = {
    "log": samples,
    "rules": single_rules,
    "nix_source": lambda: files("fixtures/*/*.nix"),
    "python_version": lambda: [b"1.0", b"2!1.0a1.post2.dev3+local.7", b"v1.0-rc.1"],
    "python_requirement": lambda: [
        b"a>=1,<2", b"a[b,c] (==1.*) ; python_version < '3' and extra == 'd'",
        b"a @ file:///b.whl", b"a~=1.4.2,!=1.4.5,===1.4.x"],
    "python_index_page": lambda: [
        b'<a href="../../a-1.tar.gz#sha256=00" data-requires-python="&gt;=3" data-yanked="">a</a>',
        b'{"meta": {"api-version": "1.0"}, "name": "a", "files": [{"filename": "a-1.tar.gz",'
        b' "url": "a-1.tar.gz", "hashes": {"sha256": "00"}, "requires-python": ">=3",'
        b' "yanked": "why", "core-metadata": true}]}'],
    "python_archive": lambda: [*files("fixtures/**/*.whl"), *files("fixtures/**/*.tar.gz")],
    "python_metadata": lambda: [
        b"Metadata-Version: 2.1\nName: a\nVersion: 1\nRequires-Dist: b (>=1); extra == 'c'\n\n"],
}


def main():
    program, seconds, *options = sys.argv[1:]
    name = pathlib.Path(program).name.removeprefix("fuzz_")
    with tempfile.TemporaryDirectory() as folder:
        seeds = pathlib.Path(folder)
        for number, seed in enumerate(SEEDS[name]()):
            if len(seed) <= LARGEST:
                (seeds / f"{number:04}").write_bytes(seed)
        if not any(seeds.iterdir()):
            sys.exit(f"no seeds for {name}")
        sys.exit(subprocess.run([program, str(seeds), f"-max_total_time={seconds}",
                                 "-print_final_stats=1", "-rss_limit_mb=2048",
                                 "-timeout=20", *options]).returncode)


main()
