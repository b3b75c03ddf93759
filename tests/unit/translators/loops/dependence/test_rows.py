"""Rows behind pointers: what is read through them, and what may be the same memory."""

from __future__ import annotations

import pytest

from transpile.code.syntax import Function
from transpile.code.variables import resolve
from transpile.translators.loops.analysis.analysis import nests

HEAD = (
    "double f(double **restrict a, double **b, double ***deep, double *restrict y, double *z, int n, int m)"
)
SUM = "double s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < 9; j++) s += a[i][j] * y[j]; return s;"
PRODUCT = "for (int i = 0; i < n; i++) {{ double s = 0; for (int j = 0; j < 9; j++) s += a[i][j]; {} }}"


def why_not(body: str) -> str:
    """Return why the outermost loop of a function may not run in parallel; nothing where it may."""
    function = Function(f"{HEAD} {{ {body} }}")
    [nest] = nests(function, resolve(function))
    return nest.reason or nest.loops[0].reason


@pytest.mark.parametrize(
    "body",
    [
        SUM,
        SUM.replace("y[j]", "b[j][i]"),
        SUM.replace("s += a[i][j] * y[j]", "if (fabs(a[i][j]) > s) s = fabs(a[i][j])"),
        "double **c = a; " + SUM.replace("a[i]", "c[i]"),
        PRODUCT.format("y[i] = s;"),
    ],
)
def test_rows_are_read(body: str) -> None:
    assert not why_not(body)


@pytest.mark.parametrize(
    "written",
    [
        "z[i] = s;",
        "a[i][0] = s;",
        "b[i][0] = s;",
        "a[i] = z; y[i] = s;",
        "b[i] = z; y[i] = s;",
        "double t[4]; t[0] = s;",
    ],
)
def test_rows_may_be_what_is_written(written: str) -> None:
    assert "which may overlap what is written" in why_not(PRODUCT.format(written))


@pytest.mark.parametrize("place", ["deep[i][j][0]", "(*deep)[i][j]", "c[i][j]", "d[i][j]", "e[i][j]"])
def test_other_pointers_are_not_followed(place: str) -> None:
    body = SUM.replace("a[i][j]", place)
    given = "double *c[2] = {y, z}, *d[2], **e = malloc(8); d[0] = d[1] = e[0] = z;"
    assert "not understood" in why_not(f"{given} {body}")


@pytest.mark.parametrize("length", ["9 * 2", "N / 2 * 2 + 1", "4 * (N + 1)"])
def test_rows_whose_length_is_a_product_are_no_pointers(length: str) -> None:
    head = f"void f(double a[][{length}][{length}], double b[][{length}], int n)"
    body = "for (int i = 0; i < n; i++) for (int j = 0; j < 9; j++) a[i][j][1] = b[j][i];"
    function = Function(f"#define N 8\n{head} {{ {body} }}")
    [nest] = nests(function, resolve(function))
    assert not (nest.reason or nest.loops[0].reason)
