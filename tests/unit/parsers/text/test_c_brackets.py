"""Words of C in the brackets of parameters."""

from __future__ import annotations

import pytest

from transpile.parsers.text import c_brackets


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (
            b"void f(int n, double a[restrict], const int b[static 8][4])",
            b"void f(int n, double a[], const int b[][4])",
        ),
        (b"void f(double a[const static n * 2])", b"void f(double a[])"),
        (b"double a[8], b[restricted]; a[constant] = 1;", b"double a[8], b[restricted]; a[constant] = 1;"),
    ],
)
def test_promises_are_left_out(text: bytes, plain: bytes) -> None:
    assert c_brackets.without(text) == plain
