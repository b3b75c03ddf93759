"""Conditions that come out alike in every call, by the numbers that calls pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.testers.oracle.settled import settled_conditions

_CALLED = """__device__ float of(float x, const int levels) {
    if (LEVELS) x *= 2;
    return x;
}
"""


def lines(text: str, root: Path) -> dict[int, int]:
    (root / "a.cu").write_text(f"#include <cuda_runtime.h>\n{text}")
    source = parsers.read(root)
    unit = next(item for item in source.units if item.name == "f")
    return {line: count for (_, line), count in settled_conditions(source, unit).items()}


def settled(condition: str, calls: str, root: Path, called: str = _CALLED) -> int:
    text = called.replace("LEVELS", condition)
    kernel = f"__global__ void f(float *x, int n) {{ {calls} }}"
    return lines(f"{text}{kernel}", root).get(3, 0)


@pytest.mark.parametrize(
    ("condition", "count"),
    [
        ("2 <= levels", 1),
        ("levels > 4", 1),
        ("levels != 3", 1),
        ("3 <= levels", 0),
        ("levels == 4", 0),
        ("levels", 0),
        ("levels > 1 && x > 0", 0),
        ("levels > 1000", 0),
    ],
)
def test_all_calls_decide_alike(condition: str, count: int, tmp_path: Path) -> None:
    assert settled(condition, "x[0] = of(x[0], 2) + of(x[1], 4);", tmp_path) == count


@pytest.mark.parametrize(
    "calls",
    [
        "x[0] = of(x[0], n);",
        "x[0] = of(x[0], 2) + of(x[0], n);",
        "x[0] = of(x[0], 2 + n);",
        "float (*g)(float, int) = of; x[0] = of(x[0], 2) + g(x[1], n);",
    ],
)
def test_a_call_that_passes_something_else_decides_nothing(calls: str, tmp_path: Path) -> None:
    assert settled("1 <= levels", calls, tmp_path) == 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("const int levels", "int levels"),
        ("const int levels", "const float levels"),
        ("    if", "    {int levels = 0; x += levels;} if"),
    ],
)
def test_a_parameter_may_be_another_number_by_then(before: str, after: str, tmp_path: Path) -> None:
    assert settled("1 <= levels", "x[0] = of(x[0], 2);", tmp_path, _CALLED.replace(before, after)) == 0


def test_arguments_of_templates_are_no_arguments(tmp_path: Path) -> None:
    called = "template <int size> " + _CALLED
    assert settled("1 <= levels", "x[0] = of<2>(x[0], 0) + of<3>(x[0], 5);", tmp_path, called) == 0
    assert settled("9 > levels", "x[0] = of<2>(x[0], 0) + of<3>(x[0], 5);", tmp_path, called) == 1


def test_conditions_that_barriers_make_two_of_count_twice(tmp_path: Path) -> None:
    called = """__device__ int scan(int v, volatile int *s, const int levels) {
    int i = 2 * threadIdx.x;
    s[i] = v;
    if (0 <= levels) s[i] += s[i - 1];
    return s[i];
}
"""
    kernel = "__global__ void f(int *x) { __shared__ int s[64]; x[threadIdx.x] = scan(x[0], s, 4); }"
    assert lines(called + kernel, tmp_path) == {5: 2}
