#!/usr/bin/env python3
"""faulty_index.py PORT_FILE

A package index on the loopback interface whose projects are faults, by name. Writes its port
to PORT_FILE and serves until its standard input ends. Run by loopback_test.cpp.
"""
import functools
import gzip
import hashlib
import http.server
import io
import json
import os
import struct
import sys
import tarfile
import threading
import time
import zipfile


# No archive holds the time: a page and its file are made by two requests and must agree.


def sdist(name, version):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        text = f"Metadata-Version: 1.1\nName: {name}\nVersion: {version}\n".encode()
        member = tarfile.TarInfo(f"{name}-{version}/PKG-INFO")
        member.size = len(text)
        tar.addfile(member, io.BytesIO(text))
    return gzip.compress(out.getvalue(), mtime=0)


def wheel(name, metadata, *others):
    """With `metadata` as (bytes, declared size or nothing)."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path, content in [(other, "x") for other in others] + [
                (f"{name}-1.0.dist-info/METADATA", metadata)]:
            archive.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED, 1)
    return out.getvalue()


def metadata_of(name):
    return f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n".encode()


SDIST = sdist("good", "1.0")
HUGE = 100 << 20


@functools.cache
def zip_bomb():
    return wheel("zip_bomb", b"\0" * HUGE)


@functools.cache
def lying_zip():
    """Its headers say 100 bytes, and a million times as much comes out."""
    return zip_bomb().replace(struct.pack("<I", HUGE), struct.pack("<I", 100))


@functools.cache
def tar_bomb():
    """Three GiB of nothing, in gzip members that repeat."""
    part = gzip.compress(b"\0" * (16 << 20), 1)
    out = b""
    for i in range(3):
        member = tarfile.TarInfo(f"tar-bomb-1.0/{i}")
        member.size = 1 << 30
        out += gzip.compress(member.tobuf()) + part * 64
    return out


@functools.cache
def outside_sdist():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        tar.addfile(tarfile.TarInfo("outside-sdist-1.0/../../etc/cron.d/x"))
    return out.getvalue()


def wheel_name(project):
    return project.replace("-", "_") + "-1.0-py3-none-any.whl"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        project = self.path.strip("/").split("/")[-1]
        fault = getattr(self, "do_" + project.replace("-", "_"), None)
        if self.path.startswith("/files/"):
            project = project.split("-1.0")[0]
            fault = getattr(self, "file_" + project.replace("-", "_"), None)
        if fault is not None:
            fault()
        elif self.path.split("?")[0] == "/files/good-1.0.tar.gz":
            self.answer(SDIST, "application/octet-stream")
        else:
            self.answer(b"", status=404)

    def answer(self, body, kind="text/html", status=200, length=None, **headers):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        # Whoever keeps a fault has it for long.
        self.send_header("Cache-Control", "max-age=3600")
        self.send_header("ETag", '"1"')
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_good(self):
        digest = hashlib.sha256(SDIST).hexdigest()
        self.answer(f'<a href="../../files/good-1.0.tar.gz#sha256={digest}">x</a>'.encode())

    def do_liar(self):
        self.answer(b'<a href="/files/good-1.0.tar.gz#sha256=' + b"0" * 64 + b'">'
                    b'x</a><a href="/files/liar-1.0.tar.gz">x</a>')

    def do_ring(self):
        self.answer(b"", status=302, Location="/simple/ring-two/")

    def do_ring_two(self):
        self.answer(b"", status=302, Location="/simple/ring/")

    def do_stall(self):
        self.answer(b"<html>", length=1000)
        time.sleep(30)

    def do_truncated(self):
        self.answer(b"<html>", length=1000)
        self.close_connection = True

    def do_endless(self, kind="text/html"):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Connection", "close")
        self.end_headers()
        try:
            for _ in range(10 << 14):  # 10 GiB
                self.wfile.write(b"x" * 65536)
        except OSError:
            pass
        self.close_connection = True

    def do_huge(self):
        self.answer(b"<html>", length=10 << 30)
        self.close_connection = True

    def do_busy(self):
        self.answer(b"", status=503)

    def do_not_json(self):
        self.answer(b"<html>a proxy's own page</html>", "application/vnd.pypi.simple.v1+json")

    def do_wide_json(self):
        self.answer(b'{"files": [' + b"{}," * 2000000 + b"{}]}",
                    "application/vnd.pypi.simple.v1+json")

    # Projects whose page is right and whose file is not.

    def page_of(self, name, body, size=None):
        entry = {"filename": name, "url": "/files/" + name,
                 "hashes": {"sha256": hashlib.sha256(body).hexdigest()}}
        if size is not None:
            entry["size"] = size
        self.answer(json.dumps({"meta": {"api-version": "1.0"}, "files": [entry]}).encode(),
                    "application/vnd.pypi.simple.v1+json")

    def file(self, body):
        """Ranges are ignored: the whole file comes."""
        self.answer(body, "application/octet-stream")

    def do_zip_bomb(self):
        self.page_of(wheel_name("zip-bomb"), zip_bomb())

    def file_zip_bomb(self):
        self.file(zip_bomb())

    def do_lying_zip(self):
        self.page_of(wheel_name("lying-zip"), lying_zip())

    def file_lying_zip(self):
        self.file(lying_zip())

    def do_tar_bomb(self):
        self.page_of("tar-bomb-1.0.tar.gz", tar_bomb())

    def file_tar_bomb(self):
        self.file(tar_bomb())

    def do_outside(self):
        self.page_of(wheel_name("outside"), self.outside())

    @staticmethod
    def outside():
        return wheel("outside", metadata_of("outside"), "../../etc/cron.d/x")

    def file_outside(self):
        self.file(self.outside())

    def do_outside_sdist(self):
        self.page_of("outside-sdist-1.0.tar.gz", outside_sdist())

    def file_outside_sdist(self):
        self.file(outside_sdist())

    def do_wrong_size(self):
        self.page_of("wrong-size-1.0.tar.gz", sdist("wrong-size", "1.0"), size=1 << 20)

    def file_wrong_size(self):
        self.file(sdist("wrong-size", "1.0"))

    def do_wrong_hash(self):
        self.page_of("wrong-hash-1.0.tar.gz", b"something else")

    def file_wrong_hash(self):
        self.file(sdist("wrong-hash", "1.0"))

    def do_swelling(self):
        self.page_of("swelling-1.0.tar.gz", b"", size=5000)

    def file_swelling(self):
        self.do_endless("application/octet-stream")

    def do_cut(self):
        self.page_of("cut-1.0.tar.gz", sdist("cut", "1.0"))

    def file_cut(self):
        self.answer(sdist("cut", "1.0")[:50], "application/octet-stream", length=150)
        self.close_connection = True

    def do_odd_range(self):
        self.page_of(wheel_name("odd-range"), wheel("odd_range", metadata_of("odd-range")))

    def file_odd_range(self):
        """Another part than was asked for; without a range the right file."""
        body = wheel("odd_range", metadata_of("odd-range"))
        if self.headers["Range"]:
            headers = {"Content-Range": "bytes 0-9/%d" % len(body)}
            self.answer(body[:10], "application/octet-stream", status=206, **headers)
        else:
            self.file(body)

    def do_broken_json(self):
        self.answer(b'{"files": [', "application/vnd.pypi.simple.v1+json")

    def do_deep_json(self):
        self.answer(b"[" * 1000000, "application/vnd.pypi.simple.v1+json")

    def do_many_links(self):
        self.answer(b"".join(b'<a href="/f/many-links-%d.tar.gz">x</a>\n' % i
                             for i in range(100000)))

    def log_message(self, *_):
        pass


def main():
    for slow in (zip_bomb, lying_zip, tar_bomb):
        slow()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with open(sys.argv[1] + ".new", "w", encoding="ascii") as file:
        file.write(str(server.server_address[1]))
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    sys.stdin.read()


main()
