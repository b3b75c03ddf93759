"""Searches for the first hit: which loops are some, what is written, and a law against running the source."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.translators.loops.forms.interpreter import Address, ran
from transpile import parsers, translators
from transpile.code.syntax import Function
from transpile.code.variables import resolve
from transpile.core import OPENMP, ArrayFact, Candidate, Contract, Rejected, Role
from transpile.translators.loops.analysis.analysis import nests
from transpile.translators.loops.forms.normal import normal
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.targets.openmp import rounds

HEAD = (
    "int f(const std::vector<int> &x, const std::vector<double> &y, std::vector<int> &w,"
    " std::vector<Point> &p, const std::vector<unsigned> &u, const std::array<long, 2000> &a,"
    " const std::string &s, const int *q, int n, unsigned m, double t)"
)
AROUND = EnclosingScope(
    numbers={"p.x": "float", "p.kind": "int32_t", "q": "int32_t", "table": "int32_t"},
    lengths={"table": "2000"},
    values=frozenset(["AHEAD"]),
    defined=frozenset(["AHEAD"]),
    words={"AHEAD": frozenset(["n", "m"])},
)
UP = "for (size_t i = 0; i < {}.size(); i++) "


def written(body: str) -> str:
    return normal(f"{HEAD} {{ {body} }}", AROUND)


def reasons(text: str) -> list[str]:
    """Return why loops do not run in parallel, in their order; empty for one that does."""
    function = Function(text)
    found = nests(function, resolve(function), around=AROUND)
    return [item.reason for nest in found for item in nest.loops]


@pytest.mark.parametrize(
    ("body", "form"),
    [
        (UP.format("x") + "if (x[i] % 2 == 0) return i; return -1;", "return first;"),
        ("for (int i = 0; i < x.size(); ++i) if (x[i] == n) return i; return 9;", "std::size_t first"),
        ("bool b = false; " + UP.format("x") + "if (x[i] > n) { b = true; break; } return b;", "b = true;"),
        ("int k = x.size(), i; for (i = 0; i < k; i++) if (x[i] || n) break; return i;", "&& (x[i] || n))"),
        ("for (int i = x.size() - 1; i >= 0; i--) if (x[i] == n) return i; return 9;", "int last = -1"),
        ("for (size_t i = 1; i < y.size(); i++) if (y[i - 1] > y[i]) return 0; return 1;", "return 0;"),
        (UP.format("y") + "{ double d = fabs(y[i]); if (d < t) return i; } return 0;", "double d"),
        (UP.format("p") + "if (p[i].kind == n && p[i].x * t > 1) return i; return 0;", "first && p[i].kind"),
        (UP.format("u") + "if (u[i] * m + m > m) return i; return 0;", "u[i] * m"),
        (UP.format("s") + "if (s[i] == 'a') return i; return 0;", "s[i] == 'a'"),
        ("for (int i = 0; i < 2000; i++) if (a[i] || table[i] > n) return i; return 0;", "table[i]"),
        (UP.format("x") + "if (x[i] > n) { w.clear(); return i; } return 0;", "w.clear();"),
    ],
)
def test_a_search_of_what_is_there_runs_at_once(body: str, form: str) -> None:
    text = written(body)
    assert form in text and reasons(text) == [""]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        # What ends the search may be all that keeps it within an array.
        ("for (int i = 0; i < n; i++) if (q[i] == 0) return i; return n;", "and `q` may end there too"),
        ("for (int i = 0; i < n; i++) if (x[i] == 0) return i; return n;", "`x[i]` may be out of bounds"),
        (UP.format("x") + "if (w[i] < x[i]) return i; return 0;", "`w[i]` may be out of bounds"),
        (UP.format("x") + "if (x[i + 1] == 0) return i; return 0;", "`x[i + 1]` may"),
        (UP.format("x") + "if (x[x[i]] == 0) return i; return 0;", "`x[x[i]]` may"),
        (
            "int k = x.size(); w.clear(); for (int i = 0; i < k; i++) if (x[i]) return i; return 0;",
            "`x[i]` may be out of bounds",
        ),
        (UP.format("x") + "if (x[i] > AHEAD) return i; return 0;", "`AHEAD` may be undefined"),
        (
            "for (int i = 0; i < 2001; i++) if (table[i] == 0) return i; return 0;",
            "`table[i]` may be out of bounds",
        ),
        (
            "for (int i = 0; i < 2000; i++) if (a[i - 1]) return i; return 0;",
            "`a[i - 1]` may be out of bounds",
        ),
        ("for (size_t i = 0; i < x.size() - 1; i++) if (x[i] == 0) return i; return 0;", "may end"),
        # What is computed may not be defined for what lies behind the hit.
        (UP.format("x") + "if (n / x[i] == 2) return i; return 0;", "`n / x[i]` may be undefined"),
        (UP.format("x") + "if (x[i] % n == 2) return i; return 0;", "`x[i] % n`"),
        (UP.format("x") + "if (x[i] + n == 2) return i; return 0;", "`x[i] + n`"),
        (UP.format("x") + "if (-x[i] == 2) return i; return 0;", "`-x[i]`"),
        (UP.format("x") + "if (abs(x[i]) == 2) return i; return 0;", "`abs(x[i])`"),
        (UP.format("x") + "if (1 << x[i] == 2) return i; return 0;", "`1 << x[i]`"),
        (UP.format("y") + "{ int d = y[i]; if (d > 1) return i; } return 0;", "`int d = y[i];`"),
        # An iteration does more than look.
        (UP.format("x") + "{ w[i] = 1; if (x[i] > 1) return i; } return 0;", "may end the loop"),
        (UP.format("x") + "if (x[i] > 1) return i; else n++; return n;", "may end the loop"),
        (UP.format("x") + "if (x[i] == n++) return i; return n;", "`n++`"),
        # Behind the largest number there is no other.
        ("for (unsigned i = 0; i <= m; i++) if (i == n) return i; return 0;", "may end the loop"),
        ("for (int i = 0; i < m; i++) if (i == n) return i; return 0;", "may end the loop"),
    ],
)
def test_what_may_do_harm_behind_the_hit_stays(body: str, reason: str) -> None:
    text = written(body)
    [found] = reasons(text)
    assert reason in found and text == f"{HEAD} {{ {body} }}"


PORTED = """#include <vector>
struct Point { double x; int kind; };
int f(const std::vector<int> &x, const std::vector<Point> &p, const int *q, int n)
{
    int least = 50;
    for (int i = 0; i < n; i++) if (q[i] == 2 && i < least) least = i;
    for (int i = 0; i < n; i++) if (q[i] == 0) return i;
    for (int i = 0; i < p.size(); i++) if (p[i].kind == n) return i;
    for (int i = 1; i < x.size(); i++) if (x[i] == n) return i;
    return least;
}
"""


def proposed(place: Path, *, stated: bool) -> Candidate | Rejected:
    (place / "a.cpp").write_text(PORTED)
    source = parsers.read(place)
    [unit] = source.units
    [signature] = source.signatures[unit.id]
    learnt = ArrayFact(name="q", role=Role.IN, extent="n", stated=stated)
    contract = Contract(signature=signature, arrays=(learnt,), scalars=(), law=None)
    return translators.propose(source, unit, (contract,), OPENMP)


@pytest.mark.parametrize(("stated", "marked"), [(False, 3), (True, 4)])
def test_a_length_counts_that_the_user_states_and_none_that_was_learnt(
    stated: bool, marked: int, tmp_path: Path
) -> None:
    found = proposed(tmp_path, stated=stated)
    assert isinstance(found, Candidate)
    text = found.replacements[0].shown
    assert text.count("#pragma omp parallel for reduction(min : ") == text.count("if (end") == marked


def test_rounds_go_on_until_a_hit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(rounds, "_FIRST", 2)
    found = proposed(tmp_path, stated=False)
    assert isinstance(found, Candidate)
    text = found.replacements[0].shown
    for length, hit in product(range(9), range(10)):
        held: dict[Address, int] = {("x", (at,)): int(at in (hit, hit + 2)) for at in range(length)}
        held[0] = 1
        names = {"n": 1, "q": 0, "x.size()": length, "p.size()": 0}
        assert ran(text, held, **names) == ran(PORTED, held, **names), (length, hit)


TESTS = ("x[i] == c", "x[i] > c || x[i] == 2", "x[i - 1] > x[i]", "i == c && x[i] > 0")
FORMS = (
    "for (int i = {first}; i < x.size(); i++) if ({test}) return 10 * i + c; return 7;",
    "for (i = {first}; i < n; i++) {{ if ({test}) break; }} return i;",
    "for (int i = n - 1; i >= {first}; i--) if ({test}) {{ k = i + 3; break; }} return k;",
    "for (int i = {first}; i < n; i++) {{ int v = x[i];"
    " if ({test} || v > c) {{ k = v; k += i; break; }} }} return k;",
)


@settings(max_examples=40, deadline=None)
@given(
    form=st.sampled_from(FORMS),
    test=st.sampled_from(TESTS),
    first=st.integers(0, 1),
    held=st.lists(st.integers(0, 3), max_size=5),
)
def test_the_first_hit_counts_whichever_iteration_comes_first(
    form: str, test: str, first: int, held: list[int]
) -> None:
    body = form.format(test=test, first=max(first, int("i - 1" in test)))
    text = f"int f(std::vector<int> &x, int c) {{ int n = x.size(), i = 0, k = 5; {body} }}"
    rewritten = normal(text, EnclosingScope())
    backwards = rewritten.replace("for (int i", "#pragma omp\nfor (int i")
    memory: dict[Address, int] = {("x", (at,)): value for at, value in enumerate(held)}
    for c in (0, 1, 3):
        names = {"c": c, "x.size()": len(held)}
        assert "first" in rewritten or "last" in rewritten
        assert ran(backwards, memory, **names) == ran(text, memory, **names), (text, backwards, held, c)
