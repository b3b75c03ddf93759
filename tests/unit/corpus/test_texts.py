"""Texts are those of their seed and number, in both languages, and seldom the same twice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from transpile.code.syntax import find, parse
from transpile.corpus.judging import written
from transpile.corpus.kinds import KINDS
from transpile.corpus.texts import made

MANY = 400


@pytest.mark.parametrize("dialect", ["c", "cuda"])
def test_a_text_is_that_of_its_number_whatever_else_is_made(dialect: str) -> None:
    assert made(3, 17, dialect) == made(3, 17, dialect)
    assert made(3, 17, dialect) != made(4, 17, dialect)


def test_all_classes_take_turns_and_few_texts_are_alike() -> None:
    texts = [made(0, index, "cuda") for index in range(MANY)]
    assert {item.kind for item in texts[: len(KINDS)]} == set(KINDS)
    assert len({item.text for item in texts}) > 0.99 * MANY


@pytest.mark.parametrize("index", range(0, 60, 3))
def test_both_languages_have_the_same_function(index: int) -> None:
    one, other = made(1, index, "c"), made(1, index, "cuda")
    assert one.kind == other.kind and one.name == other.name
    assert _head(one.text) == _head(other.text).replace("__global__ ", "")
    for text in (one.text, other.text):
        [definition] = find(parse(text.replace("__global__ ", "")), "function_definition")
        assert not definition.has_error and len(text) > definition.end_byte - definition.start_byte


def _head(text: str) -> str:
    return re.sub(r"\s+", " ", text.partition("{")[0])


def test_a_kernel_joins_elements_atomically() -> None:
    texts = [
        made(2, index, "cuda").text for index in range(MANY) if made(2, index, "cuda").kind == "histogram"
    ]
    assert texts and all("atomicAdd(&" in text and "+=" not in text.replace("i +=", "") for text in texts)


def test_what_stands_on_disk_stays_and_numbers_go_on(tmp_path: Path) -> None:
    first = list(written(tmp_path, seed=5, first=0, count=4, dialect="c"))
    first[0][0].write_text("changed")
    again = list(written(tmp_path, seed=5, first=2, count=4, dialect="c"))
    assert [path for path, _ in again[:2]] == [path for path, _ in first[2:]]
    assert first[0][0].read_text() == "changed" and len(list(tmp_path.iterdir())) == 6
