"""Scripts answer in order, by pattern, and say when they have nothing left."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile.errors import UsageError
from transpile.translators.models import Limits, Message, Model, Request, open_model


def model(tmp_path: Path, *lines: str) -> Model:
    script = tmp_path / "script.jsonl"
    script.write_text("\n".join(lines))
    return open_model(f"scripted:{script}", limits=Limits(), cache=None)


def asked(text: str, count: int = 1) -> Request:
    return Request(messages=(Message(role="user", content=text),), count=count)


def test_answers_come_in_order(tmp_path: Path) -> None:
    scripted = model(tmp_path, '{"answers": ["one", "two", "three"]}')
    first, second = scripted.complete([asked("a", count=2), asked("b")])
    assert [answer.text for answer in (*first, *second)] == ["one", "two", "three"]
    assert {answer.finish for answer in first} == {"stop"}
    assert first[0].model == scripted.name


def test_a_script_that_is_used_up_says_so(tmp_path: Path) -> None:
    scripted = model(tmp_path, '{"answers": ["one"]}')
    [[_, over]] = scripted.complete([asked("a", count=2)])
    assert over.finish == "error"
    assert "no answer left" in over.message


def test_a_pattern_on_the_last_message_chooses_its_line(tmp_path: Path) -> None:
    scripted = model(
        tmp_path, '{"answers": ["other"]}', '{"pattern": "axpy", "answers": ["for axpy", "again"]}'
    )
    answers = [answer.text for [answer] in scripted.complete([asked("axpy"), asked("dot"), asked("axpy")])]
    assert answers == ["for axpy", "other", "again"]


def test_an_answer_may_be_cut_off_or_an_error(tmp_path: Path) -> None:
    scripted = model(tmp_path, '{"answers": [{"text": "half", "finish": "length", "prompt_tokens": 7}]}')
    [[answer]] = scripted.complete([asked("a")])
    assert (answer.text, answer.finish, answer.prompt_tokens) == ("half", "length", 7)
    assert answer.model == scripted.name


@pytest.mark.parametrize("line", ["prose", "{}", '{"answers": 3}', '{"answers": [], "pattern": "("}'])
def test_a_line_that_is_no_script_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(UsageError, match=r"script\.jsonl:2"):
        model(tmp_path, '{"answers": []}', line)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        open_model(f"scripted:{tmp_path / 'none'}", limits=Limits(), cache=None)
