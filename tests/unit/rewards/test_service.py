"""The judge over HTTP: who may ask, what is taken, and what becomes of whoever comes when all are busy."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import pytest

from transpile.core import OPENMP
from transpile.errors import TranspileError, UsageError
from transpile.rewards.client import Client
from transpile.rewards.judging import Question
from transpile.rewards.reward import Reward, Stage
from transpile.rewards.service import LONGEST, Limits, Server

TOKEN = "a-token-of-some-length"
GOOD = {"source": "void f() {}", "candidates": ["a", "b"], "target": "openmp"}


class Fake:
    """Says of each candidate how long it is, once it may."""

    def __init__(self) -> None:
        self.may, self.begun = Event(), Event()
        self.may.set()

    def judge(self, question: Question, candidates: Sequence[str]) -> list[Reward]:
        self.begun.set()
        assert self.may.wait(20)
        if question.unit == "nobody":
            raise UsageError("no unit is called 'nobody'")
        if question.unit == "bug":
            raise ZeroDivisionError
        return [Reward(value=float(len(item)), stage=Stage.PASSED, reason=item) for item in candidates]


@contextmanager
def served(limits: Limits = Limits()) -> Iterator[tuple[Fake, int]]:  # noqa: B008
    judge: Any = Fake()
    with Server(judge, {"openmp": OPENMP}, TOKEN, limits, ("127.0.0.1", 0)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield judge, server.server_address[1]
        server.shutdown()


def asked(
    port: int, body: object, *, token: str = TOKEN, path: str = "/judge", length: str | None = None
) -> tuple[int, dict[str, Any]]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}"} | ({"Content-Length": length} if length else {})
    connection.request("POST", path, data, headers)
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


def test_a_group_is_judged() -> None:
    with served() as (_, port):
        status, found = asked(port, GOOD | {"candidates": ["x", "two"]})
        assert status == 200 and [item["value"] for item in found["rewards"]] == [1.0, 3.0]


@pytest.mark.parametrize(
    ("status", "changed"),
    [
        (401, {"token": "another"}),
        (401, {"token": ""}),
        (401, {"token": "tökén"}),
        (404, {"path": "/other"}),
        (413, {"length": "999999999999"}),
        (411, {"length": "-1"}),
        (400, {"body": b"{"}),
        (400, {"body": b"\xff\xfe"}),
        (400, {"body": GOOD | {"more": 1}}),
        (400, {"body": GOOD | {"candidates": "text"}}),
        (400, {"body": GOOD | {"candidates": [1]}}),
        (400, {"body": GOOD | {"candidates": ["a"] * 65}}),
        (400, {"body": GOOD | {"candidates": ["a" * (LONGEST + 1)]}}),
        (400, {"body": GOOD | {"source": "a" * (LONGEST + 1)}}),
        (400, {"body": GOOD | {"target": "fortran"}}),
        (400, {"body": GOOD | {"unit": "nobody"}}),
    ],
)
def test_what_cannot_be_answered_is_refused_and_says_why(status: int, changed: dict[str, Any]) -> None:
    with served() as (_, port):
        found, told = asked(port, **({"body": GOOD} | changed))
        assert found == status and told["error"]
        assert asked(port, GOOD)[0] == 200


def test_our_own_failure_is_told_and_the_next_request_is_answered(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRANSPILE_CACHE", str(tmp_path))
    with served() as (_, port):
        assert asked(port, GOOD | {"unit": "bug"})[0] == 500
        assert asked(port, GOOD)[0] == 200


def test_who_comes_when_the_queue_is_full_is_sent_away() -> None:
    with served(Limits(jobs=1, queue=0)) as (judge, port):
        judge.may.clear()
        first = Thread(target=asked, args=(port, GOOD))
        first.start()
        assert judge.begun.wait(20)
        assert asked(port, GOOD)[0] == 429
        judge.may.set()
        first.join()
        assert asked(port, GOOD)[0] == 200


def test_connections_that_say_nothing_keep_nobody_out_for_good() -> None:
    with served(Limits(jobs=1, queue=0)) as (_, port):
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(40)]
        for item in idle:
            item.close()
        client = Client(url=f"http://127.0.0.1:{port}", token=TOKEN)
        [[found]] = client.judge_all([(Question(source="void f() {}"), ["abc"])])
        assert found == Reward(value=3.0, stage=Stage.PASSED, reason="abc")


def test_a_client_says_what_the_server_refuses_and_where_there_is_none() -> None:
    with served() as (_, port):
        group = (Question(source="void f() {}", unit="nobody"), ["abc"])
        with pytest.raises(UsageError, match="no unit is called"):
            Client(url=f"http://127.0.0.1:{port}", token=TOKEN).judge_all([group])
    with pytest.raises(TranspileError, match="cannot be reached"):
        Client(url=f"http://127.0.0.1:{port}", token=TOKEN).judge_all([group])
