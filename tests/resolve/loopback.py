#!/usr/bin/env python3
"""A package index on loopback, so that several programs are asked the same of the same.

    loopback.py --cache DIR       serves what DIR holds; what it lacks is taken, once, from the
                                  index that pip is set to, and kept there
    loopback.py --recorded FILE   serves what record.py kept, and asks nobody

It speaks PEP 691 with relative URLs, PEP 658, ranges, ETags and keep-alive, and sends
no client anywhere else.
"""
import argparse
import asyncio
import base64
import concurrent.futures
import hashlib
import io
import json
import os
import pathlib
import re
import ssl
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
import zipfile

JSON_PAGE = "application/vnd.pypi.simple.v1+json"
NO_SUCH = (404, "text/plain", b"no such page")


def upstream_index():
    """What pip would ask here."""
    configured = subprocess.run([sys.executable, "-m", "pip", "config", "get", "global.index-url"],
                                capture_output=True, text=True).stdout.strip()
    if os.environ.get("PIP_INDEX_URL") or configured:
        return os.environ.get("PIP_INDEX_URL") or configured
    return subprocess.run(
        [sys.executable, "-c", "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"],
        check=True, capture_output=True, text=True).stdout.strip()


class Upstream:
    """The index behind, with a folder that keeps all that it has ever said."""

    def __init__(self, cache):
        self.cache = pathlib.Path(cache)
        for name in ("pages", "files"):
            (self.cache / name).mkdir(parents=True, exist_ok=True)
        self.index = upstream_index().rstrip("/") + "/"
        self.tls = ssl.create_default_context(cafile=os.environ.get("PIP_CERT"))
        self.asked = 0
        self.urls = {}

    def get(self, url, accept="*/*", span=None):
        self.asked += 1
        headers = {"Accept": accept, **({"Range": f"bytes={span}"} if span else {})}
        request = urllib.request.Request(url, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=120, context=self.tls) as answer:
                return answer.read(), answer.url
        except urllib.error.HTTPError as error:
            if error.code in (404, 410):
                return None, url
            raise

    def keep(self, path, body):
        temporary = path.with_name(path.name + f".{threading.get_ident()}")
        temporary.write_bytes(body)
        temporary.rename(path)

    def page(self, name):
        path = self.cache / "pages" / f"{name}.json"
        if not path.exists():
            body, url = self.get(self.index + name + "/", JSON_PAGE)
            page = json.loads(body) if body is not None else None
            for file in page["files"] if page else []:
                file["url"] = urllib.parse.urljoin(url, file["url"])
            self.keep(path, json.dumps(page).encode())
        page = json.loads(path.read_bytes())
        if page is None:
            return NO_SUCH
        for file in page["files"]:
            key = hashlib.sha256(file["url"].encode()).hexdigest()[:24]
            self.urls[key] = file["url"]
            file["url"] = f"../../files/{name}/{key}/{file['filename']}"
            # Both ways of saying it: PEP 658 and PEP 714.
            if file["filename"].endswith(".whl"):
                file["core-metadata"] = file["data-dist-info-metadata"] = True
        return 200, JSON_PAGE, json.dumps(page).encode()

    def file(self, project, key, filename):
        path = self.cache / "files" / f"{key}-{filename}"
        if not path.exists():
            if key not in self.urls:
                self.page(project)
            is_metadata = filename.endswith(".metadata")
            url = self.urls[key] + (".metadata" if is_metadata else "")
            body, _ = self.get(url)
            if body is None and is_metadata:
                body = self.metadata_of(self.urls[key])
            if body is None:
                return NO_SUCH
            self.keep(path, body)
        return 200, "application/octet-stream", path.read_bytes()

    def metadata_of(self, url):
        with zipfile.ZipFile(RemoteFile(self, url)) as archive:
            name = next(n for n in archive.namelist() if re.match(r"[^/]+\.dist-info/METADATA$", n))
            return archive.read(name)


class RemoteFile(io.RawIOBase):
    """A file of which only what is read is fetched, its end first."""

    def __init__(self, upstream, url):
        self.upstream, self.url, self.at = upstream, url, 0
        head = urllib.request.Request(url, method="HEAD")
        with urllib.request.urlopen(head, timeout=120, context=upstream.tls) as answer:
            self.size = int(answer.headers["Content-Length"])
        self.begin = max(0, self.size - (128 << 10))
        self.tail = upstream.get(url, span=f"{self.begin}-{self.size - 1}")[0]

    def seekable(self):
        return True

    def readable(self):
        return True

    def tell(self):
        return self.at

    def seek(self, offset, whence=io.SEEK_SET):
        self.at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self.at, io.SEEK_END: self.size}[whence]
        return self.at

    def readinto(self, buffer):
        end = min(self.at + len(buffer), self.size)
        if end <= self.at:
            return 0
        if self.at >= self.begin:
            data = self.tail[self.at - self.begin:end - self.begin]
        else:
            data = self.upstream.get(self.url, span=f"{self.at}-{end - 1}")[0]
        buffer[:len(data)] = data
        self.at += len(data)
        return len(data)


class Recorded:
    """Pages and files out of one document; see record.py."""

    def __init__(self, document):
        self.document = document

    def page(self, name):
        page = self.document["pages"].get(name)
        return (200, JSON_PAGE, json.dumps(page).encode()) if page else NO_SUCH

    def file(self, _project, _key, filename):
        kept = self.document["files"].get(filename)
        if kept is None:
            return NO_SUCH
        return 200, "application/octet-stream", (
            kept.encode() if isinstance(kept, str) else base64.b64decode(kept["base64"]))


class Connection(asyncio.Protocol):
    def __init__(self, server):
        self.server = server
        self.buffer = b""
        self.turn = None

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.buffer += data
        while b"\r\n\r\n" in self.buffer:
            head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
            # Answers leave in the order of the requests (RFC 9112, 9.3.2).
            self.turn = asyncio.ensure_future(self.answer(head.decode("latin-1"), self.turn))

    async def answer(self, head, turn):
        request, *lines = head.split("\r\n")
        method, target, _ = request.split(" ", 2)
        headers = {k.strip().lower(): v.strip() for k, _, v in (l.partition(":") for l in lines)}
        path = urllib.parse.unquote(urllib.parse.urlsplit(target).path)
        try:
            status, kind, body = await self.server.body_of(path)
        except Exception as error:  # the client is to see it, whatever it is
            status, kind, body = 502, "text/plain", repr(error).encode()
        if status >= 400:
            self.server.failed.add(path)
        if turn is not None:
            await turn
        if self.server.latency:
            await asyncio.sleep(self.server.latency)
        more = ""
        if status == 200:
            tag = self.server.tag_of(path, body)
            age = "max-age=600, public" if kind == JSON_PAGE else "max-age=31536000, immutable"
            more = f"ETag: {tag}\r\nCache-Control: {age}\r\nAccept-Ranges: bytes\r\nVary: Accept\r\n"
            wanted = re.fullmatch(r"bytes=(\d*)-(\d*)", headers.get("range", ""))
            if headers.get("if-none-match") == tag:
                status, body = 304, b""
            elif wanted and wanted[0] != "bytes=-":
                first, last = wanted[1], wanted[2]
                begin = int(first) if first else max(0, len(body) - int(last))
                end = min(int(last), len(body) - 1) if first and last else len(body) - 1
                more += f"Content-Range: bytes {begin}-{end}/{len(body)}\r\n"
                status, body = 206, body[begin:end + 1]
        length = "" if status == 304 else f"Content-Length: {len(body)}\r\n"
        self.transport.write(f"HTTP/1.1 {status} -\r\nContent-Type: {kind}\r\n{length}{more}\r\n".encode()
                             + (b"" if method == "HEAD" else body))


class Loopback:
    """with Loopback(Upstream(folder)) as index: … index.url …"""

    def __init__(self, source, latency=0.0):
        self.source = source
        self.latency = latency
        self.held = {}
        self.tags = {}
        self.log = []
        self.failed = set()
        self.pool = concurrent.futures.ThreadPoolExecutor(16)
        self.loop = asyncio.new_event_loop()
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    async def body_of(self, path):
        self.log.append(path)
        if path not in self.held:
            task = self.loop.run_in_executor(self.pool, self.look_up, path)
            # Two who ask at once wait for one answer.
            self.held[path] = asyncio.ensure_future(task)
        try:
            return await self.held[path]
        except Exception:
            self.held.pop(path, None)
            raise

    def look_up(self, path):
        page = re.fullmatch(r"/simple/([a-z0-9-]+)/", path)
        if page:
            return self.source.page(page[1])
        file = re.fullmatch(r"/files/([a-z0-9-]+)/([0-9a-f]+)/([^/]+)", path)
        return self.source.file(*file.groups()) if file else NO_SUCH

    def tag_of(self, path, body):
        if path not in self.tags:
            self.tags[path] = '"' + hashlib.sha256(body).hexdigest()[:16] + '"'
        return self.tags[path]

    def run(self):
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(
            self.loop.create_server(lambda: Connection(self), "127.0.0.1", 0, backlog=512))
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/simple/"
        self.ready.set()
        self.loop.run_forever()

    def __enter__(self):
        self.thread.start()
        self.ready.wait()
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.pool.shutdown()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--cache")
    parser.add_argument("--recorded")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    given = parser.parse_args()
    if given.recorded:
        source = Recorded(json.loads(pathlib.Path(given.recorded).read_text()))
    else:
        source = Upstream(given.cache)
    with Loopback(source, given.latency) as index:
        print(index.url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
