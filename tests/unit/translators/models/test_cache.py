"""Answers are found again, cost nothing then, and a run killed at any moment leaves no half of one."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.unit.translators.models.fake import Fake, error, numbered, request, said
from transpile.errors import UsageError
from transpile.translators.models import Completion, Message
from transpile.translators.models.cache import Cached


def texts(answers: list[tuple[Completion, ...]]) -> list[list[str]]:
    return [[item.text for item in answer] for answer in answers]


def files(directory: Path) -> list[Path]:
    return [path for path in directory.rglob("*") if path.is_file()]


def test_a_repeated_request_is_not_asked_again_and_costs_nothing(tmp_path: Path) -> None:
    inner = Fake(lambda item: tuple(said(f"{n}", read=5, written=7) for n in range(item.count)))
    first = Cached(inner, tmp_path).complete([request(count=3)])
    again = Cached(inner, tmp_path).complete([request(count=3)])
    assert len(inner.asked) == 1
    assert texts(first) == texts(again)
    assert {(item.prompt_tokens, item.completion_tokens) for item in first[0]} == {(5, 7)}
    assert {(item.prompt_tokens, item.completion_tokens) for item in again[0]} == {(0, 0)}


def test_only_missing_answers_are_asked_for_with_another_seed(tmp_path: Path) -> None:
    inner = numbered()
    cached = Cached(inner, tmp_path)
    two = cached.complete([request(count=2)])
    three = cached.complete([request(count=3)])
    assert texts(three)[0][:2] == texts(two)[0]
    assert [item.count for item in inner.asked] == [2, 1]
    assert inner.asked[0].seed != inner.asked[1].seed


CHANGES: dict[str, dict[str, Any]] = {
    "temperature": {"temperature": 0.1},
    "length": {"max_tokens": 9},
    "seed": {"seed": 9},
    "schema": {"schema": "{}"},
    "role": {"messages": (Message(role="system", content="hello"),)},
    "turn": {"messages": (*request().messages, Message(role="assistant", content=""))},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_field_of_a_request_makes_it_another(tmp_path: Path, change: dict[str, Any]) -> None:
    inner = numbered()
    cached = Cached(inner, tmp_path)
    asked = [request(), replace(request(), **change)]
    cached.complete(asked)
    assert len(inner.asked) == 2
    cached.complete(asked)
    assert len(inner.asked) == 2


def test_two_models_do_not_share_answers(tmp_path: Path) -> None:
    [[one]] = Cached(numbered("one"), tmp_path).complete([request()])
    [[two]] = Cached(numbered("two"), tmp_path).complete([request()])
    assert (one.model, two.model) == ("one", "two")


def test_errors_are_not_kept(tmp_path: Path) -> None:
    answers = iter([(error("down"),), (said("up"),)])
    cached = Cached(Fake(lambda _: next(answers)), tmp_path)
    assert cached.complete([request()])[0][0].finish == "error"
    assert files(tmp_path) == []
    assert cached.complete([request()])[0][0].text == "up"


@pytest.mark.parametrize("damage", [b"", b"{", b'{"text": 3}', b"\xff"])
def test_a_damaged_file_is_no_answer(tmp_path: Path, damage: bytes) -> None:
    inner = numbered()
    cached = Cached(inner, tmp_path)
    cached.complete([request()])
    (file,) = files(tmp_path)
    file.write_bytes(damage)
    assert texts(cached.complete([request()])) == [["fake 1"]]
    assert texts(cached.complete([request()])) == [["fake 1"]]


def test_a_kill_while_writing_leaves_nothing_that_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    inner = numbered()
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            Cached(inner, tmp_path).complete([request()])
    assert texts(Cached(inner, tmp_path).complete([request()])) == [["fake 1"]]


def test_a_disk_that_is_full_costs_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert texts(Cached(numbered(), tmp_path).complete([request()])) == [["fake 0"]]
    assert files(tmp_path) == []


def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be made"):
        Cached(numbered(), tmp_path / "file" / "cache")
