"""Numbers that a text cuts off, by what clang says of its expressions."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile.core import TranslationUnit
from transpile.testers.text.cut_numbers import Cut, cuts_by_namespace, cuts_in


@pytest.mark.parametrize(
    ("body", "cuts"),
    [
        ("float own = 0; int count = 0; own++; count += own; *k = count;", {Cut.ROUNDED}),
        ("*k = x[0];", {Cut.ROUNDED}),
        ("x[0] = n;", {Cut.FLOATED}),
        ("short s = 0; s += n; *k = s;", {Cut.NARROWED}),
        ("int count = 0; count += n; *k = count;", set()),
        ("unsigned char b = 0; b ^= n; *k = b;", set()),
        ("double d = 0; d += x[0]; *k += 2;", set()),
        ("*k = (int)lrintf(x[0]);", {Cut.ROUNDED}),
        ("*k = __float2int_rn(x[0]);", {Cut.ROUNDED}),
        ("x[0] = __int2float_rn(n);", {Cut.FLOATED}),
        ("float own = 0; own += x[0]; x[1] = own;", set()),
        ("double r = 1.0 / n; *k = (int)(*k * r);", {Cut.INVERTED}),
        ("*k = static_cast<int>(1 + (n * (1.0 / *k)));", {Cut.INVERTED}),
        ("double wide = n, r = (wide / *k); *k = (int)(r * 3);", {Cut.INVERTED}),
        ("*k = (int)(*k * 1.0 / n);", set()),
        ("double r = 1.0 / n, s = *k * r; x[0] = (float)s;", set()),
        ("double r = 1.0 / 3; *k = (int)(*k * r);", set()),
    ],
)
def test_cuts_of_functions_are_found(body: str, cuts: set[Cut]) -> None:
    text = "long lrintf(float);\nint __float2int_rn(float);\nfloat __int2float_rn(int);\n"
    text += f"#include <vector>\nnamespace ours {{ void f(int n, float *x, int *k) {{ {body} }} }}\n"
    files, unit = {"a.cpp": text.encode()}, TranslationUnit(path="a.cpp")
    assert cuts_in(Path("/nowhere"), files, unit, plain=True, functions=("f",)) == cuts
    found = cuts_by_namespace(Path("/nowhere"), files, unit, ["ours", "other"], plain=True)
    assert found == {"ours": cuts, "other": frozenset()}


def test_what_one_of_several_candidates_does_is_its_own() -> None:
    text = "void ours__f(int n, float *x) { x[0] = 1; }\nvoid ours_1__f(int n, float *x) { x[0] = n; }\n"
    unit = TranslationUnit(path="a.c")
    found = cuts_by_namespace(Path("/nowhere"), {"a.c": text.encode()}, unit, ["ours", "ours_1"], plain=True)
    assert found == {"ours": frozenset(), "ours_1": {Cut.FLOATED}}
