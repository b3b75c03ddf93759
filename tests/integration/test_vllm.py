"""vLLM itself, offline and as a server, on a CPU with the small model: minutes, so it is opted into."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.integration import small_model
from transpile.translators.models import Completion, Limits, Message, Model, Request, open_model

pytestmark = [pytest.mark.integration, pytest.mark.vllm]
pytest.importorskip("vllm", reason="vLLM is not installed: `make test-vllm` does it")

SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {"n": {"type": "integer", "maximum": 99}},
        "required": ["n"],
        "additionalProperties": False,
    }
)


def asked(text: str, **fields: object) -> Request:
    given = {"max_tokens": 24, **fields}
    return Request(messages=(Message(role="user", content=text),), **given)  # type: ignore[arg-type]


REQUESTS = [
    asked("Write a C function that adds two arrays.", count=3),
    asked("x " * 9000),
    asked("Say a number.", schema=SCHEMA),
]


def test_vllm_answers_offline() -> None:
    answers = open_model(f"vllm:{small_model.directory()}", limits=Limits(), cache=None).complete(REQUESTS)
    _judge(answers)
    assert answers[0][0].prompt_tokens > 30
    assert "the model takes 8192" in answers[1][0].message


def test_vllm_answers_behind_its_server(tmp_path: Path) -> None:
    options = ["--max-model-len", "8192", "--enforce-eager", "--dtype", "bfloat16"]
    # Else a small model fills its JSON with blanks until it is cut off.
    compact = ["--structured-outputs-config", '{"backend": "guidance", "disable_any_whitespace": true}']
    directory = str(small_model.directory())
    command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", directory]
    log = tmp_path / "server.log"
    with small_model.served([*command, *options, *compact], {"VLLM_CPU_KVCACHE_SPACE": "1"}, log) as url:
        model: Model = open_model(f"openai:{directory}@{url}/v1", limits=Limits(), cache=None)
        answers = model.complete(REQUESTS)
    _judge(answers)
    assert "HTTP 400" in answers[1][0].message


def _judge(answers: list[tuple[Completion, ...]]) -> None:
    several, long, structured = answers
    assert len({answer.text for answer in several}) == 3
    assert all(answer.finish in ("stop", "length") for answer in several), several
    assert all(answer.completion_tokens <= 24 for answer in several)
    assert long[0].finish == "error"
    assert set(json.loads(structured[0].text)) == {"n"}
