#!/usr/bin/env python3
"""Keeps what some sets of sets.json ask an index, and what pip and uv answer, for CI.

usage: record.py --cache DIR NAME... > recorded.json     (see compare.py)

Each set is resolved by autopin and by pip or uv, which must agree. Of each page that one of
them asked for, the files stay whose metadata was read, and the newest of the others that
autopin need not read to answer as before (files for other interpreters, previews, withdrawn
ones). Of metadata and source distributions only what says requirements stays.
"""
import argparse
import base64
import gzip
import hashlib
import io
import json
import pathlib
import re
import sys
import tarfile
import tempfile

import loopback
import tools

HERE = pathlib.Path(__file__).resolve().parent
OTHERS = 12
HEADERS = ("Metadata-Version", "Name", "Version", "Requires-Python", "Requires-Dist", "Provides-Extra",
           "Dynamic")
PARTS = r"[^/]+/(PKG-INFO|setup\.py|setup\.cfg|pyproject\.toml|[^/]+\.egg-info/requires\.txt)"


def trimmed_metadata(body):
    head = re.split(r"\r?\n\r?\n", body.decode(errors="replace"), maxsplit=1)[0]
    fields = re.findall(r"^([A-Za-z-]+):((?:.*)(?:\n[ \t].*)*)", head.replace("\r", ""), re.M)
    return "".join(f"{k}:{v}\n" for k, v in fields if k in HEADERS)


def trimmed_sdist(body):
    """The same bytes each time."""
    out = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(body)) as old, \
            gzip.GzipFile(fileobj=out, mode="wb", mtime=0, filename="") as packed, \
            tarfile.open(fileobj=packed, mode="w") as new:
        for member in old.getmembers():
            if re.fullmatch(PARTS, member.name) and member.isfile():
                info = tarfile.TarInfo(member.name)
                info.size = member.size
                new.addfile(info, old.extractfile(member))
    return out.getvalue()


def slim(file):
    out = {k: file[k] for k in ("filename", "url", "hashes", "requires-python", "core-metadata") if file.get(k)}
    return {**out, "yanked": file["yanked"]} if file.get("yanked") else out


class Recorder:
    def __init__(self, source):
        self.source = source
        self.pages = {}  # project -> {file name: row}
        self.files = {}  # file name -> text or {"base64": …}

    def take(self, log):
        asked = {}
        for path in log:
            parts = path.strip("/").split("/")
            if parts[0] == "simple":
                asked.setdefault(parts[1], set())
            else:
                asked.setdefault(parts[1], set()).add(parts[3].removesuffix(".metadata"))
        for project, names in asked.items():
            status, _, body = self.source.page(project)
            if status != 200:
                continue
            rows = self.pages.setdefault(project, {})
            known = json.loads(body)["files"]
            for row in known:
                if row["filename"] in names:
                    self.keep(project, row)
                    rows[row["filename"]] = slim(row)
            newest = sorted(known, key=lambda r: r.get("upload-time") or "")[-OTHERS:]
            for row in newest:
                rows.setdefault(row["filename"], slim(row))

    def keep(self, project, row):
        filename = row["filename"]
        key = row["url"].split("/")[-2]
        if filename.endswith(".whl"):
            body = self.source.file(project, key, filename + ".metadata")[2]
            self.files[filename + ".metadata"] = trimmed_metadata(body)
        elif filename.endswith(".tar.gz"):
            body = trimmed_sdist(self.source.file(project, key, filename)[2])
            self.files[filename] = {"base64": base64.b64encode(body).decode()}
            row["hashes"] = {"sha256": hashlib.sha256(body).hexdigest()}

    def document(self, sets):
        pages = {n: {"meta": {"api-version": "1.1"}, "name": n, "files": list(rows.values())}
                 for n, rows in sorted(self.pages.items())}
        return {"sets": sets, "pages": pages, "files": dict(sorted(self.files.items()))}


def lines(document):
    """JSON, one line for each page and file."""
    def block(rows):
        return ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in rows.items())
    return (f'{{"sets": [\n{",".join(chr(10) + json.dumps(s) for s in document["sets"])}],\n'
            f'"pages": {{\n{block(document["pages"])}}},\n"files": {{\n{block(document["files"])}}}}}\n')


def answer(program, given):
    python = given.get("python") or tools.RUNNING
    return program.autopin(given["requirements"], python)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--cache", required=True)
    parser.add_argument("names", nargs="+")
    given_names = parser.parse_args()
    groups = json.loads((HERE / "sets.json").read_text())
    chosen = [s for g in ("running", "other") for s in groups[g] if s["name"] in given_names.names]
    source = loopback.Upstream(given_names.cache)
    recorder = Recorder(source)
    sets = []
    with tempfile.TemporaryDirectory() as home:
        for given in chosen:
            with loopback.Loopback(source) as index:
                program = tools.Tools(index.url, pathlib.Path(home) / "first")
                python = given.get("python")
                ours = answer(program, given)
                theirs = program.uv(given["requirements"], python) if python else program.pip(given["requirements"])
                if ours.versions != theirs.versions or not ours.versions:
                    sys.exit(f"{given['name']}: the answers differ; see compare.py")
                recorder.take(index.log)
                sets.append({**given, "python": python or tools.RUNNING, "platform": tools.glibc_platform(),
                             "by": "uv" if python else "pip", "versions": theirs.versions})
            program.cold()
        # Rows that make autopin read what is not there would be read from a real index only.
        while True:
            with loopback.Loopback(loopback.Recorded(recorder.document(sets))) as index:
                program = tools.Tools(index.url, pathlib.Path(home) / "second")
                for given in sets:
                    answer(program, given)
                    program.cold()
            absent = {path.split("/")[-1].removesuffix(".metadata") for path in index.failed
                      if path.startswith("/files/")}
            if not absent:
                break
            for rows in recorder.pages.values():
                for filename in absent:
                    rows.pop(filename, None)
    sys.stdout.write(lines(recorder.document(sets)))


if __name__ == "__main__":
    main()
