"""Fits: the expression behind observed numbers, or nothing; never one that a held-out row refutes."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

import numpy as np
import pytest

from transpile.contracts.fitting.fit import bound, fit
from transpile.contracts.fitting.quotients import quotient
from transpile.contracts.text.polynomial import Polynomial
from transpile.expressions import evaluate, names


def rows_of(count: int, variables: str, low: int = 1, high: int = 13, seed: int = 7) -> list[dict[str, int]]:
    generator = random.Random(seed)
    return [{name: generator.randint(low, high) for name in variables.split()} for _ in range(count)]


@pytest.mark.parametrize(
    ("expression", "variables"),
    [
        ("7", "n m"),
        ("n", "n m k"),
        ("3*n+1", "n m"),
        ("n*m", "n m k"),
        ("(n-1)*ld+m", "n m ld"),
        ("(d*h+h)*w - 1", "d h w"),
        ("n - m + k", "n m k"),
        ("n*(n+1)/2", "n m"),
        ("(h+2*p)*(w+2*p)*d", "h w d p"),
        ("(n+255)/256", "n m"),
        ("4*(n/4)", "n m"),
        ("(n+gridDim.x-1)/gridDim.x", "n gridDim.x"),
        ("min(n, m)", "n m k"),
        ("max(n*m, k+1)", "n m k"),
        ("4096*max(n, m)", "n m k"),
        ("((n-1)/c*w + 5)*s", "n c w s"),
        ("(a-1)*s + w*((b-1)*s + h*(c-1)) + 1", "a b c s w h"),
    ],
)
def test_finds_the_expression(expression: str, variables: str) -> None:
    rows = rows_of(80, variables)
    if "255" in expression or "4*(" in expression:
        rows = [{name: 97 * value for name, value in row.items()} for row in rows]
        rows = [{name: value + index for name, value in row.items()} for index, row in enumerate(rows)]
    found = fit(rows, [evaluate(expression, row) for row in rows], variables.split())
    assert found is not None, expression
    fresh = rows_of(50, variables, seed=8)
    assert [evaluate(found.text, row) for row in fresh] == [evaluate(expression, row) for row in fresh], (
        found.text
    )
    assert found.names <= names(expression)
    assert found.held_out >= 8


def test_few_rows_tell_what_is_linear_in_many_names() -> None:
    rows = rows_of(19, "a b c d e f g h")
    values = [5 * row["a"] + 65 * row["c"] + 845 * row["h"] + row["e"] - 3 for row in rows]
    found = fit(rows, values, list("abcdefgh"))
    assert found is not None and found.names == frozenset("aceh")


def test_no_power_goes_through_as_few_values_as_it_always_could() -> None:
    rows = [{**row, "k": 2 + turn % 3} for turn, row in enumerate(rows_of(60, "n m"))]
    values = [5 * row["n"] + 65 * row["m"] + 845 * max(row["k"], 3) for row in rows]
    found = fit(rows, values, ["n", "m", "k"])
    assert found is None or "k * k" not in found.text


def noise(row: Mapping[str, int]) -> int:
    return (row["n"] * 7919 + row["m"] * 104729) % 101


def xor(row: Mapping[str, int]) -> int:
    return row["n"] ^ row["m"]


@pytest.mark.parametrize("function", [noise, xor])
def test_claims_nothing_about_what_it_cannot_express(function: Callable[[Mapping[str, int]], int]) -> None:
    rows = rows_of(40, "n m k")
    assert fit(rows, [function(row) for row in rows], ["n", "m", "k"]) is None


def test_a_held_out_row_refutes() -> None:
    rows = rows_of(16, "n m")
    values = [row["n"] for row in rows]
    assert fit(rows, values, ["n", "m"]) is not None
    values[7] += 1
    assert fit(rows, values, ["n", "m"]) is None


def test_too_few_rows_prove_nothing() -> None:
    rows = rows_of(4, "n")
    assert fit(rows, [row["n"] for row in rows], ["n"]) is None


def test_prefers_the_earlier_name() -> None:
    rows = [{"n": n, "gridDim.x": n} for n in range(1, 20)]
    found = fit(rows, list(range(1, 20)), ["n", "gridDim.x"])
    assert found is not None and found.text == "n"


@pytest.mark.parametrize(
    ("terms", "text"),
    [
        ({("ld", "n"): 1, ("ld",): -1, ("m",): 1}, "ld * (n - 1) + m"),
        ({("n",): 1, (): -1}, "n - 1"),
        ({("n",): 1, (): 1}, "n + 1"),
        ({(): 0}, "0"),
        ({("n",): -1, (): 3}, "3 - n"),
    ],
)
def test_text_is_short(terms: dict[tuple[str, ...], int], text: str) -> None:
    assert Polynomial.of(terms).text() == text


@pytest.mark.parametrize(
    ("expression", "variables"),
    [
        ("min(g, (n + b - 1) / b) * 3 / 2", "n g b"),
        ("(n - 1) / m * k + (n - 1) % m + f", "n m k f"),
    ],
)
def test_a_bound_holds_where_nothing_fits(expression: str, variables: str) -> None:
    rows = rows_of(60, variables)
    values = [evaluate(expression, row) for row in rows]
    found = bound(rows, values, variables.split())
    assert found is not None
    fresh = rows_of(400, variables, seed=8)
    held = [evaluate(found.text, row) >= evaluate(expression, row) for row in fresh]
    assert sum(held) > 0.98 * len(held)


def test_a_bound_that_is_far_off_is_none() -> None:
    rows = rows_of(60, "n m", low=40, high=60)
    assert bound(rows, [1 + index % 2 for index in range(60)], ["n", "m"]) is None


def test_a_number_that_is_taken_apart_bounds_by_the_planes_that_it_fills() -> None:
    rows = [{**row, "n": row["n"] ** 2} for row in rows_of(90, "n h w k l", high=9)]

    def furthest(row: Mapping[str, int]) -> int:
        plane = row["h"] * row["w"]
        squares = row["k"] ** 2
        return max((i // plane * squares + squares - 1) * plane + i % plane for i in range(row["n"])) + 1

    found = bound(rows, [furthest(row) for row in rows], ["n", "h", "w", "k", "l"])
    assert found is not None
    assert found.text == "((n + h * w - 1) / (h * w)) * h * w * k * k"


def test_few_shapes_of_blocks_tell_what_depends_on_grid_and_block() -> None:
    shapes = [(8, 8), (16, 4), (32, 1), (1, 32)]
    rows = [
        {**row, "bx": shapes[index % 4][0], "by": shapes[index % 4][1]}
        for index, row in enumerate(rows_of(30, "gx gy", high=6))
    ]
    expression = "(32 * gx - 32 + bx - 1) * 32 * gx + 32 * gy + by"
    found = fit(rows, [evaluate(expression, row) for row in rows], ["gx", "gy", "bx", "by"])
    assert found is not None
    fresh = [{"gx": 9, "gy": 7, "bx": bx, "by": by} for bx, by in shapes]
    assert [evaluate(found.text, row) for row in fresh] == [evaluate(expression, row) for row in fresh]


def test_few_rows_tell_a_product_of_many_names() -> None:
    rows = rows_of(9, "a b c d e f")
    found = fit(
        rows, [3 * row["a"] * row["b"] * row["d"] * row["e"] * row["f"] for row in rows], list("abcdef")
    )
    assert found is not None and found.text == "3 * a * b * d * e * f"


def test_what_does_not_fit_is_not_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of(40, "a b c d e f g h")
    values = np.array([row["a"] ** 3 % 11 for row in rows], dtype=np.int64)
    monkeypatch.delattr(Polynomial, "text")
    assert not list(quotient(rows, values, tuple("abcdefgh")))
