"""Sums, extremes and flags that partial reductions would change, by types and tests."""

from __future__ import annotations

import pytest

from transpile.code.syntax import Function
from transpile.code.variables import resolve
from transpile.translators.loops.analysis.analysis import nests
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope

HEAD = "void f(double *x, int *y, unsigned *u, const int *at, short *h, bool *b, int n, int s, T t)"
AROUND = EnclosingScope(
    functions={"count": "static inline int count(int v) { return v; }", "part": "double part(int v) { }"},
    own=frozenset(("count", "part", "max", "min")),
    types=frozenset(("T",)),
    choices=frozenset(("max",)),
    constants={"FEW": 3},
    values=frozenset(("FEW",)),
    defined=frozenset(("FEW",)),
    words={"FEW": frozenset()},
)


def reason(body: str, around: EnclosingScope = AROUND) -> str:
    function = Function(f"{HEAD} {{ {body} }}")
    [nest] = nests(function, resolve(function), (), around)
    return nest.reason or nest.loops[0].reason


LOOP = "for (int i = 0; i < n; i++) "


@pytest.mark.parametrize(
    "body",
    [
        LOOP + "s += at[i] * 2 + FEW;",
        LOOP + "s += count(i) - (x[i] > 1);",
        LOOP + "s += (int)x[i];",
        LOOP + "t += x[i];",
        "double r = 0; " + LOOP + "r += x[i];",
        LOOP + "y[at[i]] += h[i];",
        LOOP + "x[at[i]] += 0.5;",
        "unsigned r = 0; " + LOOP + "if (at[i] > r) r = at[i];",
        LOOP + "if (h[i] > s) s = h[i];",
        LOOP + "if (x[i] > s) s = x[i];",
        "bool r = true; " + LOOP + "r = x[i] > 0 && r;",
        "bool r = true; " + LOOP + "r = r && i != n;",
        "bool r = true; " + LOOP + "r ^= b[i];",
    ],
)
def test_what_parts_give_alike_is_gathered(body: str) -> None:
    assert reason(body) == ""


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (LOOP + "s += x[i];", "`s` is an integer that floating-point values go into"),
        (LOOP + "s = s * x[i];", "`s` is an integer that floating-point values go into"),
        (LOOP + "s += part(i);", "`s` is an integer that floating-point values go into"),
        (LOOP + "y[at[i]] += x[i];", "`y` is an integer that floating-point values go into"),
        (LOOP + "y[at[i]] = y[at[i]] + x[i];", "`y` is an integer that floating-point values go into"),
        ("bool r = true; " + LOOP + "r -= at[i];", "`r` is a `bool`"),
        ("bool r = true; " + LOOP + "r ^= at[i];", "`r` is a `bool`"),
        (LOOP + "b[at[i]] ^= 2;", "`b` is a `bool`"),
        (LOOP + "if (u[i] > s) s = u[i];", "`s` may be stored as another number"),
        ("unsigned char r = 0; " + LOOP + "if (at[i] > r) r = at[i];", "`r` may be stored as another number"),
        (
            "unsigned char r = 0; " + LOOP + "{ if (at[i] > r) r = at[i]; y[i] = r; }",
            "`r` may be stored as another number",
        ),
        ("bool r = true; " + LOOP + "r = r && at[i];", "more iterations evaluate"),
        (LOOP + "if (at[i] > s && y[i]) s = at[i];", "more iterations evaluate"),
        (
            "int p = 0; " + LOOP + "{ if (at[i] > s && y[i]) { s = at[i]; p = i; } }",
            "more iterations evaluate",
        ),
        (LOOP + "s = min(s, at[i]);", "a call of `min`"),
    ],
)
def test_what_parts_may_give_otherwise_is_not(body: str, why: str) -> None:
    assert why in reason(body)
