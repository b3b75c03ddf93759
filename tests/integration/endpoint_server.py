"""An endpoint of our own on loopback, that answers well, badly or not at all, as a test says."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[["Handler", Mapping[str, Any]], None]


@dataclass
class Endpoint:
    """A running server, and what it was asked.

    Attributes:
        script: What each request gets, in order; then ``usual``.
        charged: The tokens that it wrote on the bill, as a commercial endpoint would.
        most: How many requests were under way at once, at most.
    """

    usual: Behaviour
    script: list[Behaviour]
    url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    charged: int = 0
    running: int = 0
    most: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    stopping: threading.Event = field(default_factory=threading.Event)


class Handler(BaseHTTPRequestHandler):
    """One connection to the server."""

    protocol_version = "HTTP/1.1"
    endpoint: Endpoint

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        endpoint = self.endpoint
        if endpoint.stopping.is_set():
            # A connection that was kept alive outlives the server's own end.
            self.close_connection = True
            return
        with endpoint.lock:
            endpoint.bodies.append(body)
            endpoint.keys.append(self.headers.get("authorization", ""))
            endpoint.headers.append({name.lower(): value for name, value in self.headers.items()})
            behave = endpoint.script.pop(0) if endpoint.script else endpoint.usual
            endpoint.running += 1
            endpoint.most = max(endpoint.most, endpoint.running)
        try:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                behave(self, body)
        finally:
            with endpoint.lock:
                endpoint.running -= 1

    def reply(self, status: int, text: str, headers: Mapping[str, str] | None = None) -> None:
        """Send an answer."""
        data = text.encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def charge(self, tokens: int) -> None:
        with self.endpoint.lock:
            self.endpoint.charged += tokens

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def completion(texts: list[str], *, read: int = 10, written: int = 5, finish: str = "stop") -> str:
    """Return the body of a good answer."""
    choices = [
        {"index": number, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
        for number, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
    return json.dumps({"object": "chat.completion", "choices": choices, "usage": usage})


def good(*texts: str, read: int = 10, written: int = 5, finish: str = "stop") -> Behaviour:
    """Answer with these texts, or one that repeats the last message."""

    def behave(handler: Handler, body: Mapping[str, Any]) -> None:
        told = list(texts) or [f"echo {body['messages'][-1]['content']}"]
        handler.charge(read + written)
        handler.reply(200, completion(told, read=read, written=written, finish=finish))

    return behave


def status(
    number: int, message: str = "no", headers: Mapping[str, str] | None = None, **more: str
) -> Behaviour:
    """Refuse, in OpenAI's form."""
    text = json.dumps({"error": {"message": message, **more}})
    return lambda handler, _: handler.reply(number, text, headers)


def malformed(text: str = '{"choices": [{"message": ') -> Behaviour:
    """Answer with something that is no completion."""

    def behave(handler: Handler, _: Mapping[str, Any]) -> None:
        handler.charge(15)
        handler.reply(200, text)

    return behave


def cut(handler: Handler, body: Mapping[str, Any]) -> None:
    """Promise an answer, send half of it and go; the tokens are on the bill."""
    handler.charge(int(body["max_tokens"]))
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.wfile.flush()
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


def hang(handler: Handler, _: Mapping[str, Any]) -> None:
    """Say nothing at all until the test is over."""
    handler.endpoint.stopping.wait(30)


def drip(handler: Handler, _: Mapping[str, Any]) -> None:
    """Send a byte now and then, for ever: no single read takes long."""
    handler.send_response(200)
    handler.send_header("content-length", "100000")
    handler.end_headers()
    while not handler.endpoint.stopping.wait(0.05):
        handler.wfile.write(b" ")


def slowly(behaviour: Behaviour, seconds: float) -> Behaviour:
    """Answer after a while."""

    def behave(handler: Handler, body: Mapping[str, Any]) -> None:
        time.sleep(seconds)
        behaviour(handler, body)

    return behave


@contextlib.contextmanager
def serving(*script: Behaviour, usual: Behaviour | None = None) -> Iterator[Endpoint]:
    """Run an endpoint while the block does."""
    endpoint = Endpoint(usual=usual or good(), script=list(script))
    handler = type("OwnHandler", (Handler,), {"endpoint": endpoint})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    endpoint.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield endpoint
    finally:
        endpoint.stopping.set()
        server.shutdown()
        server.server_close()
