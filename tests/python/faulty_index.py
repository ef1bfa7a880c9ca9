#!/usr/bin/env python3
"""faulty_index.py PORT_FILE

A package index on the loopback interface whose projects are faults, by name. Writes its port
to PORT_FILE and serves until its standard input ends. Run by loopback_test.cpp.
"""
import hashlib
import http.server
import io
import os
import sys
import tarfile
import threading
import time


def sdist(name, version):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        text = f"Metadata-Version: 1.1\nName: {name}\nVersion: {version}\n".encode()
        member = tarfile.TarInfo(f"{name}-{version}/PKG-INFO")
        member.size = len(text)
        tar.addfile(member, io.BytesIO(text))
    return out.getvalue()


SDIST = sdist("good", "1.0")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        project = self.path.strip("/").split("/")[-1]
        fault = getattr(self, "do_" + project.replace("-", "_"), None)
        if fault is not None:
            fault()
        elif self.path.split("?")[0] == "/files/good-1.0.tar.gz":
            self.answer(SDIST, "application/octet-stream")
        else:
            self.answer(b"", status=404)

    def answer(self, body, kind="text/html", status=200, length=None, **headers):
        self.send_response(status)
        self.send_header("Content-Type", kind)
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

    def do_endless(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Connection", "close")
        self.end_headers()
        try:
            while True:
                self.wfile.write(b"x" * 65536)
        except OSError:
            self.close_connection = True

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
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with open(sys.argv[1] + ".new", "w", encoding="ascii") as file:
        file.write(str(server.server_address[1]))
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    sys.stdin.read()


main()
