#!/usr/bin/env python3
"""An index behind a password: it works, and the password is nowhere afterwards: not in what is
said, the fixed draft, the patch log, the recording or the cache. By URL and by netrc."""
import base64
import http.server
import subprocess
import sys
import threading
import urllib.error
import urllib.request

import fixture_run as fixture

CASE = "wheel-only-pin"
USER, WORD = "alice", "pass-w0rd-of-alice"
EXPECTED = "Basic " + base64.b64encode(f"{USER}:{WORD}".encode()).decode()


def guarded(behind):
    """Passes on to `behind` what comes with the password, and counts."""
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            if self.headers.get("Authorization") != EXPECTED:
                self.server.refused += 1
                return self.answer(401, b"", {"WWW-Authenticate": "Basic"})
            self.server.let_in += 1
            asked = {k: v for k, v in self.headers.items()
                     if k in ("Accept", "Range", "If-None-Match")}
            try:
                with urllib.request.urlopen(urllib.request.Request(behind + self.path,
                                                                   headers=asked)) as answer:
                    self.answer(answer.status, answer.read(), answer.headers)
            except urllib.error.HTTPError as error:
                self.answer(error.code, error.read(), error.headers)

        def answer(self, status, body, headers):
            self.send_response(status)
            for name in ("Content-Type", "Content-Range", "ETag", "WWW-Authenticate", "Location"):
                if headers.get(name):
                    self.send_header(name, headers[name])
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.let_in = server.refused = 0
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def run(folder, url, netrc):
    """autopin on the case, all that it leaves below `folder`."""
    (folder / "netrc").write_text(netrc)
    env = {**fixture.fixture_environment(), "NETRC": str(folder / "netrc"),
           **{f"XDG_{kind}_HOME": str(folder / kind) for kind in ("STATE", "CACHE")}}
    said = failed = ""
    # A recording fills no cache: once with each.
    for name, more in (("draft", ["--record", str(folder / "recording")]), ("again", [])):
        fixture.copy_draft(CASE, folder / name)
        done = subprocess.run(
            [fixture.AUTOPIN, "build", str(folder / name / "before.nix"), "--index-url", url, *more],
            env=env, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said += done.stdout
        if done.returncode != 0:
            failed = f"nothing, but it ended with {done.returncode}:\n{done.stdout[-3000:]}"
    (folder / "netrc").unlink()
    (folder / "said").write_text(said)
    found = [str(path.relative_to(folder)) for path in folder.rglob("*")
             if path.is_file() and any(
                 secret in path.read_bytes()
                 for secret in (WORD.encode(), EXPECTED.split()[1].encode()))]
    # A check that finds nothing has to look at something.
    for part in ("said", "draft/before.fixed.nix", "draft/before.autopin/log.json",
                 "recording/tape/events.jsonl", "CACHE/autopin"):
        if not (folder / part).exists():
            found.append(f"{part}, which is not there")
    if failed:
        found.append(failed)
    return found


def main():
    failed = False
    with fixture.served_index() as index:
        behind = index.split("/simple")[0]
        server = guarded(behind)
        host = f"127.0.0.1:{server.server_address[1]}"
        path = index.removeprefix(behind)
        for way, user, netrc in (
                ("by URL", f"{USER}:{WORD}@", ""),
                ("by netrc", "", f"machine 127.0.0.1 login {USER} password {WORD}\n")):
            server.let_in = 0
            with fixture.scratch() as folder:
                found = run(folder, f"http://{user}{host}{path}", netrc)
            if server.let_in == 0:
                found.append("nothing, but the index was never let in to")
            print(f"{way}: {'ok' if not found else 'the password is in ' + ', '.join(found)}")
            failed = failed or bool(found)
    return 1 if failed else 0


sys.exit(main())
