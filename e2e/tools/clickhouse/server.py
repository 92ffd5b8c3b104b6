"""ClickHouse's HTTP interface, as far as its client for Node needs it, in front of the real engine (chdb). For tests alone.

    server.py PACKAGES DATA USER

PACKAGES: folder with chdb. DATA: folder of the databases. The password is the first line of stdin; the server ends with the end of stdin, and
writes its port to stdout. One statement at a time, each answer whole. It says what a server says: codes, sentences and statuses are the engine's.
"""

import base64
import gzip
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

packages, data, user = sys.argv[1:4]
sys.path.insert(0, packages)
from chdb.session import Session  # noqa: E402

password = sys.stdin.readline().rstrip("\n")
session = Session(data)
one_at_a_time = threading.Lock()

NOT_SETTINGS = {"query", "query_id", "session_id", "database", "default_format", "role", "user", "password"}
# Of the network layer, which the engine in one process does not have.
OF_THE_SERVER = re.compile(r"^(enable_http_compression|send_progress_in_http_headers|wait_end_of_query|cancel_http_.*|http_.*)$")
STATUS = {516: 403, 497: 403, 60: 404, 81: 404, 62: 400, 47: 404}
LITERAL = {"\\": "\\\\", "'": "\\'"}


def quoted(text):
    return "'" + "".join(LITERAL.get(one, one) for one in text) + "'"


def answer(asked, body):
    """The statement's answer in bytes; `asked`: the parameters of the address."""
    values = dict(asked)
    statement = values.get("query", "")
    text = body.decode("utf-8")
    statement = f"{statement}\n{text}" if statement and text else statement or text
    params = {name[len("param_") :]: value for name, value in asked if name.startswith("param_")}
    with one_at_a_time:
        session.query(f"USE `{values.get('database', 'default')}`")
        for name, value in asked:
            if name not in NOT_SETTINGS and not name.startswith("param_") and not OF_THE_SERVER.match(name):
                session.query(f"SET {name} = {quoted(value)}")
        result = session.query(statement, values.get("default_format", "TabSeparated"), params=params)
        return result.bytes() if result is not None else b""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def tell(self, status, content, code=None):
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("X-ClickHouse-Summary", "{}")
        if code is not None:
            self.send_header("X-ClickHouse-Exception-Code", str(code))
        self.end_headers()
        self.wfile.write(content)

    def given(self):
        """User and password as the client says them."""
        given = (self.headers.get("X-ClickHouse-User"), self.headers.get("X-ClickHouse-Key"))
        kind, _, secret = (self.headers.get("Authorization") or "").partition(" ")
        if kind.lower() == "basic":
            given = tuple(base64.b64decode(secret).decode("utf-8").split(":", 1))
        return given

    def do_GET(self):
        if urlsplit(self.path).path == "/ping":
            return self.tell(200, b"Ok.\n")
        return self.do_POST()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])) if "Content-Length" in self.headers else self.chunks()
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        if self.given() != (user, password):
            because = "Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED)"
            return self.tell(403, f"Code: 516. DB::Exception: {self.given()[0]}: {because}\n".encode(), 516)
        try:
            self.tell(200, answer(parse_qsl(urlsplit(self.path).query, keep_blank_values=True), body))
        except Exception as error:  # noqa: BLE001: whatever it is, a client is told
            text = str(error)
            found = re.search(r"Code: (\d+)", text)
            code = int(found.group(1)) if found else 1002
            self.tell(STATUS.get(code, 500), f"{text}\n".encode(), code)

    def chunks(self):
        """A body without a length."""
        whole = b""
        if self.headers.get("Transfer-Encoding") != "chunked":
            return whole
        while size := int(self.rfile.readline().split(b";")[0], 16):
            whole += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return whole


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
server.shutdown()
session.close()
