#!/usr/bin/env python3
"""The checks of layering.py find what they are for, and nothing else."""
import pathlib
import unittest

import layering

TABLE = layering.uses_table("""
autopin_module(base LIBS fmt::fmt)
autopin_module(io   USES base LIBS CURL::libcurl)
autopin_module(nix  USES base io)
""")


def includes(path, text):
    return list(layering.include_findings(TABLE, pathlib.PurePosixPath(path), text))


class Layering(unittest.TestCase):
    def test_rows_are_read_with_and_without_libraries(self):
        self.assertEqual(TABLE, {"base": [], "io": ["base"], "nix": ["base", "io"]})

    def test_a_row_that_reaches_up_is_found(self):
        self.assertEqual(len(list(layering.table_findings({"io": ["nix"], "nix": []}))), 1)
        self.assertEqual(list(layering.table_findings(TABLE)), [])

    def test_including_down_is_allowed(self):
        self.assertEqual(includes("nix/parse.cpp", '#include "io/files.h"\n'), [])

    def test_including_up_is_found(self):
        self.assertEqual(len(includes("io/files.cpp", ' # include "nix/source.h"\n')), 1)

    def test_a_folder_without_a_row_is_found(self):
        self.assertEqual(len(includes("new/a.cpp", "")), 1)


class Names(unittest.TestCase):
    def found(self, text):
        return list(layering.name_findings({"bleach", "absl-py"}, "a.cpp", text))

    def test_a_literal_is_found_as_a_whole_word(self):
        self.assertEqual(len(self.found('f("bleach==1.5");')), 1)
        self.assertEqual(self.found('f("bleached");'), [])

    def test_the_spelling_with_underscore_counts(self):
        self.assertEqual(len(self.found('f("absl_py");')), 1)

    def test_raw_literals_are_read(self):
        self.assertEqual(len(self.found('f(R"x(a "bleach" b)x");')), 1)

    def test_comments_and_code_are_free(self):
        self.assertEqual(self.found('// the article pins "bleach"\nint bleach;'), [])

    def test_a_quote_character_does_not_hide_what_follows(self):
        self.assertEqual(len(self.found("c == '\"'; f(\"bleach\");")), 1)


class Foreign(unittest.TestCase):
    def found(self, text):
        return list(layering.foreign_findings({"index.example"}, {"/builds/x"}, "f", text))

    def test_a_host_is_found(self):
        self.assertEqual(len(self.found("see https://index.example/simple")), 1)
        self.assertEqual(self.found("my-index.example.org, index.examples"), [])

    def test_a_folder_is_found(self):
        self.assertEqual(len(self.found("cd /builds/x/y")), 1)
        self.assertEqual(self.found("frame/builds/x/y"), [])


if __name__ == "__main__":
    unittest.main()
