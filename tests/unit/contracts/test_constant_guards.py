"""Launch laws of kernels whose guards are constants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.unit.contracts.fake import FakeTracer, Kernel, Thread, subject
from transpile.contracts.launches.constant_guards import constant_cover
from transpile.contracts.probing.batches import drive
from transpile.contracts.probing.probe import Asking, Filling, unknown
from transpile.core import Covers, Inconclusive

X = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
XY = f"{X} int j = blockIdx.y * blockDim.y + threadIdx.y;"
Call = Mapping[str, Any]


def found(text: str, kernel: Kernel, declaration: str = "float *x, float *y") -> Covers | None:
    made = subject(declaration, f"__global__ void k({declaration}) {{ {text} }}")
    answers: list[Covers | None] = []

    def asking() -> Asking[Inconclusive]:
        answers.append((yield from constant_cover(made, dict.fromkeys(made.integers, 5), 0, [Filling()])))
        return unknown("nothing else is asked")

    drive(FakeTracer(kernel), [(made, asking())])
    return answers[0]


def guarded(t: Thread, a: Call) -> None:
    if t.at() < 300:
        a["y"][t.at()] = a["x"][t.at()]


def flat(t: Thread, a: Call) -> None:
    if t.at() < 20 and t.at(1) < 17:
        a["y"][t.at(1) * 20 + t.at()] = 1


def strided(t: Thread, a: Call) -> None:
    for i in range(t.at(), 300, t.total()):
        a["y"][i] = a["x"][i]


def unguarded(t: Thread, a: Call) -> None:
    a["y"][t.at() % 500] = a["x"][t.at() % 500] + t.grid_dim[0]


def test_as_many_threads_cover_as_guards_let_through() -> None:
    assert found(f"{X} if (i >= 15 * 20) return; y[i] = x[i];", guarded) == Covers(x="300")
    assert found(f"{XY} if (i < 20 && j < 17) y[j * 20 + i] = 1;", flat) == Covers(x="20", y="17")


@pytest.mark.parametrize(
    ("text", "kernel"),
    [
        (f"{X} if (i >= 300) return; y[i] = x[i];", strided),
        (f"{X} if (i >= 300) return; y[i] = x[i];", unguarded),
        (f"{X} y[i] = x[i];", guarded),
    ],
)
def test_where_others_do_as_much_or_more_there_is_none(text: str, kernel: Kernel) -> None:
    assert found(text, kernel) is None


def test_where_a_scalar_is_the_guard_there_is_none() -> None:
    text = f"{X} if (i >= n || i >= 300) return; y[i] = x[i];"
    assert found(text, guarded, "int n, float *x, float *y") is None
