"""The judge over HTTP: a token, bounded requests and queue, and texts alone: no paths of this machine."""

from __future__ import annotations

import hmac
import json
import socket
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import BoundedSemaphore
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from transpile import faults
from transpile.core import Dialect
from transpile.errors import MachineFault, TranspileError
from transpile.rewards.judging import Judge, Question

ADDRESS, PORT = "127.0.0.1", 8752
LONGEST = 100_000
"""Characters of a source or of one answer."""
_PATIENCE = 30.0
"""Seconds that a client may be silent in the midst of a request."""
_WAIT = "5"
"""Seconds after which a client that was sent away may try again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the server takes at most."""

    body: int = 8 << 20
    """Bytes of a request."""
    candidates: int = 64
    jobs: int = 1
    """Groups that are judged side by side."""
    queue: int = 32
    """Groups that wait; whoever comes then is told to come again."""


class _Asked(BaseModel):
    """The body of a request."""

    model_config = ConfigDict(extra="forbid", strict=True)

    source: str = Field(max_length=LONGEST)
    candidates: list[str]
    unit: str = Field(default="", max_length=1000)
    target: str = "openmp"
    suffix: str = Field(default=".cu", max_length=8)


@dataclass
class _Answer(Exception):  # not frozen: raising sets attributes
    """Ends a request."""

    status: HTTPStatus
    body: Mapping[str, Any]


def _refusal(status: HTTPStatus, error: str, hint: str = "") -> _Answer:
    return _Answer(status, {"error": error, "hint": hint})


class Server(ThreadingHTTPServer):
    """Answers ``POST /judge`` and ``GET /health``."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(
        self,
        judge: Judge,
        targets: Mapping[str, Dialect],
        token: str,
        limits: Limits,
        place: tuple[str, int] = (ADDRESS, PORT),
    ) -> None:
        """Bind the address; nothing is answered before ``serve_forever``.

        Args:
            judge: Who judges.
            targets: Dialects by the names that requests give them.
            token: What a request has to bring.
            limits: What is taken at most.
            place: Host and port; port 0 is any that is free.

        Raises:
            OSError: The address cannot be had.
        """
        self.judge, self.targets, self.token, self.limits = judge, targets, token, limits
        self.admitted = BoundedSemaphore(limits.jobs + limits.queue)
        self.working = BoundedSemaphore(limits.jobs)
        # Each connection has a thread: those that only hold one open are bounded as well.
        self.connections = BoundedSemaphore(2 * (limits.jobs + limits.queue) + 8)
        if ":" in place[0]:
            self.address_family = socket.AF_INET6
        super().__init__(place, _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Take a connection, unless there are too many."""
        if not self.connections.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve a connection to its end."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.connections.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that went away."""

    def judged(self, asked: _Asked) -> Mapping[str, Any]:
        """Return the rewards of a group; _Answer where there are none."""
        limits = self.limits
        if len(asked.candidates) > limits.candidates:
            raise _refusal(HTTPStatus.BAD_REQUEST, f"a group holds {limits.candidates} candidates at most")
        if any(len(item) > LONGEST for item in asked.candidates):
            raise _refusal(HTTPStatus.BAD_REQUEST, f"a candidate has {LONGEST} characters at most")
        if asked.target not in self.targets:
            known = ", ".join(self.targets)
            raise _refusal(HTTPStatus.BAD_REQUEST, f"unknown target '{asked.target}'", f"There are: {known}.")
        if not self.admitted.acquire(blocking=False):
            raise _refusal(HTTPStatus.TOO_MANY_REQUESTS, "too many groups wait", "Ask again in a while.")
        try:
            question = Question(
                source=asked.source,
                unit=asked.unit,
                target=self.targets[asked.target],
                suffix=asked.suffix,
            )
            with self.working:
                found = self.judge.judge(question, asked.candidates)
        finally:
            self.admitted.release()
        return {"schema": 1, "rewards": [asdict(item) for item in found]}


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    timeout = _PATIENCE
    server: Server

    def do_GET(self) -> None:
        """Answer whether the server is there."""
        found = self.path == "/health"
        status = HTTPStatus.OK if found else HTTPStatus.NOT_FOUND
        self._send(status, {"status": "ok"} if found else {"error": "there is POST /judge and GET /health"})

    def do_POST(self) -> None:
        """Judge a group."""
        try:
            self._send(HTTPStatus.OK, self.server.judged(self._asked()))
        except _Answer as answer:
            self._send(answer.status, answer.body)
        except MachineFault as error:
            self._send(HTTPStatus.SERVICE_UNAVAILABLE, {"error": str(error), "hint": error.hint})
        except TranspileError as error:
            self._send(HTTPStatus.BAD_REQUEST, {"error": str(error), "hint": error.hint})
        except Exception as error:
            fault = faults.own(error, "judging a request")
            self._send(HTTPStatus.INTERNAL_SERVER_ERROR, {"error": fault.reason, "hint": ""})

    def _asked(self) -> _Asked:
        """Return what is asked; _Answer where that cannot be."""
        given = self.headers.get("Authorization", "").encode("utf-8", "surrogateescape")
        if not hmac.compare_digest(given, f"Bearer {self.server.token}".encode()):
            raise _refusal(HTTPStatus.UNAUTHORIZED, "a token is needed", "Authorization: Bearer TOKEN")
        if self.path != "/judge":
            raise _refusal(HTTPStatus.NOT_FOUND, "there is POST /judge and GET /health")
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            raise _refusal(HTTPStatus.LENGTH_REQUIRED, "a request says how long it is")
        if int(length) > self.server.limits.body:
            most = self.server.limits.body
            raise _refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a request has {most} bytes at most")
        try:
            return _Asked.model_validate_json(self.rfile.read(int(length)))
        except ValidationError as error:
            told = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:4]]
            raise _refusal(
                HTTPStatus.BAD_REQUEST, f"the request cannot be read: {'; '.join(told)}"
            ) from error

    def _send(self, status: HTTPStatus, body: Mapping[str, Any]) -> None:
        data = json.dumps(body).encode()
        # What a refused request has not been read of would be taken for the next one.
        self.close_connection |= status is not HTTPStatus.OK
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if status is HTTPStatus.TOO_MANY_REQUESTS:
            self.send_header("Retry-After", _WAIT)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Write no log: standard error is for people."""
