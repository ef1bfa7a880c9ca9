#!/usr/bin/env python3
"""How fast `autopin diagnose` reads, beside programs that everybody knows.

usage: diagnose.py [--sizes MB,MB,...] [--runs N] [--rules-times N] [--keep DIR]

AUTOPIN names the program: measure that of the `release` preset. Logs of 10 MB,
100 MB and 1 GB (or --sizes) are made of what builds print, with the shipped
rules' samples strewn in. Each is read in turn by `autopin diagnose`, `wc -l` and
`grep -cE` with one alternation of ten simple patterns; one of 1 MB, window by
window, by Debian's python3-buildlog-consultant where it is installed. Each number
is the median of N runs (5), the programs taking turns, in seconds of CPU on one
core, the log in memory: the machine counts in all of them, so compare ratios.
It judges nothing.
"""
import argparse
import json
import os
import pathlib
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
AUTOPIN = os.environ.get("AUTOPIN", str(ROOT / "build/release/autopin"))
TEN = ("fatal error: .*: No such file|cannot find -l|command not found|No module named|"
       "undefined reference to|Permission denied|No space left on device|hash mismatch|"
       "FAILED|Killed")
# It searches the last 249 lines of what it is given, up to the first match.
CONSULTANT = """
import sys
from buildlog_consultant.common import find_build_failure_description
with open(sys.argv[1], errors="replace") as log:
    lines = log.readlines()
for begin in range(0, len(lines), 249):
    find_build_failure_description(lines[begin:begin + 249])
"""
# Of the lines of an ordinary log so many in a hundred are of each tool.
MIX = {"gcc": 30, "make": 14, "ninja": 8, "configure": 12, "cmake": 8, "pip": 8, "copy": 8,
       "pytest": 8, "warning": 3, "empty": 1}
# One failure in so many ordinary lines.
FAILURE_EVERY = 3000


def words(rng, count=1, joint="_"):
    return joint.join("".join(rng.choice("abcdefghijklmnopqrstuvwxyz")
                              for _ in range(rng.randint(3, 9))) for _ in range(count))


def store(rng, name):
    return "/nix/store/" + "".join(rng.choice("0123456789abcdfghijklmnpqrsvwxyz")
                                   for _ in range(32)) + "-" + name


def ordinary_line(rng, kind, number):
    name, other = words(rng, 2), words(rng)
    return {
        "gcc": lambda: f"gcc -DHAVE_CONFIG_H -I. -I../include -I{store(rng, other)}/include -Wall "
                       f"-Wextra -O2 -g -fPIC -MT {name}.lo -MD -MP -MF .deps/{name}.Tpo -c "
                       f"src/{other}/{name}.c -o {name}.o",
        "make": lambda: rng.choice([f"  CC       src/{other}/{name}.o", f"  CXXLD    lib{name}.la",
                                    f"make[2]: Entering directory '/build/{other}/{name}'",
                                    f"make[2]: Leaving directory '/build/{other}/{name}'"]),
        "ninja": lambda: f"[{number % 900}/912] Compiling C object src/lib{other}.so.p/{name}.c.o",
        "configure": lambda: rng.choice([f"checking for {name}.h... yes", f"checking for {name}... "
                                         + rng.choice(["yes", "yes", "no"]),
                                         f"checking whether {name} is declared... yes",
                                         f"config.status: creating {other}/Makefile"]),
        "cmake": lambda: rng.choice([f"[{number % 100:3}%] Building CXX object "
                                     f"CMakeFiles/{other}.dir/src/{name}.cpp.o",
                                     f"-- Looking for {name} - found",
                                     f"-- Found {other}: {store(rng, other)}/lib/lib{other}.so",
                                     f"-- Installing: {store(rng, other)}/include/{name}.h"]),
        "pip": lambda: rng.choice([f"Requirement already satisfied: {other}>=1.{number % 9} in "
                                   f"{store(rng, other)}/lib/python3.11/site-packages (2.1)",
                                   f"Processing ./{name}-1.{number % 90}-py3-none-any.whl",
                                   f"  Preparing metadata (pyproject.toml): started {name}"]),
        "copy": lambda: rng.choice([f"copying {other}/{name}.py -> build/lib/{other}",
                                    f"adding '{other}/{name}.py'", f"byte-compiling {name}.py"]),
        "pytest": lambda: rng.choice([f"tests/test_{other}.py::test_{name} PASSED"
                                      f"   [{number % 100:3}%]",
                                      f"test_{name} (tests.test_{other}.Test) ... ok",
                                      f"tests/test_{name}.py ..............   [{number % 100:3}%]"]),
        "warning": lambda: rng.choice([f"src/{name}.c:{number % 999}:7: warning: unused variable "
                                       f"'{other}' [-Wunused-variable]",
                                       f"  {number % 999} |   int {other} = {name}(x->y);",
                                       f"src/{name}.c: In function '{other}':"]),
        "empty": lambda: "",
    }[kind]()


def failures():
    """The samples of all shipped rules."""
    samples = []
    for path in sorted((ROOT / "rules").glob("*.json")):
        for rule in json.loads(path.read_text()).get("rules", []):
            for sample in rule.get("samples", []):
                samples.append(sample if isinstance(sample, str) else sample["log"])
    return samples


def make_log(path, megabytes, rng):
    """100,000 lines are made, the rest repeats runs of them."""
    size = megabytes * 1_000_000
    kinds = rng.choices(list(MIX), list(MIX.values()), k=100_000)
    lines = [ordinary_line(rng, kind, n) for n, kind in enumerate(kinds)]
    samples = failures()
    with path.open("w") as out:
        written, number = 0, 0
        while written < size:
            start = rng.randrange(len(lines))
            run = lines[start:start + FAILURE_EVERY]
            text = "\n".join(run) + "\n" + samples[number % len(samples)].rstrip("\n") + "\n"
            number += 1
            out.write(text)
            written += len(text.encode())


def more_rules(folder, times, rng):
    """`times` copies of each shipped rule in which each word is another of its shape."""
    def like(word):
        return "".join(rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ" if c.isupper() else
                                  "abcdefghijklmnopqrstuvwxyz") for c in word)

    def other(pattern):
        # Words that stand for themselves: not classes, escapes, names of groups, macros.
        return re.sub(r"\[(?:\\.|[^\]\\])*\]|\(\?P<\w+>|\(\?\w*:?|\\.|\{[^}]*\}|[A-Za-z]{2,}",
                      lambda m: like(m[0]) if m[0].isalpha() else m[0], pattern)

    def patterns(value):
        return [other(p) for p in ([value] if isinstance(value, str) else value)]

    for path in sorted((ROOT / "rules").glob("*.json")):
        document = json.loads(path.read_text())
        rules = []
        for copy in range(times):
            for rule in document.get("rules", []):
                mine = {**rule, "id": f"{rule['id']}-{copy}", "samples": [], "not": []}
                mine["patterns"] = patterns(rule["patterns"])
                if "context" in rule:
                    mine["context"] = [{**c, "pattern": other(c["pattern"])}
                                       for c in rule["context"]]
                rules.append(mine)
        if rules:
            (folder / path.name).write_text(json.dumps({"rules": rules}))


def one_run(command, log):
    """Seconds of CPU."""
    # Not /dev/null: grep stops at the first match where nobody reads.
    with tempfile.TemporaryFile() as out, subprocess.Popen(
            [*command, str(log)], stdin=subprocess.DEVNULL, stdout=out,
            stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):  # grep that finds nothing
        sys.exit(f"{command[0]} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def peak(pid):
    with open(f"/proc/{pid}/status") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0


def memory_above_start(command, log):
    """Peak KiB while `log` is read, less the peak when nothing was read yet."""
    idle = subprocess.Popen([*command, "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    time.sleep(2)
    start = peak(idle.pid)
    idle.communicate(b"")
    process = subprocess.Popen([*command, str(log)], stdout=subprocess.DEVNULL)
    most = 0
    while process.poll() is None:
        most = max(most, peak(process.pid))
        time.sleep(0.005)
    return most - start


def measure(programs, log, runs):
    taken = {name: [] for name in programs}
    for _ in range(runs):
        for name, command in programs.items():
            taken[name].append(one_run(command, log))
    return {name: statistics.median(times) for name, times in taken.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--sizes", default="10,100,1000")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rules-times", type=int, default=10)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ.pop("XDG_CONFIG_HOME", None)
    os.environ["LC_ALL"] = "C.UTF-8"
    rng = random.Random(1)
    folder = options.keep or pathlib.Path(tempfile.mkdtemp(prefix="autopin-bench-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        run_all(options, rng, folder)
    finally:
        if not options.keep:
            shutil.rmtree(folder)


def run_all(options, rng, folder):
    rules = folder / "rules"
    rules.mkdir(exist_ok=True)
    more_rules(rules, options.rules_times - 1, rng)
    ours = [AUTOPIN, "diagnose", "--json"]
    programs = {"autopin": ours, "grep -cE": ["grep", "-cE", TEN], "wc -l": ["wc", "-l"]}
    many = f"autopin, {options.rules_times} times the rules"

    empty = folder / "empty.log"
    empty.write_text("")
    start = measure({**programs, many: [*ours, "--rules", str(rules)]}, empty,
                    4 * options.runs + 1)
    print("start-up (an empty log): " + ", ".join(
        f"{name} {1000 * cpu:.1f} ms" for name, cpu in start.items()))
    print(f"  autopin / grep {start['autopin'] / start['grep -cE']:.1f}")

    sizes = [int(size) for size in options.sizes.split(",")]
    for size in sizes:
        log = folder / f"{size}.log"
        if not log.exists():
            make_log(log, size, rng)
        everybody = {**programs, many: [*ours, "--rules", str(rules)]}
        cpu = measure(everybody, log, options.runs)
        megabytes = log.stat().st_size / 1e6
        rate = megabytes / cpu["autopin"]
        print(f"{size} MB: " + ", ".join(
            f"{name} {megabytes / seconds:.0f} MB/s" for name, seconds in cpu.items()))
        print(f"  in time autopin / wc {cpu['autopin'] / cpu['wc -l']:.1f}, autopin / grep "
              f"{cpu['autopin'] / cpu['grep -cE']:.2f}, {options.rules_times} times the rules / "
              f"the rules {cpu[many] / cpu['autopin']:.2f}; memory above start-up "
              f"{memory_above_start(ours, log) / 1024:.1f} MiB", flush=True)

    small = folder / "1.log"
    if not small.exists():
        make_log(small, 1, rng)
    consultant = ["/usr/bin/python3", "-c", CONSULTANT]
    if subprocess.run([*consultant, str(empty)], stderr=subprocess.DEVNULL).returncode != 0:
        print("buildlog-consultant: not installed (apt install python3-buildlog-consultant)")
        return
    megabytes = small.stat().st_size / 1e6
    theirs = megabytes / (one_run(consultant, small) - one_run(consultant, empty))
    print(f"buildlog-consultant: {theirs:.3f} MB/s of {megabytes:.0f} MB, start-up not counted; "
          f"autopin reads {sizes[-1]} MB {rate / theirs:.0f} times as fast, start-up counted")


main()
