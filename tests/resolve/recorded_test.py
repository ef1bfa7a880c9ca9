#!/usr/bin/env python3
"""autopin answers as pip and uv did, from what an index said then; see record.py."""
import json
import pathlib
import tempfile
import unittest

import loopback
import tools

DOCUMENT = json.loads((pathlib.Path(__file__).with_name("recorded.json")).read_text())


class Recorded(unittest.TestCase):
    def test_sets(self):
        self.assertGreaterEqual(len(DOCUMENT["sets"]), 10)
        with loopback.Loopback(loopback.Recorded(DOCUMENT)) as index, \
                tempfile.TemporaryDirectory() as home:
            program = tools.Tools(index.url, pathlib.Path(home) / "home")
            for given in DOCUMENT["sets"]:
                for cache in ("cold", "warm"):
                    with self.subTest(given["name"], by=given["by"], cache=cache):
                        ours = program.autopin(given["requirements"], given["python"], given["platform"])
                        self.assertEqual(ours.versions, given["versions"], ours.output[-2000:])


if __name__ == "__main__":
    unittest.main()
