"""Expressions: C semantics, texts that survive a round trip, refusal of everything else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transpile.expressions import (
    ExpressionError,
    ceil_div,
    divisors,
    evaluate,
    names,
    parse,
    substitute,
    to_text,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(n-1)*ld+m", 4 * 7 + 3),
        ("min(n, gridDim.x * blockDim.x)", 5),
        ("max(n,m,9)", 9),
        ("n/2", 2),
        ("-n/2", -2),
        ("-n%2", -1),
        ("n % ld", 5),
        ("n - m - 1", 1),
        ("n - (m - 1)", 3),
        ("n < ld", 1),
        ("n >= ld || m == 3", 1),
        ("!(m == 3) && n", 0),
        ("2*-m", -6),
        ("p.width + 1", 12),
        ("2 * s[1] - p.t[0]", 3),
        ("n * m / 2 % 4", 3),
    ],
)
def test_value(text: str, value: int) -> None:
    environment = {
        "n": 5,
        "ld": 7,
        "m": 3,
        "gridDim.x": 2,
        "blockDim.x": 4,
        "p.width": 11,
        "s[1]": 4,
        "p.t[0]": 5,
    }
    assert evaluate(text, environment) == value
    assert evaluate(to_text(parse(text)), environment) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "n +",
        "(n",
        "n m",
        "f(n)",
        "__import__('os')",
        "n[0]",
        "1.5",
        "n ** 2",
        "1" * 3000,
        "(" * 900 + "1",
    ],
)
def test_refuses_what_is_not_an_expression(text: str) -> None:
    with pytest.raises(ExpressionError):
        evaluate(text, {"n": 1, "m": 1, "f": 1})


@pytest.mark.parametrize("text", ["n / m", "n % m", "unknown"])
def test_has_no_value(text: str) -> None:
    with pytest.raises(ExpressionError):
        evaluate(text, {"n": 1, "m": 0})


def test_names() -> None:
    assert names("min(n, gridDim.x * 4) + p.x - 1") == {"n", "gridDim.x", "p.x"}


def test_divisors_are_the_numbers_that_parts_are_divided_by() -> None:
    assert divisors("min((n + 255) / 256, m / (8 * 2)) - n / m % 3") == {256, 16}
    assert divisors("-(n / 2)") == {2} and not divisors("n * 4")


def test_substitute_keeps_structure() -> None:
    assert substitute("a * b", {"a": "n + 1"}) == "(n + 1) * b"
    assert substitute("a - b", {"b": "n - 1"}) == "a - (n - 1)"


def test_ceil_div() -> None:
    assert [evaluate(ceil_div("n", "4"), {"n": n}) for n in (0, 1, 4, 5)] == [0, 1, 1, 2]
    assert evaluate(ceil_div("n+1", "b"), {"n": 8, "b": 3}) == 3
    assert ceil_div("n", "1") == "n"


_trees = st.recursive(
    st.one_of(st.integers(0, 50).map(str), st.sampled_from(["n", "m", "k.x"])),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "%", "<", "==", "&&", "||"]), inner).map(
            lambda parts: f"({parts[0]}){parts[1]}({parts[2]})"
        ),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda p: f"{p[0]}({p[1]},{p[2]})"),
        inner.map(lambda text: f"-({text})"),
    ),
    max_leaves=12,
)


@given(_trees, st.integers(-9, 9), st.integers(-9, 9), st.integers(-9, 9))
def test_text_round_trip(text: str, n: int, m: int, k: int) -> None:
    environment = {"n": n, "m": m, "k.x": k}
    try:
        value: int | None = evaluate(text, environment)
    except ExpressionError:
        value = None
    short = to_text(parse(text))
    assert to_text(parse(short)) == short
    if value is not None:
        assert evaluate(short, environment) == value
