from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli import ports
from tests.unit.evolution.making import (
    ASKED,
    OPENING,
    REFUSED,
    lines,
    member,
    played,
    sample,
    written,
)
from transpile.evolution import exports
from transpile.evolution.records import Chronicle, UnitRound

RIGHT, OTHER = sample("a = 1", ports.PASSED), sample("a = 1 + 0", ports.PASSED, 1)
WRONG, PROSE = sample("a = 2", ports.FALSIFIED, 2), sample("I cannot.", REFUSED, 3)
DOUBTFUL = sample("a = 3", ports.UNDECIDED)
FILES = (
    "translator-sft.jsonl",
    "translator-preferences.jsonl",
    "tester-sft.jsonl",
    "tester-preferences.jsonl",
)


def exported(root: Path, *rounds: UnitRound) -> list[dict[str, list[dict[str, Any]]]]:
    """Return what each round exports, by the name of the file without its ending."""
    chronicle = Chronicle(root)
    for number in range(1, len(rounds) + 1):
        exports.write(chronicle, number, {"0": rounds}, [member()])
    return [
        {name.removesuffix(".jsonl"): lines(chronicle.directory(number) / name) for name in FILES}
        for number in range(1, len(rounds) + 1)
    ]


def taught(rows: list[dict[str, Any]]) -> list[str]:
    return [row["messages"][-1]["content"] for row in rows]


def pairs(rows: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(row["chosen"][0]["content"], row["rejected"][0]["content"]) for row in rows]


def test_what_is_kept_is_taught_over_what_is_refuted(tmp_path: Path) -> None:
    [found] = exported(tmp_path, played(1, WRONG, PROSE, RIGHT, DOUBTFUL, OTHER, standing=(RIGHT, OTHER)))
    assert taught(found["translator-sft"]) == [RIGHT.text, OTHER.text]
    assert pairs(found["translator-preferences"]) == [(RIGHT.text, WRONG.text), (RIGHT.text, PROSE.text)]
    [lesson, _] = found["translator-sft"]
    assert [turn["role"] for turn in lesson["messages"]] == ["system", "user", "assistant"]
    [pair, _] = found["translator-preferences"]
    assert [turn["content"] for turn in pair["prompt"]] == [item.content for item in OPENING]
    assert pair["rejected_reason"] and pair["unit"] == member().unit.id


def test_nothing_is_preferred_where_nothing_is_kept(tmp_path: Path) -> None:
    [found] = exported(tmp_path, played(1, WRONG, PROSE, DOUBTFUL))
    assert found["translator-sft"] == found["translator-preferences"] == []


def test_the_same_answer_in_another_layout_counts_once(tmp_path: Path) -> None:
    again, wrong = sample("a  =  1", ports.PASSED, 1), sample("a  = 2", ports.FALSIFIED, 3)
    [found] = exported(tmp_path, played(1, RIGHT, again, WRONG, wrong, standing=(RIGHT, again)))
    assert taught(found["translator-sft"]) == [RIGHT.text]
    assert pairs(found["translator-preferences"]) == [(RIGHT.text, WRONG.text)]


def test_a_round_exports_what_it_adds(tmp_path: Path) -> None:
    first, second, third = exported(
        tmp_path,
        played(1, WRONG),
        played(2, WRONG, PROSE, RIGHT, standing=(RIGHT,)),
        played(3, RIGHT, WRONG, OTHER, standing=(RIGHT, OTHER)),
    )
    assert not any(first.values())
    assert taught(second["translator-sft"]) == [RIGHT.text]
    assert pairs(second["translator-preferences"]) == [(RIGHT.text, WRONG.text), (RIGHT.text, PROSE.text)]
    assert taught(third["translator-sft"]) == [OTHER.text]
    assert third["translator-preferences"] == []


def test_what_fell_later_is_taught_by_no_round(tmp_path: Path) -> None:
    fallen = sample(RIGHT.text, ports.FALSIFIED)
    first, second = exported(
        tmp_path,
        played(1, RIGHT, WRONG, standing=(RIGHT,)),
        played(2, OTHER, standing=(OTHER,), fallen=(fallen,)),
    )
    assert not any(first.values())
    assert taught(second["translator-sft"]) == [OTHER.text]
    assert pairs(second["translator-preferences"]) == [(OTHER.text, RIGHT.text), (OTHER.text, WRONG.text)]


def test_what_a_later_test_settles_is_taught_then(tmp_path: Path) -> None:
    passed, refuted = sample(DOUBTFUL.text, ports.PASSED), sample("a = 4", ports.FALSIFIED)
    first, second = exported(
        tmp_path,
        played(1, DOUBTFUL, sample("a = 4", ports.UNDECIDED)),
        played(2, standing=(passed,), settled=(passed, refuted)),
    )
    assert not any(first.values())
    assert taught(second["translator-sft"]) == [DOUBTFUL.text]
    assert pairs(second["translator-preferences"]) == [(DOUBTFUL.text, "a = 4")]


def test_tests_that_count_are_taught_over_the_others(tmp_path: Path) -> None:
    tests = written("invalid", "admitted", "useless", "admitted", "invalid")
    [found] = exported(tmp_path, played(1, WRONG, tests=tests))
    [lesson] = found["tester-sft"]
    assert [turn["content"] for turn in lesson["messages"][:-1]] == [item.content for item in ASKED]
    assert numbers(taught([lesson])[0]) == [1, 3]
    assert [(numbers(good), numbers(bad)) for good, bad in pairs(found["tester-preferences"])] == [
        ([1, 3], [0, 4]),
        ([1, 3], [2]),
    ]


def test_without_a_test_that_counts_the_tester_learns_nothing(tmp_path: Path) -> None:
    [found] = exported(tmp_path, played(1, RIGHT, tests=written("invalid", "useless"), standing=(RIGHT,)))
    assert found["tester-sft"] == found["tester-preferences"] == []


def numbers(answer: str) -> list[int]:
    return [test["scalars"]["n"] for test in json.loads(answer)["tests"]]


def test_the_hugging_face_library_reads_every_file(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="extra hf is not installed")
    tests = written("invalid", "admitted", "useless")
    rounds = (played(1, WRONG, PROSE, RIGHT, tests=tests, standing=(RIGHT,)),)
    exported(tmp_path, *rounds)
    for name in FILES:
        loaded = datasets.load_dataset(
            "json",
            data_files=str(tmp_path / "round-1" / name),
            cache_dir=str(tmp_path / "cache"),
            split="train",
        )
        turns = loaded[0]["messages" if name.endswith("sft.jsonl") else "prompt"]
        assert set(turns[0]) == {"role", "content"}
