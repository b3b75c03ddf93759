"""Arrays on the stack that grow with a variable."""

from __future__ import annotations

import pytest

from transpile.parsers.text.growing import growing


@pytest.mark.parametrize(
    "body",
    [
        "double a[n];",
        "volatile char a[n > 0 ? n : 1];",
        "const int size = n; float a[2][size];",
        "auto g = [&](int z) { int a[z]; };",
        "int k = 4; int a[k];",
    ],
)
def test_arrays_of_variable_length_are_told(body: str) -> None:
    assert {item.name for item in growing(b"void f(int n) { %s }" % body.encode())} == {"a"}


def test_memory_of_alloca_is_told() -> None:
    assert [item.name for item in growing(b"void f(int n) { char *p = (char *)alloca(n); }")] == ["alloca"]


@pytest.mark.parametrize(
    "text",
    [
        "void f(int n, double (*x)[n]) { double (*rows)[n] = x; }",
        "template <int B> void f() { const int tile = 4; constexpr int row = tile * 2; double a[row][B]; }",
        "void f(int n) { int a[TILE]; int b[3] = {n, 2, 3}; double *c[8]; char d[sizeof(int) * 3]; }",
    ],
)
def test_pointers_to_rows_and_constants_are_not(text: str) -> None:
    assert not list(growing(text.encode()))
