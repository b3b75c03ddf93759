"""The small model in this process, and behind a server: real tokens, real seeds, real limits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.integration import small_model
from transpile import pipeline
from transpile.core import ByModel, Level, Passed
from transpile.options import ModelOptions, PortOptions, Silent
from transpile.toolchains import sandbox
from transpile.translators.models import Limits, Message, Request, open_model

pytestmark = pytest.mark.integration


SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {"n": {"type": "integer", "maximum": 99}, "unit": {"enum": ["m", "s"]}},
        "required": ["n", "unit"],
        "additionalProperties": False,
    }
)


def asked(text: str, **fields: object) -> Request:
    given = {"max_tokens": 12, **fields}
    return Request(messages=(Message(role="user", content=text),), **given)  # type: ignore[arg-type]


@pytest.mark.thorough
def test_the_small_model_answers_in_process() -> None:
    small_model.skip_where_missing()
    model = open_model("small", limits=Limits(), cache=None)
    requests = [
        asked("Write a C function that adds two arrays.", count=3),
        asked("x " * 9000),
        asked("Say yes.", max_tokens=3),
        asked("Name a number.", max_tokens=40, schema=SCHEMA, count=2),
    ]
    several, long, short, structured = model.complete(requests)
    assert len({answer.text for answer in several}) == 3
    assert {answer.finish for answer in several} == {"length"}
    assert {answer.completion_tokens for answer in several} == {12}
    assert long[0].finish == "error"
    assert "the model takes 8192" in long[0].message
    assert 0 < short[0].completion_tokens <= 3
    assert {frozenset(json.loads(answer.text)) for answer in structured} == {frozenset({"n", "unit"})}
    assert model.complete(requests) == [several, long, short, structured]


@pytest.mark.thorough
def test_the_small_model_answers_behind_a_server(tmp_path: Path) -> None:
    small_model.skip_where_missing()
    with small_model.serving(tmp_path / "server.log") as spec:
        model = open_model(spec, limits=Limits(max_tokens=5000), cache=tmp_path / "cache")
        first = model.complete([asked("Write a C function.", count=2), asked("Say yes.")])
        spent = [item.completion_tokens for answer in first for item in answer]
        assert [len(answer) for answer in first] == [2, 1]
        assert all(item.finish in ("stop", "length") for answer in first for item in answer), first
        assert all(0 < tokens <= 12 for tokens in spent)
        assert first[0][0].text != first[0][1].text
    # The server is gone, and what it said is still known.
    again = open_model(spec, limits=Limits(), cache=tmp_path / "cache").complete(
        [asked("Write a C function.", count=2), asked("Say yes.")]
    )
    assert [[item.text for item in answer] for answer in again] == [
        [item.text for item in answer] for answer in first
    ]


KERNEL = """__global__ void wrap(unsigned *counters, const unsigned char *keys, int n, unsigned limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    (void)(i < n && atomicInc(&counters[keys[i]], limit));
}
int main() { return 0; }
"""


@pytest.mark.thorough
@pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here")
def test_nothing_that_the_small_model_gets_wrong_is_kept(tmp_path: Path, fresh_cache: Path) -> None:
    small_model.skip_where_missing()
    root, out = tmp_path / "source", tmp_path / "port"
    root.mkdir()
    (root / "wrap.cu").write_text(KERNEL)
    with small_model.serving(tmp_path / "server.log") as spec:
        models = ModelOptions(use=(spec,), samples=1, repairs=1, answer_tokens=64)
        options = PortOptions(cache=fresh_cache, out=out, models=models, jobs=2, prove=0)
        port = pipeline.port(root, options, Silent())
    [evidence] = port.evidence
    asked = [item for item in evidence.attempts if isinstance(item.origin, ByModel)]
    # It is far too small to be right: the rules' refusal stands beside what became of its answers.
    assert asked and not any(isinstance(item.verdict, Passed) for item in asked)
    assert {item.origin.model for item in asked if item.origin} == {spec}
    assert {item.origin.round for item in asked if isinstance(item.origin, ByModel)} == {0, 1}
    assert not evidence.kept(Level.TESTED)
    assert port.built and port.exit_status == 1
    assert "simt::launch" in (out / "wrap.cpp").read_text() or "__global__" in (out / "wrap.cpp").read_text()
