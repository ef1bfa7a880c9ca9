"""A web server with the habits that a client must cope with.

usage: server.py FOLDER [CERTIFICATE KEY]

Writes its port to FOLDER/port and every request to FOLDER/requests, one a line:
path, Authorization, Range, port of the connection, User-Agent, Accept, and how many
requests are held at that moment.
"""
import gzip
import http.server
import os
import ssl
import sys
import threading
import time

folder = sys.argv[1]
seen = {}
held = 0  # requests that have no answer yet
change = threading.Condition()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        global held
        with change:
            held += 1
            self.note()
            change.notify_all()
        seen[self.path] = seen.get(self.path, 0) + 1
        name, _, rest = self.path.lstrip("/").partition("/")
        try:
            getattr(self, "get_" + name)(rest)
        finally:
            with change:
                held -= 1

    def note(self):
        with open(os.path.join(folder, "requests"), "a") as log:
            log.write(" ".join([
                self.path, self.headers.get("Authorization", "-").split()[-1],
                self.headers.get("Range", "-"), str(self.client_address[1]),
                self.headers.get("User-Agent", "-"),
                self.headers.get("Accept", "-"), str(held)]) + "\n")

    def get_hello(self, rest):
        self.answer(200, b"hello", Content_Type="text/plain", X_Case="Kept")

    def get_status(self, rest):
        self.answer(int(rest), b"status " + rest.encode())

    def get_slow(self, rest):  # seconds-anything
        time.sleep(float(rest.split("-")[0]))
        self.answer(200, rest.encode())

    def get_meet(self, rest):  # count-anything: answers once so many are held
        with change:
            met = change.wait_for(lambda: seen.get("met") or held >= int(rest.split("-")[0]), 20)
            seen["met"] = met
            change.notify_all()
        self.answer(200 if met else 408, rest.encode())

    def get_later(self, rest):  # 429 once, with that Retry-After
        from urllib.parse import unquote
        if seen[self.path] < 2:
            self.answer(429, Retry_After=unquote(rest))
        else:
            self.answer(200, b"now")

    def get_headers(self, rest):  # without end
        self.send_response(200)
        try:
            while True:
                self.send_header("X-More", "x" * 1000)
                self.flush_headers()
        except OSError:
            self.close_connection = True

    def get_flaky(self, rest):  # 503 twice, then well
        self.answer(503 if seen[self.path] < 3 else 200, b"at last")

    def get_drop(self, rest):  # hangs up once
        if seen[self.path] < 2:
            self.close_connection = True
        else:
            self.answer(200, b"held")

    def get_gzip(self, rest):
        self.answer(200, gzip.compress(b"z" * 100000), Content_Encoding="gzip")

    def get_large(self, rest):
        self.answer(200, b"x" * int(rest))

    def get_range(self, rest):
        body = b"0123456789"
        asked = self.headers["Range"].removeprefix("bytes=")
        first, _, last = asked.partition("-")
        part = body[-int(last):] if first == "" else body[int(first):int(last) + 1]
        self.answer(206, part, Content_Range="bytes %s/10" % asked)

    def get_to(self, rest):  # redirect to a URL, percent-decoded
        from urllib.parse import unquote
        self.answer(302, Location=unquote(rest))

    def get_loop(self, rest):
        self.answer(302, Location="/loop/" + str(int(rest or 0) + 1))

    def get_stall(self, rest):
        self.send_response(200)
        self.send_header("Content-Length", "10")
        self.end_headers()
        self.wfile.write(b"part")
        self.wfile.flush()
        time.sleep(20)

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
with open(os.path.join(folder, "port.new"), "w") as file:
    file.write(str(server.server_port))
os.rename(os.path.join(folder, "port.new"), os.path.join(folder, "port"))
server.serve_forever()
