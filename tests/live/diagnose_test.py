#!/usr/bin/env python3
"""autopin diagnose with the real Nix: a piped log, the README's transcript of it, and
the logs that the store keeps, asked for in each way that a user may."""
import os
import re
import subprocess
import sys
import unittest

import fixture_run as run

# Fails for a cause that a rule knows; needs nothing but the sandbox's shell.
FAILING = """derivation {
  name = "odd-1.0";
  system = builtins.currentSystem or "x86_64-linux";
  builder = "/bin/sh";
  args = [ "-c" "echo 'a.c:1:2: fatal error: odd.h: No such file or directory'; exit 1" ];
}"""


class Diagnose(unittest.TestCase):
    def setUp(self):
        self.scratch = run.scratch()
        self.folder = self.scratch.__enter__()
        self.addCleanup(self.scratch.__exit__, None, None, None)
        self.environment = run.fixture_environment()

    def nix(self, *words):
        return subprocess.run(words, cwd=self.folder, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout

    def diagnose(self, *words, log=None, expect=0):
        done = subprocess.run([run.AUTOPIN, "diagnose", *words], cwd=self.folder, input=log,
                              env=self.environment, text=True, capture_output=True)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done.stdout if expect == 0 else done.stderr

    def test_readme(self):
        """The README shows what a real run prints."""
        run.copy_draft("header-missing", self.folder / "case")
        (self.folder / "case/before.nix").rename(self.folder / "case/draft.nix")
        self.folder = self.folder / "case"
        shown = re.search(r"\$ nix-build draft\.nix 2>&1 \| autopin diagnose\n(.*?)```",
                          (run.ROOT / "README.md").read_text(), re.S).group(1)
        self.nix("nix-build", "--no-out-link", "draft.nix")
        log = self.nix("nix-build", "--no-out-link", "draft.nix")
        self.assertEqual(self.diagnose(log=log), shown)

    def test_store(self):
        """A derivation's log is found by its path, its output, file, attribute and flake."""
        (self.folder / "odd.nix").write_text(FAILING)
        (self.folder / "set.nix").write_text("{ }: { odd = import ./odd.nix; }")
        (self.folder / "flake.nix").write_text(
            "{ outputs = { self }: { odd = %s; }; }" % FAILING)
        self.nix("nix-build", "--no-out-link", "odd.nix")
        drv = self.nix("nix-instantiate", "odd.nix").splitlines()[-1]
        out = self.nix("nix-store", "--query", "--outputs", drv).strip()
        self.assertTrue(drv.endswith(".drv"), drv)
        for words in ([drv], [out], ["odd.nix"], ["-A", "odd", "set.nix"],
                      ["-E", "import ./odd.nix"], [f"path:{self.folder}#odd"]):
            with self.subTest(words=words):
                self.assertTrue(self.diagnose(*words).startswith("header-missing in odd-1.0"))

    def test_waiting(self):
        """What waits for a failed dependency has that one's log."""
        (self.folder / "odd.nix").write_text(FAILING)
        (self.folder / "top.nix").write_text(
            'derivation { name = "top"; system = "x86_64-linux"; builder = "/bin/sh";'
            ' args = [ "-c" "echo ${import ./odd.nix}" ]; }')
        self.assertIn("build it", self.never_built())
        self.nix("nix-build", "--no-out-link", "top.nix")
        self.assertTrue(self.diagnose("top.nix").startswith("header-missing in odd-1.0"))

    def never_built(self):
        (self.folder / "new.nix").write_text(
            'derivation { name = "new-%d"; system = "x86_64-linux"; builder = "/bin/sh"; }'
            % os.getpid())
        return self.diagnose("new.nix", expect=1)


if __name__ == "__main__":
    sys.exit(unittest.main())
