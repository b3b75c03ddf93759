"""Loops over vectors and arrays of the standard library, and what may not be done to these in them."""

from __future__ import annotations

import re

import pytest

from transpile import parsers, translators
from transpile.code.syntax import Function
from transpile.code.variables import resolve
from transpile.core import CUDA, OPENMP, Candidate, Contract, Dialect, Rejected
from transpile.translators.loops.analysis.analysis import Nest, nests
from transpile.translators.loops.forms.normal import normal
from transpile.translators.loops.forms.ranges import with_counter
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope

HEAD = (
    "void f(std::vector<double> const& x, std::vector<double> &y, std::vector<Point> &p,"
    " const std::array<long, 9> &at, std::vector<std::vector<float>> &rows, std::vector<bool> &bits,"
    " const std::vector<bool> &marks, double const& v, double *q, size_t n, size_t m, int k)"
)


def found(body: str) -> list[Nest]:
    function = Function(f"{HEAD} {{ {body} }}")
    return nests(function, resolve(function))


@pytest.mark.parametrize(
    ("body", "parallel"),
    [
        ("for (int i = 0; i < x.size(); ++i) y[i] = 2 * x[i];", "i"),
        ("for (size_t i = 1; i < x.size() - 1; ++i) y[i] = x[i - 1] + x[i + 1];", "i"),
        ("int n = x.size(); for (int i = 0; i < n; i++) y[i] = x[n - 1 - i];", "i"),
        ("for (size_t i = 0; i < n; i++) for (size_t j = 0; j < m; j++) y[i * m + j] = x[j];", "ij"),
        ("for (std::size_t i = 0; i < p.size(); i++) y[i] = p[i].x;", "i"),
        ("for (size_t i = 0; i < n; i++) for (size_t j = 0; j < m; j++) rows[i][j] = 1;", "ij"),
        ("std::vector<double> t(n); for (size_t i = 0; i < n; i++) t[i] = x[i];", "i"),
        ("for (size_t i = 0; i < n; i++) { std::vector<double> t(3); t[0] = x[i]; y[i] = t[0]; }", "i"),
        ("for (size_t i = 0; i < n; i++) y[at[i]] += x[i];", "i"),
        ("double s = 0; for (size_t i = 0; i < x.size(); i++) s += x[i]; y[0] = s;", "i"),
        ("for (size_t i = 0; i < marks.size(); i++) if (marks[i]) y[i] = x[i];", "i"),
        ("int s = 0; for (int i = 0; i < k; i++) if (x[i] > v && at[i] < s) s = at[i]; y[0] = s;", ""),
        ("long s = 0; for (int i = 0; i < k; i++) if (x[i] > 1 && at[i] < s) s = at[i]; y[0] = s;", "i"),
        # what may not
        ("std::complex<double> s; for (size_t i = 0; i < n; i++) s += x[i]; y[0] = s.real();", ""),
        ("for (size_t i = 1; i < x.size(); i++) y[i] = y[i - 1] + x[i];", ""),
        ("for (size_t i = 0; i < n; i++) y[y.size() - 1] = x[i];", ""),
        ("int s = 0; for (int i = 0; i < k; i++) if (s > 2 && at[i] < s) s = at[i]; y[0] = s;", ""),
        ("int s = 0; for (int i = 0; i < k; i++) if (at[i] < s || k > 2) s = at[i]; y[0] = s;", ""),
        ("for (size_t i = 0; i < n; i++) bits[i] = x[i] > 0;", ""),
        ("for (size_t i = 0; i < n; i++) { rows[i][0] = 1; rows[m] = rows[i]; }", ""),
    ],
)
def test_what_may_run_at_once(body: str, parallel: str) -> None:
    free = [item.loop.variable.name for nest in found(body) for item in nest.loops if item.parallel]
    assert "".join(free) == parallel


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("for (size_t i = 0; i < n; i++) y.push_back(x[i]);", "a call of `y.push_back`"),
        ("for (size_t i = 0; i < n; i++) y.at(i) = x[i];", "a call of `y.at`"),
        ("for (size_t i = 0; i < n; i++) y[i] = *x.begin();", "a call of `x.begin`"),
        ("for (size_t i = 0; i < n; i++) { y = x; y[i] = 1; }", "`y`, a container whose elements may move"),
        ("for (size_t i = 0; i < n; i++) std::swap(y[i], y[0]);", "a call of `std::swap`"),
        ("for (size_t i = 0; i < n; i++) bits[i] = x[i] > 0;", "`bits`, a reference"),
        ("for (size_t i = 0; i < n; i++) y[i] = v;", "`v`, a reference"),
        ("for (size_t i = 0; i < n; i++) { double &e = y[i]; e = 1; }", "`e`, a reference"),
        ("for (size_t i = 0; i < n; i++) { if (x[i] < 0) throw 1; y[i] = 1; }", "a `throw`"),
        ("for (auto it = y.begin(); it != y.end(); ++it) *it = 1;", "a call of `y.begin`"),
        # packed, or what a name hides
        ("std::vector<bool> t(n); for (size_t i = 0; i < n; i++) t[i] = x[i] > 0;", "an access that is not"),
        ("std::vector<flag> t(n); for (size_t i = 0; i < n; i++) t[i] = x[i] > 0;", "an access that is not"),
        ("vector<int> t(n); for (size_t i = 0; i < n; i++) t[i] = 1;", "an access that is not understood"),
        ("for (size_t i = 0; i < n; i++) p[i][0] = 1;", "an access that is not understood"),
    ],
)
def test_what_is_not_understood_is_named(body: str, reason: str) -> None:
    [nest] = found(body)
    assert nest.reason.startswith(reason)


@pytest.mark.parametrize(("kind", "free"), [("T", False), ("double", True), ("std::vector<T>", False)])
def test_a_template_may_be_of_what_is_packed(kind: str, free: bool) -> None:
    loop = "for (size_t i = 0; i < n; i++) y[i] = 0;"
    function = Function(f"template <class T> void f(std::vector<{kind}> &y, size_t n) {{ {loop} }}")
    [nest] = nests(function, resolve(function))
    assert bool(nest.loops) is free


def test_a_length_that_changes_is_no_bound() -> None:
    [nest] = found("for (size_t i = 0; i < y.size(); i++) y.pop_back();")
    assert not nest.loops


def test_what_a_declaration_takes_is_a_use_though_it_looks_like_a_type() -> None:
    [nest] = found(
        "double s = 0; for (size_t i = 0; i < n; i++) { s = s / 2 + x[i]; double t(s); y[i] = t; }"
    )
    assert [item.reason for item in nest.loops] == [
        "loop-carried dependence on the scalar `s`: `s = s / 2 + x[i]`"
    ]


@pytest.mark.parametrize(
    ("test", "free"),
    [
        ("i < m", True),
        # At 0 the largest number there is, so that all elements take the one behind the last that is meant.
        ("i < m - 1", False),
        ("i + 1 < m + k", False),
        ("i < m + x.size()", True),
        ("i < (size_t)k", False),
    ],
)
def test_unsigned_numbers_wrap(test: str, free: bool) -> None:
    bound = test.partition("<")[2]
    [nest] = found(f"for (size_t i = 0; i < n; i++) if ({test}) y[i] = y[{bound}];")
    assert [item.parallel for item in nest.loops] == [free]


def test_what_a_name_is_given_may_have_wrapped() -> None:
    [nest] = found("for (size_t i = 0; i < n; i++) { size_t d = m - 1; if (i < d) y[i] = y[d]; }")
    assert [item.parallel for item in nest.loops] == [False]


@pytest.mark.parametrize(
    "loop",
    [
        "for (int const &e : x) y[0] += e / 2;",  # what the elements are converted to
        "for (auto &e : y) y.push_back(e);",
        "for (auto &e : y) { double y = e; k = y; }",
        "for (auto e : bits) k += e;",
        "for (auto &e : y) std::for_each(q, q + k, [&e](double v) { e += v; });",
    ],
)
def test_elements_that_no_subscript_gives_stay(loop: str) -> None:
    assert with_counter(Function(f"{HEAD} {{ {loop} }}"), EnclosingScope()) is None


SOURCE = """#include <array>
#include <complex>
#include <string>
#include <vector>
struct Point { double x, y; };
struct Cell { std::array<double, 9> parts; };
static double length(Point const& p) { return p.x * p.x + p.y * p.y; }
static double moved(Point& p) { return p.x += 1; }
static double first(std::array<double, 9> const& a) { return a[0]; }
static const int weights[2000][2] = {{1, 2}, {3, 4}};
static const double taps[2000] = {1, 2};
static double heights[2000][2];
"""
PARAMETERS = (
    "std::vector<double> const& x, std::vector<double> &y, std::vector<int> const& z, std::vector<Point> &p,"
    " std::array<double, 9> &a, double *q, std::vector<double> own, std::vector<std::vector<double>> &rows,"
    " std::vector<std::vector<double>> const& others, std::vector<Cell> &cells,"
    " std::vector<std::string> const& words, int n"
)
WRITTEN = {
    "for (int i = 0; i < n; i++) y[i] = x[i];": "parallel for if (&y != &x)",
    "for (int i = 0; i < n; i++) y[i] = z[i] + own[i];": "parallel for\n",
    "for (int i = 0; i < n; i++) y[i] = a[i];": "parallel for\n",
    "for (int i = 0; i < n; i++) a[i] = p[i].x;": "parallel for\n",
    "for (int i = 0; i < n; i++) if (i < a.size()) a[z[i]] += p[i].x;": (
        "for reduction(+ : a_elements[:9])\n    for (int i = 0; i < n; i++)"
        " if (i < a.size()) a_elements[z[i]] += p[i].x;"
    ),
    "for (int i = 0; i < n; i++) y[z[i]] += p[i].x;": "omp atomic",
    "for (int i = 0; i < n; i++) a[z[i]]++; for (int i = 0; i < n; i++) a[z[i]] += 2;": (
        "(+ : a_elements_1[:9])\n    for (int i = 0; i < n; i++) a_elements_1[z[i]] += 2;"
    ),
    "for (int i = 0; i < n; i++) rows[i][0] = others[i][1];": "parallel for if (&rows != &others)",
    "for (int i = 0; i < n; i++) p[i].x = z[i];": "for if ((const void *)&p != (const void *)&z)",
    "for (int i = 0; i < n; i++) y[i] = length(p[i]);": "for if ((const void *)&y != (const void *)&p)",
    "for (int i = 0; i < 2000; i++) y[i] = weights[i][0] * taps[i];": "parallel for\n",
    "for (int i = 0; i < 2000; i++) y[i] = heights[i][0];": (
        "for if ((const void *)(y.data() + y.size()) <= (const void *)heights"
        " || (const void *)(heights + 2000) <= (const void *)y.data())"
    ),
    "for (int i = 0; i < n; i++) a[i] = words[i][0];": "parallel for\n",
    "for (int i = 0; i < n; i++) q[i] = std::norm(q[i]);": "parallel for\n",
    "for (auto &e : y) { e = 1 / e; }": (
        "for (std::size_t e_index = 0; e_index < y.size(); e_index++) { y[e_index] = 1 / y[e_index]; }"
    ),
}
REFUSED = {
    "for (int i = 0; i < n; i++) y[i] = q[i];": "the length of `q` is not known",
    "for (int i = 0; i < n; i++) q[i] = rows[i][0];": "the length of `q` is not known",
    "for (int i = 0; i < n; i++) y[i] = rows[i][0];": "`y` and `rows` may lie inside the other",
    "for (int i = 0; i < n; i++) rows[i][0] = y[i];": "`rows` and `y` may lie inside the other",
    "for (int i = 0; i < n; i++) a[i] = cells[i].parts[0];": "`a` and `cells` may lie inside the other",
    "for (int i = 0; i < n; i++) { a[i] = 1; a[z[i]] += 2; }": (
        "loop-carried dependence on `a`: writes `a[i]`, updates `a[z[i]]`"
    ),
    "for (int i = 0; i < n; i++) y[i] = moved(p[0]);": "a call of `moved`, whose effects are unknown",
}
BODIES = [*WRITTEN, *REFUSED]
Proposals = dict[tuple[str, Dialect], Candidate | Rejected]


@pytest.fixture(scope="module")
def proposals(tmp_path_factory: pytest.TempPathFactory) -> Proposals:
    """Return what is proposed for each body, all read as one file: that takes the compiler half a second."""
    root = tmp_path_factory.mktemp("source")
    functions = [f"void f{number}({PARAMETERS})\n{{\n    {body}\n}}\n" for number, body in enumerate(BODIES)]
    (root / "a.cpp").write_text(SOURCE + "".join(functions))
    source = parsers.read(root)
    found = {}
    for unit in source.units:
        for signature in source.signatures[unit.id] if unit.name[1:].isdigit() else ():
            contract = Contract(signature=signature, arrays=(), scalars=(), law=None)
            for target in (OPENMP, CUDA):
                proposed = translators.propose(source, unit, (contract,), target)
                found[BODIES[int(unit.name[1:])], target] = proposed
    return found


@pytest.mark.parametrize(("body", "line"), WRITTEN.items())
def test_containers_that_may_be_one_are_asked(body: str, line: str, proposals: Proposals) -> None:
    found = proposals[body, OPENMP]
    assert isinstance(found, Candidate)
    assert line in found.replacements[0].shown
    assert found.binding.arguments == (
        "x",
        "y",
        "z",
        "p",
        "a",
        "q",
        "own",
        "rows",
        "others",
        "cells",
        "words",
        "n",
    )


@pytest.mark.parametrize(("body", "reason"), REFUSED.items())
def test_what_else_may_change_elements_is_refused(body: str, reason: str, proposals: Proposals) -> None:
    found = proposals[body, OPENMP]
    assert isinstance(found, Rejected)
    assert re.sub(r" \(line \d+\)", "", found.diagnostics[0].message).endswith(reason)


@pytest.mark.parametrize("body", WRITTEN)
def test_a_device_has_neither_containers_nor_their_library(body: str, proposals: Proposals) -> None:
    found = proposals[body, CUDA]
    assert isinstance(found, Rejected)
    reason = "a call of `std::norm`, which is host code" if "std::norm" in body else "is host memory"
    assert found.diagnostics[0].message.endswith(reason)


def test_a_running_sum_may_be_stored_in_a_vector() -> None:
    text = f"{HEAD} {{ for (size_t i = 1; i < x.size(); i++) y[i] = y[i - 1] + x[i]; }}"
    assert "double y_running = x.size() > 1 ? y[0] : 0;" in normal(text, EnclosingScope())


@pytest.mark.parametrize(
    ("loop", "form"),
    [
        ("for (size_t i = 0; i < m; i++) { const auto &e = p[i]; y[i] = e.x; }", "{ y[i] = p[i].x; }"),
        ("for (size_t i = 0; i < m; i++) { double &e = y[i]; e *= 2; }", "{ y[i] *= 2; }"),
        ("for (size_t i = 0; i < m; i++) { double &e = q[i]; e += x[i]; }", "{ q[i] += x[i]; }"),
        ("for (size_t i = 0; i < m; i++) { auto &r = rows[i]; r[0] = 1; }", "{ rows[i][0] = 1; }"),
        ("for (auto it = y.begin(); it != y.end(); ++it) *it *= 2;", "y[it_index] *= 2;"),
        ("for (auto it = p.cbegin(); it != p.cend(); it++) n += it->x;", "n += p[it_index].x;"),
        (
            "for (std::vector<double>::const_iterator it = x.begin(); it != x.end(); ++it) n += (*it);",
            "it_index < x.size(); it_index++) n += (x[it_index]);",
        ),
        # what stays
        ("for (size_t i = 0; i < m; i++) { const float &e = x[i]; y[i] = e; }", ""),
        ("for (size_t i = 0; i < m; i++) { const double &e = x[at[i]]; y[i] = e; }", ""),
        ("for (size_t i = 0; i < m; i++) { size_t j = i; auto &e = y[j]; j++; e = 1; }", ""),
        ("for (size_t i = 0; i < m; i++) { auto &e = y[i]; for (int i = 0; i < 3; i++) e += i; }", ""),
        ("for (size_t i = 0; i < m; i++) { auto &e = y[i]; y.pop_back(); e = 1; }", ""),
        ("for (size_t i = 0; i < m; i++) for (auto &e = y[i]; e > 1;) e = 1;", ""),
        ("for (size_t i = 0; i < m; i++) { auto &e = q[i]; q = q + at[i]; e = 1; }", ""),
        ("for (auto it = y.begin(); it != y.end(); ++it) if (*it > 1) k = it - y.begin();", ""),
        ("for (auto it = y.begin(); it != y.end(); ++it) y.push_back(*it);", ""),
        ("for (auto it = y.begin(); it != x.end(); ++it) *it = 1;", ""),
        ("for (auto it = y.begin(); it != y.end(); it += 2) *it = 1;", ""),
        ("for (const auto &[a, b] : p) k += a;", ""),
    ],
)
def test_names_of_elements_become_places(loop: str, form: str) -> None:
    text = f"{HEAD} {{ {loop} }}"
    written = normal(text, EnclosingScope())
    assert form in written and (written != text) == bool(form)
