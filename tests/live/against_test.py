#!/usr/bin/env python3
"""autopin resolve --against, with the real Nix, the fixtures' package set and index: what
the set has comes first, in each way that a user may name it."""
import json
import os
import subprocess
import unittest

import fixture_run as run


class Against(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = run.served_index()
        cls.index = cls.server.__enter__()
        cls.environment = run.fixture_environment()

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__(None, None, None)

    def resolve(self, *words, expect=0, form="json"):
        done = subprocess.run(
            [run.AUTOPIN, "resolve", "--index-url", self.index, "--format", form, *words],
            env=self.environment, text=True, capture_output=True, cwd=run.ROOT)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        if expect == run.EXIT_CODES["error"]:
            return done.stderr
        return json.loads(done.stdout) if form == "json" else done.stdout

    def kept(self, *words):
        answer = self.resolve(*words)
        self.assertEqual(answer["pins"], [])
        return {row["name"]: (row["version"], row["attribute"]) for row in answer["kept"]}

    def test_what_the_set_has_is_kept_with_its_inputs(self):
        kept = self.kept("pandas", "six>=1.0", "--against", "nixpkgs", "--python", "3.6")
        self.assertEqual(kept["pandas"], ("0.24.1", "pandas"))
        self.assertEqual(kept["six"], ("1.12.0", "six"))
        self.assertEqual(kept["pytz"], ("2018.9", "pytz"))  # an input of pandas

    def test_another_attribute_comes_before_an_index(self):
        answer = self.resolve("pytest<4", "--against", "nixpkgs")
        self.assertEqual([(p["name"], p.get("attribute")) for p in answer["pins"]],
                         [("pytest", "pytest_3")])
        self.assertIn("pytest = super.pytest_3;",
                      self.resolve("pytest<4", "--against", "nixpkgs", form="nix"))

    def test_the_index_where_the_set_does_not_satisfy(self):
        nix = self.resolve("html5lib<0.99999999", "--against", "nixpkgs", "--python", "3.6",
                           form="nix")
        self.assertIn('version = "0.9999999";', nix)
        self.assertIn("propagatedBuildInputs = [ self.six ];", nix)
        self.assertNotIn("six = ", nix)
        text = self.resolve("html5lib<0.99999999", "--against", "nixpkgs", "--python", "3.6",
                            form="text")
        self.assertRegex(text, r"(?m)^html5lib 0\.9999999\n")
        self.assertIn("six 1.12.0 kept, as six\n", text)

    def test_each_way_of_naming_a_set(self):
        usual = self.kept("six", "--against", "nixpkgs")
        folder = str(run.FIXTURES / "nixpkgs")
        for words in (["<nixpkgs>"], [folder], ["./fixtures/nixpkgs"], ["other", "-I", f"other={folder}"],
                      [f"import {folder} {{ }}"], ["(import <nixpkgs> { }).python3"],
                      ["(import <nixpkgs> { }).python37Packages"]):
            with self.subTest(words):
                self.assertEqual(self.kept("six", "--against", *words), usual)

    def test_what_an_overlay_pins_is_what_the_set_has(self):
        overlay = ("import <nixpkgs> { config.packageOverrides = p: { python36 = p.python36.override {"
                   " packageOverrides = self: super: { six = super.six.overridePythonAttrs"
                   " (old: { version = \"1.11.0\"; }); }; }; }; }")
        self.assertEqual(self.kept("six", "--against", overlay, "--python", "3.6")["six"][0], "1.11.0")

    def test_what_cannot_be_asked_is_said(self):
        wrong = run.EXIT_CODES["error"]
        self.assertIn("the package set has python36 (3.6.8), python37",
                      self.resolve("six", "--against", "nixpkgs", "--python", "3.9", expect=wrong))
        self.assertIn("nowhere", self.resolve("six", "--against", "nowhere", expect=wrong))
        self.assertIn("has none", self.resolve("six", "--against", "{ a = 1; }", expect=wrong))


if __name__ == "__main__":
    unittest.main()
