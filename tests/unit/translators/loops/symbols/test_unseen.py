"""Properties that names in a loop hide: storage, macros, functions, labels, members, and types that wrap."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.code.syntax import Function
from transpile.code.variables import resolve
from transpile.translators.loops.analysis.analysis import nests
from transpile.translators.loops.symbols.enclosing_scope import enclosing_scope

TEXT = """
#define NEXT t = t * 3
#define KEPT t
#define AT(k) y[(k)]
#define FIRST (*y)
#define OTHER y
#define LEAVE continue
#define WIDE(v) ((v) * 2)
typedef int *row;
struct pair { int first, second; };
struct list { int *data; };
static int fails(int v) { if (v > 9) throw v; return v; }
static int counts(int v) { int static all; all += v; return all; }
static int twice(int v) { return 2 * v; }
static void halve(int &v) { v /= 2; }
static void look(const int &v) { total = v; }
static void ahead(int *&v) { v++; }
static int total;
static thread_local int own[4];
static int max(int v, int w) { total += v; return w; }
"""
HEAD = "int f(int *x, int *y, row *r, struct list *lists, int n, int t, unsigned m)"
LOOP = "for (int i = 1; i < n; i++) "


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("unseen")
    (place / "a.cpp").write_text(f"{TEXT}{HEAD};\n{HEAD} {{ return 0; }}\n")
    return place


def reasons(body: str, root: Path) -> list[str]:
    """Return why the loops of a function are sequential; one that is not counted has no reason of its own."""
    source = parsers.read(root)
    [unit] = [item for item in source.units if item.name == "f"]
    function = Function(f"{HEAD} {{ {body} }}")
    around = enclosing_scope(source, unit)
    found = nests(function, resolve(function, around.refers), (), around)
    return [nest.reason or next((item.reason for item in nest.loops), "not counted") for nest in found]


@pytest.mark.parametrize(
    "body",
    [
        LOOP + "y[i] = WIDE(x[i]) + twice(t);",
        LOOP + "{ struct pair p; p.first = x[i]; y[i] = p.first; }",
        LOOP + "{ static const int k = 3; y[i] = k; }",
        "look(n); " + LOOP + "y[i] = x[i];",
        "for (int i = 1; i < m; i++) for (int j = i + 1; j < m; j++) y[i] += x[j];",
        "for (unsigned i = 0; i < m * 8; i++) y[i / 8 * 8 + i % 8] = 1;",
    ],
)
def test_what_shows_all_that_it_does_runs_at_once(body: str, root: Path) -> None:
    assert reasons(body, root) == [""]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        # storage
        (LOOP + "{ static int k; k += x[i]; y[i] = k; }", "on the scalar `k`"),
        (LOOP + "{ int static k; k += x[i]; y[i] = k; }", "on the scalar `k`"),
        (LOOP + "{ static int k[4]; k[0] = x[i]; y[i] = k[0]; }", "dependence on `k`"),
        (
            "extern int total; " + LOOP + "{ total = x[i]; y[i] = total; }",
            "`total`, which is declared `extern`",
        ),
        (LOOP + "{ thread_local int k; y[i] = k; }", "`k`, which is declared"),
        ("decltype((t)) k = t; " + LOOP + "{ k = x[i]; y[i] = k; }", "`k`, a reference"),
        (LOOP + "y[i] = own[x[i]];", "`own`, which is thread-local"),
        # macros
        (LOOP + "{ NEXT; y[i] = t; }", "`NEXT`, a macro that is not a plain value"),
        (LOOP + "{ y[i] = KEPT; t = x[i]; }", "`KEPT`, a macro that uses `t`"),
        (LOOP + "{ t = x[i]; y[i] = t; } return KEPT;", "`KEPT`, a macro that uses `t`"),
        (LOOP + "y[i] = AT(i - 1);", "a call of `AT`"),
        (LOOP + "AT(i) = x[i];", "a call of `AT`"),
        (LOOP + "y[i] = FIRST;", "`FIRST`, a macro"),
        (LOOP + "OTHER[i] = y[i - 1];", "`OTHER`, a macro"),
        (LOOP + "{ if (x[i]) LEAVE; y[i] = 1; }", "`LEAVE`, a macro"),
        # functions
        (LOOP + "y[i] = fails(x[i]);", "a call of `fails`"),
        (LOOP + "y[i] = counts(x[i]);", "a call of `counts`"),
        (LOOP + "y[i] = max(x[i], 3);", "a call of `max`"),
        ("int (*twice)(int) = counts; " + LOOP + "y[i] = twice(x[i]);", "a call of `twice`"),
        ("halve(n); " + LOOP + "y[i] = x[i];", "not counted"),
        ("ahead(y); " + LOOP + "y[i] = x[i];", "an access that is not understood"),
        ("int *p = y; std::swap(x, y); " + LOOP + "y[i] = p[i - 1];", "an access that is not understood"),
        # what is written
        (LOOP + "(x[i] > 2 ? n : t) = 1;", "a write that is not understood"),
        (LOOP + "(n, t) = 1;", "a write that is not understood"),
        (LOOP + "::total += x[i];", "a write that is not understood"),
        (LOOP + "y[0, i - 1] = y[0, i];", "an access that is not understood"),
        ("struct pair p; " + LOOP + "{ p.first = x[i]; y[i] = p.first + p.second; }", "on the scalar `p`"),
        # labels
        (
            "back: n += t; " + LOOP + "{ if (x[i]) t = x[i]; y[i] = x[i]; } if (n < 9) goto back;",
            "on the scalar `t`",
        ),
        (
            LOOP + "switch (x[i]) { { t = x[i]; case 1: y[i] = t; break; } default: y[i] = 0; }",
            "on the scalar `t`",
        ),
        # pointers behind names
        (LOOP + "for (int j = 0; j < n; j++) r[i][j] = 1;", "an access that is not understood"),
        (LOOP + "lists[i].data[0] += x[i];", "an access that is not understood"),
        # numbers that wrap
        (LOOP + "{ short k = i; y[k] = x[i]; }", "dependence on `y`"),
        (LOOP + "y[(short)i] = x[i];", "dependence on `y`"),
        ("for (unsigned i = 0; i < m; i++) y[i * 65536u / 65536u] = x[i];", "dependence on `y`"),
        ("for (int i = 0; i < n; i += 010) y[i] = y[i + 8];", "not counted"),
        ("for (int i = n; i < m; i++) y[i] = x[i];", "not counted"),
    ],
)
def test_what_does_more_than_it_shows_stays(body: str, why: str, root: Path) -> None:
    [reason, *_] = reasons(body, root)
    assert why in reason
