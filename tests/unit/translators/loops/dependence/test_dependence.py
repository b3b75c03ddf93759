"""Which loops may run their iterations at once: cases, and a law against all iterations of small nests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transpile.code.syntax import Function
from transpile.code.variables import resolve
from transpile.translators.loops.analysis.analysis import nests
from transpile.translators.loops.iteration.spaces import Constraint


def known(text: str, *facts: Constraint) -> dict[str, str]:
    """Return for each loop variable of a function why its iterations may not run in parallel."""
    function = Function(text)
    found = nests(function, resolve(function), facts)
    return {
        item.loop.variable.name: item.reason or nest.reason for nest in found for item in nest.loops or ()
    }


def in_any_order(text: str) -> set[str]:
    """Return the loops whose iterations need not even be kept from updating at the same time."""
    function = Function(text)
    [nest] = nests(function, resolve(function))
    return {item.loop.variable.name for item in nest.loops if item.parallel and not item.updated}


HEAD = "void f(float *x, float *y, const int *at, int n, int m, int k)"


@pytest.mark.parametrize(
    ("variable", "bound", "counts"),
    [
        ("unsigned", "l - 1", False),
        ("uint32_t", "(long)n", False),
        ("unsigned char", "n", False),
        ("unsigned short", "h - 1", False),
        ("unsigned", "n - 1", True),
        ("size_t", "l - 1", True),
        ("unsigned char", "9", True),
        ("unsigned char", "m", True),
    ],
)
def test_a_bound_keeps_its_sign_beside_a_variable_that_has_none(
    variable: str, bound: str, counts: bool
) -> None:
    head = "void f(float *y, int n, long l, unsigned m, unsigned short h)"
    found = known(f"{head} {{ for ({variable} i = 0; i < {bound}; i++) y[i] = 1; }}")
    assert ("i" in found) == counts


@pytest.mark.parametrize(
    ("first", "counts"),
    [
        *(("n", False), ("l + 1", False), ("(int)m", False), ("at[2]", False), ("k - 1", False)),
        *(("m", True), ("3", True), ("k", True), ("k + 1", True)),
    ],
)
def test_a_variable_that_has_no_sign_begins_with_no_number_below_zero(first: str, counts: bool) -> None:
    head = "void f(float *y, const int *at, int n, long l, unsigned m)"
    inner = f"for (size_t i = {first}; i < m; i++) y[i] += 1;"
    assert ("i" in known(f"{head} {{ for (int k = 0; k < n; k++) {inner} }}")) == counts


@pytest.mark.parametrize(
    ("variable", "test", "counts"),
    [
        ("unsigned", "i >= 0", False),
        ("std::size_t", "0u <= i", False),
        ("unsigned char", "i >= 0", False),
        ("unsigned", "i > 0", True),
        ("unsigned", "i >= 1", True),
        ("int", "i >= 0", True),
    ],
)
def test_no_loop_ends_below_the_least_number_of_its_type(variable: str, test: str, counts: bool) -> None:
    found = known(f"void f(float *y, unsigned n) {{ for ({variable} i = n - 1; {test}; i--) y[i] = 1; }}")
    assert ("i" in found) == counts


@pytest.mark.parametrize(
    ("body", "parallel"),
    [
        ("for (int i = 0; i < n; i++) y[i] = x[i];", "i"),
        ("for (int i = 0; i < n; i++) y[i] = x[i + 1] + x[n];", "i"),
        ("for (int i = n - 1; i >= 0; i--) y[i] = 2 * y[i];", "i"),
        ("for (int i = 0; i < n; i += 2) { y[i] = 1; y[i + 1] = 2; }", "i"),
        ("int i; float v; for (i = 0; i < n; i++) { v = x[i]; y[i] = v * v; }", "i"),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i * m + j] = x[j * n + i];", "ij"),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i] += x[i * m + j];", "ij"),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[j * n + i] = 1;", "ij"),
        ("for (int i = 0; i < n * m; i++) { int r = i / m, c = i % m; y[r * m + c] = x[c]; }", "i"),
        ("for (int i = 0; i < n * m; i++) y[(i % m) * n + i / m] = x[i];", ""),
        (
            "for (int b = 0; b < k; b++) for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)"
            " y[(b * n + i) * m + j] = 1;",
            "bij",
        ),
        ("for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) y[i * n + j] = x[j];", "ij"),
        ("for (int i = 0; i < 9; i++) { if (i <= -3) y[2] = i; }", "i"),
        ("for (unsigned i = 0; i < 9; i++) { if (i <= -3) y[2] = i; }", ""),
        (
            "for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < m; j++) s += x[j]; y[i] = s; }",
            "ij",
        ),
        ("float s = 0; for (int i = 0; i < n; i++) s += x[i]; y[0] = s;", "i"),
        ("float s = x[0]; for (int i = 1; i < n; i++) if (x[i] > s) s = x[i]; y[0] = s;", "i"),
        ("float s = x[0]; for (int i = 1; i < n; i++) s = x[i] > s ? x[i] : s; y[0] = s;", "i"),
        ("float s = x[0]; for (int i = 1; i < n; i++) s = s > x[i] ? x[i] : s; y[0] = s;", "i"),
        ("float s = x[0]; for (int i = 1; i < n; i++) s = std::max(s, x[i]); y[0] = s;", "i"),
        ("int s = 0; for (int i = 1; i < n; i++) s = std::max(at[i], s); y[0] = s;", "i"),
        ("int s = 0; for (int i = 0; i < n; i++) s = x[i] > k || s; y[0] = s;", "i"),
        ("int s = 1; for (int i = 0; i < n; i++) s = x[i] > k && s; y[0] = s;", "i"),
        ("int s = 0; for (int i = 0; i < n; i++) if (x[i] > k) s = 1; y[0] = s;", "i"),
        ("int s = 1; for (int i = 0; i < n; i++) { if (x[i] > k) { s = 0; } } y[0] = s;", "i"),
        ("for (int i = 0; i < n; i++) *(y + i) = *(x + i);", "i"),
        (
            "for (int i = 0; i < n; i++) { float *row = y + i * m; for (int j = 0; j < m; j++) row[j] = 0; }",
            "ij",
        ),
        ("for (int i = 0; i < n; i++) if (i < k) y[i] = y[i + k];", "i"),
        ("for (int i = 0; i < n; i++) if (i != k) y[i] -= y[k];", "i"),
        ("for (int i = 0; i < n; i++) if (i != k + 1) y[i] -= y[k];", ""),
        ("for (int i = 0; i < n; i++) y[i] = x[at[i]];", "i"),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i] = x[j] * y[i];", "ij"),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[j] = y[j] + x[i];", "ij"),
        ("int i; for (i = 0; i < n; i++) y[i] = 0; for (i = 0; i < m; i++) x[i] = 0;", "i"),
        ("for (int i = 1; i < n; i += 2) y[(i - 1) / 2] = x[i];", "i"),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[k + i * m + j + 1] = 1;", "ij"),
        (
            "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)"
            " y[(i * m + j) * 3 + 2] = y[3 * (i * m + j)];",
            "ij",
        ),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i * (3 * m) + 3 * j + 2] = 1;", "ij"),
        (
            "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int l = 0; l < k; l++)"
            " y[((i * m + j) * k + l) * 2 + 1] = y[((i * m + j) * k + l) * 2];",
            "ijl",
        ),
        ("for (int i = 0; i <= n; i++) for (int j = 0; j <= m; j++) y[i * (m + 1) + j] = 1;", "ij"),
        (
            "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[(i + 1) * (m + 2) + j + 1] = x[i];",
            "ij",
        ),
        (
            "for (int b = 0; b < k; b++) for (int i = 0; i <= n; i++) for (int j = 0; j < m + 2; j++)"
            " y[(b * (n + 1) + i) * (m + 2) + j] = 1;",
            "bij",
        ),
        ("for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) y[i * n + j] = y[i * n + i];", "ij"),
        (
            "int h = n + 2 * k, w = m + 2 * k; for (int b = 0; b < 9; b++) for (int i = 0; i < h; i++)"
            " for (int j = 0; j < w; j++) y[b * h * w + i * w + j] = 1;",
            "bij",
        ),
        (
            "for (int i = 0; i < n; i++) for (int j = 0; j < m + 2 * n - k + 1; j++)"
            " y[i * (m + 2 * n - k + 1) + j] = 1;",
            "ij",
        ),
        # what may not
        ("int w = m + 1; for (int i = 0; i < n; i++) for (int j = 0; j <= w; j++) y[i * w + j] = 1;", "j"),
        (
            "int w = m + 1; m++; for (int i = 0; i < n; i++) for (int j = 0; j <= m; j++) y[i * w + j] = 1;",
            "j",
        ),
        ("for (int i = 0; i <= n; i++) for (int j = 0; j <= m + 1; j++) y[i * (m + 1) + j] = 1;", "j"),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i * (m - 1) + j] = 1;", "j"),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i * (m + k) + j] = 1;", "j"),
        (
            "for (int i = 0; i < n; i++) for (int j = 0; j <= m + 2 * k; j++) y[i * (m + 2 * k) + j] = 1;",
            "j",
        ),
        (
            "for (int i = 0; i < n; i++) for (int j = 0; j < m + k; j++) y[i * (m - k) + j] = 1;",
            "j",
        ),
        ("for (int i = 0; i < n; i++) { ((char *)y)[i] = 1; y[i] = 2; }", ""),
        ("for (int i = 0; i < 9; i++) y[i] = y[i + 010];", ""),
        ("for (int i = 0; i < n; i++) if (i / m == 1) y[k] = x[i];", ""),
        ("for (int i = 0; i < n; i++) if (i % m == 0) y[k] = x[i];", ""),
        (
            "float s; for (int i = 0; i < n; i++) { int j = 0; for (; j < m; s = x[j]) { y[i] = s; j++; } }",
            "",
        ),
        ("int i; for (i = 0; i < n; i++) y[i] = 0; y[i] = 1;", ""),
        ("int i; for (i = 0; i < n; i++) y[i] = 0; for (; i < m; i++) x[i] = 0;", ""),
        ("int i, j; for (i = 0; i < n; i++) { for (j = 0; j < m; j++) x[i * m + j] = 0; y[i] = j; }", "i"),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[j] = y[j] - x[i] + y[j + 1];", ""),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[j] = y[j] + y[j] * x[i];", "j"),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { y[j] = y[j] + x[i]; x[j] = y[j]; }", ""),
        ("for (int i = 1; i < n; i++) y[i] = y[i - 1];", ""),
        ("for (int i = 0; i < n; i++) y[at[i]] = x[i];", ""),
        ("for (int i = 0; i < n; i++) y[i * k] = x[i];", ""),
        ("for (int i = 0; i < n; i++) y[0] = x[i];", ""),
        ("for (int i = 0; i < n; i++) y[i / 2] = x[i];", ""),
        ("for (int i = 0; i < n; i++) y[i % m] = x[i];", ""),
        ("for (int i = 0; i < n; i += 2) for (int j = 0; j < m; j++) y[(i + j) / 2] = x[j];", ""),
        ("for (int i = 0; i < n; i += 2) y[i / 3] = x[i];", ""),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[k + i * m + j] = y[i * m + j];", ""),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i * k + j] = 1;", "j"),
        ("for (int i = 0; i < n; i++) for (int j = 0; j <= m; j++) y[i * m + j] = 1;", "j"),
        (
            "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)"
            " y[(i * m + j) * 3 + 3] = y[3 * (i * m + j)];",
            "",
        ),
        (
            "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)"
            " y[3 * i * m + 3 * j + 2 * m] = y[3 * i * m + j];",
            "j",
        ),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i + j] = 1;", "j"),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i * m + j] = y[j];", "j"),
        ("float v = 0; for (int i = 0; i < n; i++) { y[i] = v; v = x[i]; }", ""),
        ("float v; for (int i = 0; i < n; i++) { if (x[i] > 0) v = x[i]; y[i] = v; }", ""),
        ("float v; for (int i = 0; i < n; i++) { v = x[i]; y[i] = v; } y[n] = v;", "i"),
        ("float v; for (int i = 0; i < n; i++) { if (x[i]) v = 1; else v = 2; y[i] = v; } y[n] = v;", "i"),
        ("float v; for (int i = 0; i < n; i++) for (k = 0; k < m; k++) v = x[i]; y[n] = v;", "ik"),
        ("for (int i = 0; i < n; i++) for (k = 0; k < m; k++) y[i] += x[k]; y[n] = k;", "i"),
        (
            "for (int i = 0; i < n; i++) { k = at[i]; switch (k) { case 1: y[i] = k; } }",
            "i",
        ),
        ("float v; for (int i = 0; i < n; i++) { if (x[i]) v = x[i]; } y[n] = v;", ""),
        ("float v; for (int i = 0; i < n; i++) { if (x[i]) continue; v = x[i]; } y[n] = v;", ""),
        ("float v; for (int i = 0; i < n; i++) { if (x[i]) v = 1; else y[i] = 2; } y[n] = v;", ""),
        ("float v; for (int i = 0; i < n; i++) { for (k = 0; k < i; k++) v = x[i]; } y[n] = v;", "k"),
        (
            "float v; for (int i = 0; i < n; i++) { y[i] = 1; for (k = 0; k < m; k++) v = x[k]; } y[n] = v;",
            "k",
        ),
        ("float v; for (int i = 0; i < n; i++) while (m--) v = x[i]; y[n] = v;", ""),
        ("for (int i = k; i < n; i++) { k = at[i]; y[i] = k; }", ""),
        ("float s = 0, v; for (int i = 0; i < n; i++) { v = x[i]; s += v; y[i] = s; } y[n] = v;", ""),
        ("float s = 0; for (int i = 0; i < n; i++) { s += x[i] * s; y[i] = s; }", ""),
        ("float s = 0; for (int i = 0; i < n; i++) { s = x[i] - s; } y[0] = s;", ""),
        ("float s = x[0]; for (int i = 1; i < n; i++) s = s > x[i] ? s : x[i]; y[0] = s;", ""),
        ("float s = x[0]; for (int i = 1; i < n; i++) s = 2 * s > s ? 2 * s : s; y[0] = s;", ""),
        ("float s = x[0]; for (int i = 1; i < n; i++) if (2 * s > s) s = 2 * s; y[0] = s;", ""),
        ("float s = x[0]; for (int i = 1; i < n; i++) s = std::max(x[i], s); y[0] = s;", ""),
        ("int s = k; for (int i = 0; i < n; i++) s = s || x[i] > k; y[0] = s;", ""),
        ("int s = 5; for (int i = 0; i < n; i++) s = s && x[i] > k; y[0] = s;", ""),
        ("int s = 5; for (int i = 0; i < n; i++) if (x[i] > k) s = 1; y[0] = s;", ""),
        (
            "int s = 0; for (int i = 0; i < n; i++) { if (x[i] > k) s = 1; if (x[i] < k) s = 0; } y[0] = s;",
            "",
        ),
        ("int s = 0; for (int i = 0; i < n; i++) { if (x[i] > k) s = 1; y[i] = s; }", ""),
        ("for (int i = 0; i < n; i++) { if (x[i] < 0) break; y[i] = 1; }", ""),
        ("int j = 0; for (int i = 0; i < n; i++) y[j++] = x[i];", ""),
        ("for (int i = 0; i < n; i++) { int j = i; if (x[i] > 0) j = 0; y[j] = x[i]; }", ""),
        ("for (int i = 0; i < n; i++) { int j; for (j = 0; j < m; j++) ; y[j] = i; }", ""),
        ("for (int i = 0; i < n; i++) { y++; *y = 1; }", ""),
        ("float *p = y; for (int i = 0; i < n; i++) *p++ = x[i];", ""),
        ("float t[4]; for (int i = 0; i < n; i++) { t[0] = x[i]; y[i] = t[0]; }", ""),
        ("for (int i = 0; i < n; i++) { float t[4]; t[0] = x[i]; y[i] = t[0]; }", "i"),
        ("for (int i = 0; i < n; n--) y[i] = 1;", ""),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m; i++) y[i] = 1;", ""),
    ],
)
def test_what_may_run_at_once(body: str, parallel: str) -> None:
    found = known(f"{HEAD} {{ {body} }}")
    assert "".join(name for name, reason in found.items() if not reason) == parallel


@pytest.mark.parametrize(
    ("body", "parallel"),
    [
        ("for (int i = 0; i < n; i++) y[at[i]] = 1;", "i"),
        ("for (int i = 0; i < n; i++) if (x[i] > 0) y[at[i]] = sqrt(k) + m;", "i"),
        ("for (int i = 0; i < n; i++) y[at[i]] = at[i];", "i"),
        ("for (int i = 0; i < n; i++) { int j = at[i]; y[j] = j; y[at[i + 1]] = at[i + 1]; }", ""),
        ("for (int i = 0; i < n; i++) if (x[i] > 0) y[k] = 1;", "i"),
        ("for (int t = 0; t < m; t++) for (int i = 0; i < n; i++) y[at[i]] = t;", "i"),
        # what depends on which comes last
        ("for (int i = 0; i < n; i++) y[at[i]] = i;", ""),
        ("for (int i = 0; i < n; i++) y[at[i]] = at[0];", ""),
        ("for (int i = 0; i < n; i++) { int v = at[i]; y[at[i]] = v; }", ""),
        ("for (int i = 0; i < n; i++) { y[at[i]] = 1; y[at[i + 1]] = 2; }", ""),
        ("for (int i = 0; i < n; i++) { y[at[i]] = 1; y[i] = 1; }", ""),
        ("for (int i = 0; i < n; i++) { y[at[i]] = 1; y[at[i]] += 1; }", ""),
        ("for (int i = 0; i < n; i++) if (y[at[i]] == 0) y[at[i]] = 1;", ""),
        ("for (int i = 0; i < n; i++) { y[at[i]] = 1; ((char *)y)[at[i]] = 1; }", ""),
        ("for (int i = 0; i < n; i++) { float *row = y + i; row[at[i]] = at[i]; }", ""),
        ("for (int i = 0; i < n; i++) { k += at[i]; y[at[i]] = k; }", ""),
    ],
)
def test_stores_that_meet_are_of_one_value(body: str, parallel: str) -> None:
    found = known(f"{HEAD} {{ {body} }}")
    assert "".join(name for name, reason in found.items() if not reason) == parallel


def test_a_scalar_of_the_iteration_does_not_go_on_to_the_next() -> None:
    function = Function(f"{HEAD} {{ for (int i = 0; i < n; i++) {{ double x = 1; y[i] = next(2.0, &x); }} }}")
    [nest] = nests(function, resolve(function))
    assert nest.reason == "a call of `next`, whose effects are unknown"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("for (int i = 0; i < n; i++) other(y, i);", "a call of `other`"),
        (
            "double x = 1; for (int i = 0; i < n; i++) y[i] = next(2.0, &x);",
            "a call of `next`, which may read what the iteration before left in `x`",
        ),
        ("for (int i = 0; i < n; i++) count += 1;", "a write to `count`"),
        ("for (int i = 0; i < n; i++) { y[i] = *(&y[i] + 1); }", "the address of an element"),
        ("for (int i = 0; i < n; i++) rows[i][0] = 1;", "`rows`, whose rows may overlap each other"),
    ],
)
def test_what_is_not_understood_is_named(body: str, reason: str) -> None:
    function = Function(f"{HEAD} {{ {body} }}")
    [nest] = nests(function, resolve(function))
    assert nest.reason.startswith(reason)


# Subscripts as C, and as Python over i, j and the sizes.
SUBSCRIPTS = (
    "{a} * i + {b} * j + {c}",
    "i * n + j + {c}",
    "i * m + j + {c}",
    "(i * m + j) * {d} + {c}",
    "{d} * i * m + {a} * j + {b} * m + {c}",
    "j * n + i",
    "(i + {a}) * m + {b} * j",
    "i / {d} + j",
    "i % {d} * m + j",
    "i / m * m + i % m",
    "i % m * n + i / m",
    "(i / n) * m + j",
    "i * (m + {a} * n) + j",
    "i * (m + n - {b}) + {d} * j",
    "(i * (n + {a}) + j) * (m + {b} * n)",
)
UPPER = ("m", "n", "i + 1", "m - 1", "m + n", "m + n - 1")
CONDITIONS = ("", "i < {a} + j", "i != j", "j == {a}", "i + j < n && i > {b}")


@dataclass(frozen=True)
class Small:
    """A nest of two loops with a write and a read."""

    write: str
    read: str
    condition: str
    upper: str

    @property
    def text(self) -> str:
        guard = f"if ({self.condition}) " if self.condition else ""
        return (
            f"{HEAD} {{ for (int i = 0; i < n; i++) for (int j = 0; j < {self.upper}; j++)"
            f" {guard}y[{self.write}] = y[{self.read}] + 1; }}"
        )

    def touched(self, n: int, m: int) -> Iterator[tuple[int, int, int, int]]:
        """Yield for every iteration the numbers of the elements that it writes and reads."""
        for i, j in product(range(n), range(m + n)):
            names: Mapping[str, int] = {"i": i, "j": j, "n": n, "m": m}
            condition = self.condition.replace("&&", "and") or "True"
            if j < _value(self.upper, names) and _value(condition, names):
                yield i, j, _value(self.write, names), _value(self.read, names)


def _value(text: str, names: Mapping[str, int]) -> int:
    return int(eval(text.replace("/", "//"), {"__builtins__": {}}, dict(names)))


@st.composite
def small(draw: st.DrawFn) -> Small:
    numbers = {letter: draw(st.integers(0, 3)) for letter in "abc"} | {"d": draw(st.integers(1, 3))}

    def filled(texts: tuple[str, ...]) -> str:
        return draw(st.sampled_from(texts)).format(**numbers)

    write = filled(SUBSCRIPTS)
    read = write if draw(st.booleans()) else filled(SUBSCRIPTS)
    return Small(write, read, filled(CONDITIONS), draw(st.sampled_from(UPPER)))


@settings(max_examples=300, deadline=None)
@given(small())
def test_iterations_that_meet_are_never_said_to_be_free(nest: Small) -> None:
    free = in_any_order(nest.text)
    for n, m in product((1, 2, 3, 5), repeat=2):
        seen = list(nest.touched(n, m))
        for (i, j, written, read), (other_i, other_j, other_written, other_read) in product(seen, repeat=2):
            meets = written in (other_written, other_read) or read == other_written
            if meets and i != other_i:
                assert "i" not in free, (nest.text, n, m)
            if meets and i == other_i and j != other_j:
                assert "j" not in free, (nest.text, n, m)


def test_the_law_can_be_passed() -> None:
    nest = Small("i * m + j", "i * m + j", "", "m")
    assert in_any_order(nest.text) == {"i", "j"}
