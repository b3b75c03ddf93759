"""Constant expressions of a text."""

from __future__ import annotations

import pytest

from transpile.testers.text.folding import folded


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("if (n == (1u << 20) + 7) ;", 1048583.0),
        ("const int tile = 300; if (n == tile * 11) ;", 3300.0),
        ("enum { A = 7 }; n = A * 1000;", 7000.0),
        ("i == 0x40 * 3;", 192.0),
        ("n > 4000 / 3;", 1333.0),
        ("n < 'd' * 16962 + 82;", 1696282.0),
        ("n == -2147483647 - 1;", -2147483648.0),
        ("n > (int)1e3 * 256;", 256000.0),
        ("n -= n >> 20;", 1048576.0),
        ("n == (int)sizeof(double) * 4857 + 4;", 38860.0),
        ("n == sizeof(unsigned long long) * 1000;", 8000.0),
        ("for (int i = 0; i < n; i++) y[i] = i >> 9;", 512.0),
    ],
)
def test_constant_expressions_have_their_values(text: str, value: float) -> None:
    assert value in folded(b"void f(int n) { %s }" % text.encode())


@pytest.mark.parametrize(
    "text", ["n * 2", "1 / 0", "1 << 900", "1.5 * 2", "n * 1e300", "n >> 3", "9999999999 * 9999999999"]
)
def test_others_have_none(text: str) -> None:
    assert folded(b"int f(int n) { return %s; }" % text.encode()) == ()
