#!/usr/bin/env python3
"""What autopin costs: a green build by autopin over the same by nix-build, and a
replay over the live run that was recorded, each pair in turn in one process.

usage: overhead.py [PAIRS]       5 pairs by default; AUTOPIN names the program

The green draft takes 10 s to build. Each build gets a name of its own, so that
nothing is there before. Prints medians and ratios; it judges nothing.
"""
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live"))
import fixture_run as fixture  # noqa: E402


def seconds(command, **options):
    start = time.monotonic()
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    return time.monotonic() - start


def report(name, one, other, ones, others):
    ratios = [a / b for a, b in zip(ones, others)]
    print(f"{name}: {one} {statistics.median(ones):.2f} s, {other} "
          f"{statistics.median(others):.2f} s, ratio median {statistics.median(ratios):.3f} "
          f"(min {min(ratios):.3f}, max {max(ratios):.3f}, {len(ratios)} pairs)", flush=True)


def main():
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with fixture.scratch() as folder, fixture.served_index() as index_url:
        env = {**fixture.fixture_environment(), "XDG_STATE_HOME": str(folder / "state")}
        draft = (fixture.FIXTURES / "green/before.nix").read_text()
        ours, plain = [], []
        for pair in range(pairs):
            for times, command in ((plain, ["nix-build", "--no-out-link"]),
                                   (ours, [fixture.AUTOPIN, "build", "-q", "--no-out-link",
                                           "--index-url", index_url])):
                name = f"{time.time_ns()}"
                path = folder / f"{name}.nix"
                path.write_text(draft.replace("green-0.1", f"green-0.1.{name}"))
                if path.read_text() == draft:
                    sys.exit("the green draft has no name to make anew")
                times.append(seconds([*command, str(path)], env=env))
        report("green build", "autopin", "nix-build", ours, plain)

        live, replayed = [], []
        case = "article"
        expected = fixture.case(case)
        for pair in range(max(1, pairs // 2)):
            fixture.copy_draft(case, folder / f"draft{pair}")
            live.append(seconds([fixture.AUTOPIN, "build", "-q", "--no-out-link", "--index-url",
                                 index_url, "--check", expected["check"],
                                 str(folder / f"draft{pair}/before.nix")], env=env))
            replayed.append(seconds([fixture.AUTOPIN, "replay", str(fixture.FIXTURES / case)]))
        report(f"{case}, whose packages are built already", "replay", "live",
               replayed, live)


main()
