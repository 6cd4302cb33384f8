"""A server that plays the exchanges of a scenario: it checks each request, and responds or fails as told."""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Callable
from email.parser import BytesHeaderParser, BytesParser
from typing import Any
from urllib.parse import parse_qsl, urlsplit

Json = Any


def matches(expected: Json, actual: Json) -> bool:
    """Objects may have more members than expected; everything else must be equal."""
    if isinstance(expected, dict):
        return isinstance(actual, dict) and all(
            name in actual and matches(value, actual[name]) for name, value in expected.items()
        )
    if isinstance(expected, list):
        return (
            isinstance(actual, list)
            and len(expected) == len(actual)
            and all(matches(*pair) for pair in zip(expected, actual, strict=True))
        )
    return bool(expected == actual)


class Request:
    """A request as received."""

    def __init__(self, stream: Any) -> None:
        line = stream.readline().decode()
        self.method, self.path = [*line.split(" "), "", ""][:2]
        head = b""
        while (row := stream.readline()) not in (b"\r\n", b""):
            head += row
        self.raw_headers = head
        parsed = BytesHeaderParser().parsebytes(head)
        self.headers = {name.lower(): value for name, value in parsed.items()}
        self.body = stream.read(int(self.headers.get("content-length", 0)))

    def form(self) -> list[list[str]]:
        """The fields of a multipart form in order."""
        message = BytesParser().parsebytes(self.raw_headers + b"\r\n" + self.body)
        parts = message.get_payload()
        assert isinstance(parts, list)
        return [
            [str(part.get_param("name", header="content-disposition")), part.get_payload(decode=True).decode()]
            for part in parts
        ]


class ScenarioServer:
    """Answers requests by the exchanges of the current step, in order."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.exchanges: list[Json] = []
        self.values: dict[str, str] = {}
        self.on_abort: Callable[[], None] = lambda: None
        self._hang = threading.Event()
        owner = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                request = Request(self.rfile)
                if request.method:
                    owner._answer(request, self.wfile)

        socketserver.ThreadingTCPServer.allow_reuse_address = True
        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def play(self, exchanges: list[Json]) -> None:
        repeated = [[exchange] * exchange.get("repeat", 1) for exchange in exchanges]
        self.exchanges = [exchange for group in repeated for exchange in group]

    def will_hang(self) -> bool:
        return bool(self.exchanges) and self.exchanges[0].get("respond", {}).get("fault") == "hang"

    def close(self) -> None:
        self._hang.set()
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, request: Request, out: Any) -> None:
        if not self.exchanges:
            self.problems.append(f"unexpected request {request.method} {request.path}")
            return
        exchange = self.exchanges.pop(0)
        self._check(request, exchange["expect"])
        if "respond" not in exchange:
            self.on_abort()
        self._respond(exchange.get("respond", {"fault": "hang"}), out)

    def _check(self, request: Request, expect: Json) -> None:
        def check(name: str, expected: object, actual: object) -> None:
            if expected != actual:
                self.problems.append(f"{name} is {actual!r} instead of {expected!r}")

        check("method", expect["method"], request.method)
        expected, actual = urlsplit(expect["path"]), urlsplit(request.path)
        check("path", expected.path, actual.path)
        check("query", sorted(parse_qsl(expected.query)), sorted(parse_qsl(actual.query)))
        for name, value in expect.get("headers", {}).items():
            sent = request.headers.get(name)
            if isinstance(value, str) and value.startswith("$"):
                self._check_variable(value, sent)
            else:
                check(f"header {name}", value, sent)
        if "body" in expect:
            check("body", expect["body"], json.loads(request.body) if request.body else None)
        if "form" in expect:
            check("form", expect["form"], request.form())
        if "bytes" in expect:
            check("bytes", expect["bytes"], len(request.body))

    def _check_variable(self, name: str, sent: str | None) -> None:
        others = [value for other, value in self.values.items() if other != name]
        if not sent or sent in others or self.values.setdefault(name, sent) != sent:
            self.problems.append(f"{name} is {sent!r}, with {self.values!r}")

    def _respond(self, respond: Json, out: Any) -> None:
        fault = respond.get("fault")
        if fault == "hang":
            self._hang.wait()
        if fault in ("hang", "reset-before-head"):
            return
        status = respond.get("status", 200)
        headers = dict(respond.get("headers", {}))
        body = respond.get("text", "").encode()
        if "text" not in respond:
            headers.setdefault("Content-Type", "application/json; charset=utf-8")
            name = "error" if "error" in respond else "data"
            body = json.dumps({"success": name == "data", name: respond.get(name, {})}).encode()
        sent = body[: len(body) // 2] if fault in ("truncated", "cut") else b"" if fault == "reset-after-head" else body
        headers["Content-Length"] = str(len(sent if fault == "cut" else body))
        headers["Connection"] = "close"
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        out.write(f"HTTP/1.1 {status} Status\r\n{head}\r\n".encode() + sent)
