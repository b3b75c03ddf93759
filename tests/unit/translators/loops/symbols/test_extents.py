"""Lengths of arrays as C."""

from __future__ import annotations

import pytest

from transpile.translators.loops.symbols.extents import begun, factor, grouped, whole_rows


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("n", "n"),
        ("7", "7"),
        ("n * m", "((long long)n * m)"),
        ("a + b", "((long long)a + b)"),
        ("2 * n * m", "((2 * (long long)n) * m)"),
        ("1 + n", "(1 + (long long)n)"),
        ("a + b * c", "(a + (long long)b * c)"),
        ("(n - 1) * ld + m", "(((long long)n - 1) * ld + m)"),
        ("a / (b * c)", "((long long)a / ((long long)b * c))"),
        ("min(n, m)", "(((long long)n < m ? (long long)n : m))"),
        ("max(0, n - 1)", "((0 > ((long long)n - 1) ? 0 : ((long long)n - 1)))"),
    ],
)
def test_lengths_are_of_64_bits(text: str, wanted: str) -> None:
    assert grouped(text) == wanted


def test_a_factor_goes_on_with_its_own() -> None:
    assert (factor("n * m"), factor("n + m"), factor("n")) == ("n * m", "((long long)n + m)", "n")


@pytest.mark.parametrize(
    ("rows", "length", "wanted"),
    [
        ([18], "18 * (ni - 1) + nj", "ni"),
        ([18], "18 * ni", "ni"),
        ([4, 6], "24 * (n - 1) + 6 * (m - 1) + k", "n"),
        ([4, 6], "24 * n + 6 * m", "n + 1"),
        ([8], "8 * n * m", "(long long)m * n"),
        ([8], "8 * n - 16", "n - 2"),
        ([8], "8 * n - 1", "n"),
        ([8], "8 * n - 9", "n - 1"),
        ([8], "8 * n + 1", "n + 1"),
        ([18], "17 * (n - 1) + m", "n + 1"),
        ([18], "18 * n - 17 * k + m", "n + 1 - k"),
        ([20], "21 * (n - 1)", "n"),
        ([18], "9 * n", None),
        ([8], "min(n, 3)", None),
        ([8], "max(8 * n, 8 * m - 5)", "((long long)n > m ? (long long)n : m)"),
        ([8], "max(8 * n, 8 * n - 5)", "n"),
        ([8], "max(8 * n - 8, 8 * n, 8 * m, 8 * n - 16)", "((long long)n > m ? (long long)n : m)"),
        ([8], "max(8 * n * m, 24)", "(((long long)m * n) > 3 ? ((long long)m * n) : 3)"),
        ([18], "max(18 * n, 9 * m)", None),
    ],
)
def test_rows_are_counted_without_their_length(rows: list[int], length: str, wanted: str | None) -> None:
    assert whole_rows(rows, length) == wanted


@pytest.mark.parametrize(
    ("length", "wanted"),
    [
        ("8 * n - 5", ""),
        ("8 * (n - 1) + m", "m"),
        (
            "max(8 * n, 8 * m)",
            "((8 * (long long)n) > (8 * (long long)m) ? (8 * (long long)n) : (8 * (long long)m))"
            " - 8 * (((long long)n > m ? (long long)n : m) - 1)",
        ),
    ],
)
def test_whether_the_last_row_is_begun(length: str, wanted: str) -> None:
    assert begun([8], length) == wanted
