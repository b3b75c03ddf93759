"""Loops in normal form: cases, and a law against running both forms."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.unit.translators.loops.forms.interpreter import ran
from transpile.code.syntax import Function
from transpile.code.variables import resolve
from transpile.translators.loops.analysis.analysis import nests
from transpile.translators.loops.forms.normal import normal
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope

HEAD = "int f(int *y, int n, int m, int c)"


def normalised(body: str) -> str:
    return normal(f"{HEAD} {{ {body} }}", EnclosingScope())


def free(text: str) -> str:
    """Return the variables of the loops that may run in parallel."""
    function = Function(text)
    found = nests(function, resolve(function))
    return "".join(item.loop.variable.name for nest in found for item in nest.loops if item.parallel)


@pytest.mark.parametrize(
    ("body", "form", "parallel"),
    [
        ("int k = 0; for (int i = 0; i < n; i++) y[k++] = i;", "y[i] = i;", "i"),
        ("int k = 2; for (int i = 0; i < n; i++) y[++k] = i;", "y[i + 3] = i;", "i"),
        ("int k = 0, s = 0; for (int i = 0; i < n; i++) s += 2 * y[k++];", "s += 2 * y[i];", "i"),
        ("int k = 0; for (int i = 1; i < n; i++) { y[k] = i; k += 2; }", "y[(i - 1) * 2] = i;", "i"),
        ("long k = 0; for (int i = 0; i < n; i++) y[k++] = i;", "y[(long)i] = i;", "i"),
        ("for (int i = 0; i < n; i++) *y++ = i;", "*(y + i) = i;", "i"),
        ("int *p = y; for (int i = 0; i < n; i++) *p++ = i;", "*(y + i) = i;", "i"),
        ("int k = n; for (int i = 0; i < n; i++) y[--k] = i;", "y[n - i - 1] = i;", "i"),
        ("int k = c < 0 ? m : 0; for (int i = 0; i < n; i++) y[k++] = i;", "y[(c < 0 ? m : 0) + i] = i;", ""),
        ("int k = c & 3; for (int i = 0; i < n; i++) y[k++] = i;", "y[(c & 3) + i] = i;", ""),
        ("int k = c<<1; for (int i = 0; i < n; i++) y[k++] = i;", "y[(c<<1) + i] = i;", "i"),
        (
            "int k = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[k++] = j;",
            "y[i * m + j] = j;",
            "ij",
        ),
        ("int i, k; for (i = 0, k = 3; i < n; i++, k++) y[k] = i;", "y[i + 3] = i;", "i"),
        ("for (int i = m, k = 0; i < n; i++, k++) y[k] = i;", "y[i - m] = i;", "i"),
        ("for (int k = c, i = 0; i < n; i++, k += 2) y[k] = i; int k = 1;", "y[c + i * 2] = i;", "i"),
        ("int k = 0; for (int i = 0; i < n; i += 2) y[k++] = i;", "y[i / 2] = i;", "i"),
        ("int i = 0; while (i < n) { y[i] = 1; i++; }", "for (i = 0; i < n; i++) {", "i"),
        ("for (int i = 0; i + 1 < n; i++) y[i] = 1;", "i < n - 1;", "i"),
        ("for (int i = 0; n - 1 > i + 1; i++) y[i] = 1;", "(n - 1) - 1 > i;", "i"),
        ("int i; for (i = 0; i < n; i++) y[i] = 1; return i;", "i = n > 0 ? n : 0;", "i"),
        (
            "int *p = y; for (int t = 0; t < n; t++) { for (int i = 0; i < t; i++) *p++ = i; }",
            "p += (t > 0 ? t : 0);",
            "",
        ),
        (  # to - from is not less than zero where from is greater
            "unsigned from = m, to = n, k = 0; for (unsigned i = from; i < to; i++) y[k++] = i; return k;",
            "k += (unsigned)(to > from ? to - from : 0);",
            "i",
        ),
        ("while (n--) *y++ = 1;", "*(y + n_count) = 1;", "n_count"),
        ("for (unsigned i = n; i--; ) y[i] = i;", "const unsigned i = i_first - 1 - i_count;", "i_count"),
        ("for (int i = 1; i < n; i++) y[i] = y[i - 1] + i;", "int y_running = n > 1 ? y[0] : 0;", "i"),
        ("for (int i = 0; i < n; i++) { y[i + 1] = i * m + y[i]; }", "y_running += i * m;", "i"),
        ("for (int i = n - 2; i >= 0; i--) y[i] += y[i + 1];", "0 <= n - 2 ? y[n - 1] : 0;", "i"),
        ("for (int i = 1; i < n; i++) // here\n y[i] = y[i - 1] + i;", "i++) {\n    y_running += i;", "i"),
        ("for (unsigned i = n; i--; ) // here\n y[i] = i;", ") {\n    const unsigned i", "i_count"),
        ("for (int i = c; i < n; i += 2) y[i] = y[i - 2] - m;", "y_running -= m;", "i"),
    ],
)
def test_forms(body: str, form: str, parallel: str) -> None:
    text = normalised(body)
    assert form in text and free(text) == parallel


@pytest.mark.parametrize(
    "body",
    [
        "int k = 0; for (int i = 0; i < n; i++) if (y[i] > 0) y[k++] = i;",
        "int k = 0; for (int i = 0; i < n; i++) { if (y[i] > 0) continue; k++; }",
        "int k = 0; for (int i = 0; i < n; i++) { if (y[i] > 0) break; y[k++] = 1; }",
        "int k = 0; for (int i = 0; i < n; i++) y[k] = k++;",
        "int k = 0; for (int i = 0; i < n; i++) { k += i; y[k] = 1; }",
        "int k = 0; for (int i = 0; i < n; i++) { k += m; m *= 2; y[k] = 1; }",
        "int k = 0; for (int i = 0; i < n; i++) { y[k] = 1; k += 1.5; }",
        "int k = 0; for (int i = 0; i < n; i++) { int *p = &k; k++; *p = 0; }",
        "int k = 0; for (int i = 0; i < n; i++) y[i] = y[i] && y[k++];",
        "int k = 0; for (int i = 0; i < n; i++) { L: y[k] = 1; k++; if (y[i]) goto L; }",
        "short k = 0; for (int i = 0; i < n; i++) y[k++] = 1;",
        "unsigned long s; for (int i = 0; i + 1 < s; i++) y[i] = 1;",
        "for (int i = 0; i * i < n; i++) y[i] = 1;",
        "int i; for (i = 0; i < n; i++) if (y[i]) break; return i;",
        "while (n--) y[n] = n--;",
        "for (int i = 1; i < n; i++) y[i] = y[i - 1] * 2;",
        "for (int i = 1; i < n; i++) y[i] = i - y[i - 1];",
        "for (int i = 2; i < n; i++) y[i] = y[i - 2] + 1;",
        "for (int i = 1; i < n; i++) y[i] = y[i + 1] + 1;",
        "for (int i = 1; i < n; i++) y[i] = y[i - 1] + y[i];",
        "for (int i = 1; i < n; i++) y[i] = y[i - 1] + y[c];",
        "for (int i = 1; i < n; i++) y[i] = y[i - 1] + (c = 3);",
        "for (int i = 1; i < n; i++) y[i * i] = y[i * i - 1] + 1;",
        "for (int i = 1; i < n; i++) { y[i] = y[i - 1] + 1; m = y[i]; }",
    ],
)
def test_what_has_no_such_form_stays(body: str) -> None:
    assert normalised(body) == f"{HEAD} {{ {body} }}"


HEADS = (
    "for (int {v} = {a}; {v} < {b}; {v}++)",
    "for (int {v} = {b} - 1; {v} >= {a}; --{v})",
    "for (int {v} = {a}; {v} + 1 <= {b}; {v} += 2)",
    "for ({w} = {a}; {v} < {b}; {v}++, k++)",
    "for ({w} = {a}, k = 2; {b} > {v}; {v}++)",
    "for ({w} = {b}; {v}--; )",
)
MOVES = (
    "",
    "k++;",
    "k += 2;",
    "k = k - 1;",
    "k += c;",
    "k += c < n ? 2 : m;",
    "k -= n - c;",
    "*y++ = k;",
    "y[k++] = {v};",
    "y[--k] = 7 * {v};",
    "y[c] = 1 + y[k++];",
)


@st.composite
def small(draw: st.DrawFn) -> str:
    """Return a nest of two loops with what moves along in all places."""

    def head(variable: str, bound: str) -> str:
        first = draw(st.sampled_from(("0", "1", "c", "(c < m ? c : 1)")))
        bounded = draw(st.sampled_from((bound, "3", f"(c < {bound} ? 2 : 3)")))
        text = draw(st.sampled_from(HEADS))
        return text.format(v=variable, w=variable, a=first, b=bounded)

    def moves(variable: str) -> str:
        return draw(st.sampled_from(MOVES)).format(v=variable)

    inner = f"{head('j', draw(st.sampled_from(('m', 'i'))))} {{ y[k] = i + 10 * j; {moves('j')} }}"
    between = draw(st.sampled_from(("", "k = 5;", "int l = i; while (l < m) { y[l + k] = l; l++; }")))
    behind = draw(st.sampled_from(("y[k + 1] = i;", "")))
    outer = f"{head('i', 'n')} {{ {moves('i')} {between} {inner} {moves('i')} {behind} }}"
    read = draw(st.sampled_from(("i + 100 * k", "0")))
    start = draw(st.sampled_from(("1", "n - c", "c < 1 ? 2 : c", "c > 0 ? n - 1 : m + 1")))
    return f"int i = 0, j = 0; int k = {start}; {outer} return {read};"


@settings(max_examples=60, deadline=None)
@given(small())
@example(
    "int k = 0; for (int i = 0; i < n; i++) { for (int j = 0; j < i; j++) { y[k] = i; k++; } } return 0;"
)
def test_the_normal_form_does_what_the_source_does(body: str) -> None:
    text = f"{HEAD} {{ {body} }}"
    rewritten = normal(text, EnclosingScope())
    for n, m, c in product((0, 1, 3), (0, 2), (0, 1)):
        names = {"y": 0, "n": n, "m": m, "c": c}
        assert ran(rewritten, **names) == ran(text, **names), (text, rewritten, names)


@pytest.mark.parametrize(
    "recurrence",
    [
        "for (int i = 1; i < n; i++) y[i] = y[i - 1] + i;",
        "for (int i = c; i <= n; i++) y[i + 1] = i * m + y[i];",
        "for (int i = n - 2; i >= c; i--) y[i] += y[i + 1];",
        "for (int i = c + 2; i < n; i += 2) y[i] = y[i - 2] - m;",
    ],
)
def test_a_running_sum_begins_with_what_is_there(recurrence: str) -> None:
    text = f"{HEAD} {{ for (int j = 0; j < 9; j++) y[j] = j * j + c; {recurrence} return y[4]; }}"
    rewritten = normal(text, EnclosingScope())
    assert "y_running" in rewritten
    for n, m, c in product((0, 1, 2, 6), (0, 3), (0, 2)):
        names = {"y": 0, "n": n, "m": m, "c": c}
        assert ran(rewritten, **names) == ran(text, **names), (text, rewritten, names)
