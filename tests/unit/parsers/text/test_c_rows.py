"""Parameters of C that are as long as other parameters say, as C++ takes them."""

from __future__ import annotations

import pytest

from transpile.parsers.text.c_rows import flat

SAME = b"""void f(double a[N][M], int b[8][4], int n) { int own[n][n]; a[0][n] = own[0][n]; }
void g(int n, int (*with)(int), double *a, double b[]);
"""


def test_what_both_languages_read_stays() -> None:
    assert flat(SAME) == SAME


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (b"void f(int n, double a[n], int b[2 * n + 1]) {}", b"void f(int n, double a[], int b[]) {}"),
        (b"void f(int n, double a[n], double (*)[n]);", b"void f(int n, double a[], void *);"),
        (b"void f(int n, const double a[N][n]);", b"void f(int n, const void *);"),
        (
            b"int f(int n, int m, float a[][m]) {\n    return a[n][0]; }",
            b"int f(int n, int m, void *a__rows) { typedef float a__row[m]; a__row *a = (a__row *)a__rows;\n"
            b"    return a[n][0]; }",
        ),
        (
            b"void f(int n, const double (*restrict a)[n + 1][4]) {}",
            b"void f(int n, const void *a__rows) "
            b"{ typedef const double a__row[n + 1][4]; a__row *a = (a__row *)a__rows;}",
        ),
    ],
)
def test_rows_are_viewed_as_such_by_the_body(text: bytes, plain: bytes) -> None:
    assert flat(text) == plain
