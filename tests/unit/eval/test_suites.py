"""Suites are known by their rows; what is none is refused with what is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from transpile.core import CUDA, OPENMP
from transpile.errors import UsageError
from transpile.eval.suites import BUILT_IN, load

KERNEL = "__global__ void k(int n, float *x) { if (threadIdx.x < n) x[threadIdx.x] = 1; }"
ROW: dict[str, Any] = {
    "id": "one",
    "target_lang": "c",
    "source": KERNEL,
    "reference": "void f(int n, float *x) {}",
    "tests": [
        {"call": "wrapper(f, 1, x)", "stdout": "", "robust": True},
        {"call": "wrapper(f, 1, x)", "stdout": "", "robust": False},
    ],
    "source_tests": [],
    "c_entry": "f",
    "cuda_entry": "k",
    "cuda_wrapper": "",
}


def _file(place: Path, *rows: object) -> str:
    path = place / "items.jsonl"
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows))
    return str(path)


def test_items_with_and_without_a_robust_test_are_told_apart(tmp_path: Path) -> None:
    fickle = ROW | {"id": "two", "tests": ROW["tests"][1:]}
    found = load(_file(tmp_path, ROW, "", fickle))
    assert found.target == OPENMP and [item.suffix for item in found.items] == [".cu", ".cu"]
    assert [(item.test is not None, bool(item.untested)) for item in found.items] == [
        (True, False),
        (False, True),
    ]


def test_the_way_to_cuda_asks_the_tests_of_the_c_function(tmp_path: Path) -> None:
    row = ROW | {"target_lang": "cuda", "source": "void f(int n, float *x) {}"}
    found = load(_file(tmp_path, row))
    assert found.target == CUDA and found.items[0].unit == "f" and found.items[0].untested


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "holds no items"),
        (["{"], "items.jsonl:1 is no JSON"),
        (["[" * 100_000], "items.jsonl:1 is no JSON"),
        (["[]"], "is no object"),
        ([{"id": "one"}], "of no kind"),
        ([ROW, {"id": "one"}], "of no kind"),
        ([ROW, ROW], "two items are called 'one'"),
        ([{name: value for name, value in ROW.items() if name != "reference"}], "a row lacks"),
    ],
)
def test_what_is_no_suite_is_refused(tmp_path: Path, rows: list[object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        load(_file(tmp_path, *rows))


def test_there_is_no_suite_of_another_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no suite"):
        load(str(tmp_path / "nothing"))


@pytest.mark.parametrize("name", BUILT_IN)
def test_each_algorithm_has_a_test(name: str) -> None:
    found = load(name)
    assert len(found.items) == 6 and all(item.test and item.unit in item.text for item in found.items)
