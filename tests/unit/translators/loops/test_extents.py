"""Lengths of arrays as C."""

from __future__ import annotations

import pytest

from transpile.translators.loops.extents import factor, grouped


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("n", "n"),
        ("7", "7"),
        ("n * m", "((long long)n * m)"),
        ("a + b", "((long long)a + b)"),
        ("a + b * c", "(a + (long long)b * c)"),
        ("(n - 1) * ld + m", "(((long long)n - 1) * ld + m)"),
        ("a / (b * c)", "((long long)a / ((long long)b * c))"),
        ("min(n, m)", "((n < m ? n : m))"),
        ("max(0, n - 1)", "((0 > ((long long)n - 1) ? 0 : ((long long)n - 1)))"),
    ],
)
def test_lengths_are_of_64_bits(text: str, wanted: str) -> None:
    assert grouped(text) == wanted


def test_a_factor_goes_on_with_its_own() -> None:
    assert (factor("n * m"), factor("n + m"), factor("n")) == ("n * m", "((long long)n + m)", "n")
