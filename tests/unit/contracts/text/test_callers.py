"""Lengths that callers pass: those that their text tells without doubt, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.contracts.text.callers import Passed, calls_of
from transpile.expressions import evaluate

CALLEE = """
#include <stdlib.h>
#define LENGTH 64
enum { ROWS = 3 };
static const int width = 5;
void f(float *a, const double *b, int n, int m) { for (int i = 0; i < n; i++) a[i] = b[i] + m; }
"""


def calls(tmp_path: Path, *callers: str, name: str = "a.c") -> tuple[Passed, ...]:
    (tmp_path / name).write_text(CALLEE + "\n".join(callers))
    source = parsers.read(tmp_path)
    unit = next(item for item in source.units if item.name == "f")
    return calls_of(source, unit, source.signatures[unit.id][0])


@pytest.mark.parametrize(
    ("body", "known", "a", "b"),
    [
        ("float a[LENGTH]; double b[ROWS][2 * width]; f(a, &b[0][0], 3, 4);", {}, 64, None),
        ("float a[] = {1, 2, 3}; double b[7] = {0}; f(a, b, 3, 4);", {}, 3, 7),
        ("float a[4]; double b[ROWS][2 * width]; f(a + 1, (double *)b, 3, 4);", {}, 3, 30),
        ("float a[4], b[8]; f(&a[2], (double *)b, 3, 4);", {}, 2, 4),
        ("float a; f(&a, 0, 3, 4);", {}, 1, None),
        (
            "float *a = (float *)malloc(n * sizeof(float)); double *b; b = calloc(n + 1, sizeof *b);"
            " f(a, b, n, 0);",
            {"n": 9},
            9,
            10,
        ),
        (
            "int k = n / 2; float *a = malloc(k * 4 * sizeof(float)), *b = a; f(b, 0, k, 0);",
            {"n": 9},
            16,
            None,
        ),
    ],
)
def test_lengths_are_read(tmp_path: Path, body: str, known: dict[str, int], a: int, b: int | None) -> None:
    [found] = calls(tmp_path, f"void g(int n) {{ {body} }}")
    assert evaluate(found.lengths["a"], known) == a
    assert ("b" in found.lengths) == (b is not None)
    assert b is None or evaluate(found.lengths["b"], known) == b


def test_scalars_are_expressions_of_what_the_caller_knows(tmp_path: Path) -> None:
    [found] = calls(
        tmp_path,
        "int main(int c, char **v) { int n = atoi(v[1]), m = LENGTH - 1; f(0, 0, n + 1, m); return 0; }",
    )
    assert evaluate(found.scalars["n"], {"n": 4}) == 5
    assert evaluate(found.scalars["m"], {}) == 63


@pytest.mark.parametrize(
    "body",
    [
        "float a[8]; int n = 4; n++; f(a, 0, n, 0);",
        "float *a = malloc(4 * n); n = 7; f(a, 0, n, 0);",
        "float a[8]; int n; if (m) n = 1; else n = 2; f(a, 0, n, 0);",
        "float a[8]; for (int n = 1; n < 9; n++) f(a, 0, n, 0);",
        "float a[8]; int n = 3; change(&n); f(a, 0, n, 0);",
        "float a[8]; { int n = 3; } int n = 5; f(a, 0, n, 0);",
        "float a[8]; f(a, 0, m ? 3 : 4, 0);",
        "float a[8]; f(a, 0, (char)300, 0);",
    ],
)
def test_a_number_that_may_change_is_unknown(tmp_path: Path, body: str) -> None:
    parameters = "int m" if "int n" in body else "int n, int m"
    [found] = calls(tmp_path, f"void change(int *x);\nvoid g({parameters}) {{ {body} }}")
    assert "n" not in found.scalars


@pytest.mark.parametrize(
    "body",
    [
        "f(p, 0, n, 0);",
        "float *a = malloc(4 * n); a++; f(a, 0, n, 0);",
        "float *a = malloc(4 * n); if (n > 3) a = p; f(a, 0, n, 0);",
        "float *a = malloc(4 * n); take(&a); f(a, 0, n, 0);",
        "float *a = n ? p : 0; f(a, 0, n, 0);",
        "float *a = p + 4; f(a, 0, n, 0);",
        "float a[] = {[9] = 1}; f(a, 0, n, 0);",
        "extern float a[]; f(a, 0, n, 0);",
        "float *rows[4]; f(rows[0], 0, n, 0);",
    ],
)
def test_a_length_that_is_not_told_is_unknown(tmp_path: Path, body: str) -> None:
    [found] = calls(tmp_path, f"void take(float **x);\nvoid g(float *p, int n) {{ {body} }}")
    assert "a" not in found.lengths


@pytest.mark.parametrize(
    "text",
    [
        "void run(void *h); void g(void) { float a[3]; f(a, 0, 3, 0); run(f); }",
        "void (*table)(float *, const double *, int, int) = f; void g(void) { float a[3]; f(a, 0, 3, 0); }",
        "#define CALL(x, k) f(x, 0, k, 0)\nvoid g(void) { float a[3]; f(a, 0, 3, 0); }",
        "float all[2]; int done = (f(all, 0, 3, 0), 1); void g(void) { float a[3]; f(a, 0, 3, 0); }",
        "void g(void) { float a[3]; f(a, 0, 3, 0); if ( } void h(void) { }",
    ],
)
def test_calls_that_may_be_elsewhere_make_all_unknown(tmp_path: Path, text: str) -> None:
    assert calls(tmp_path, text) == ()


def test_every_call_is_told_of_and_declarations_are_none(tmp_path: Path) -> None:
    found = calls(
        tmp_path,
        "void f(float *, const double *, int, int);",
        "void g(void) { float a[3]; f(a, 0, 3, 0); }",
        "void h(float *p) { f(p, 0, 3, 0); }",
    )
    assert [sorted(item.lengths) for item in found] == [["a"], []]


def test_a_reference_may_change_a_number_of_cpp(tmp_path: Path) -> None:
    [found] = calls(
        tmp_path,
        "void grow(int &n) { n *= 2; }",
        "void g(int n) { float *a = new float[n]; grow(n); f(a, nullptr, n, 0); }",
        name="a.cpp",
    )
    assert found == Passed(scalars={"m": "0"}, lengths={})
