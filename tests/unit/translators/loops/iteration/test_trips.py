"""Trip counts of counted loops, and values of their variables, against the loops themselves."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transpile.code.syntax import Function, find
from transpile.code.variables import resolve
from transpile.translators.loops.iteration.nests import counted
from transpile.translators.loops.iteration.trips import count, short, some, value
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope


def value_of(text: str, **names: int) -> int:
    """Return an expression of C over whole numbers."""
    return int(eval(text.replace("/", "//"), {"__builtins__": {}}, names))


def iterations(first: int, sign: str, bound: int, step: int) -> list[int]:
    found = []
    at = first
    holds = {"<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__}[sign]
    while holds(at, bound):
        found.append(at)
        at += step
    return found


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(("0", "2", "a", "a + 1", "a - 3", "(a)")),
    st.sampled_from(("<", "<=", ">", ">=")),
    st.sampled_from(("n", "n - 1", "n + 2", "7", "2 * n", "n - (a)")),
    st.integers(1, 4),
    st.integers(-5, 9),
    st.integers(-5, 9),
)
def test_counts_and_values_are_those_of_the_loop(
    first: str, sign: str, bound: str, step: int, a: int, n: int
) -> None:
    up = sign.startswith("<")
    move = ("i++" if up else "i--") if step == 1 else f"i {'+' if up else '-'}= {step}"
    function = Function(f"void f(int a, int n) {{ for (int i = {first}; i {sign} {bound}; {move}) ; }}")
    loop = counted(next(find(function.body, "for_statement")), resolve(function), EnclosingScope())
    assert loop is not None
    wanted = iterations(value_of(first, a=a), sign, value_of(bound, a=a, n=n), step if up else -step)
    assert max(value_of(count(loop), a=a, n=n), 0) == len(wanted)
    assert bool(value_of(some(loop), a=a, n=n)) == bool(wanted)
    assert [value_of(value(loop, "k"), a=a, n=n, k=k) for k in range(len(wanted))] == wanted


@pytest.mark.parametrize(
    ("loops", "expected"),
    [
        ("for (int i = 0; i < 5; i++) a[i] = 0;", True),
        ("for (int i = 0; i < 5; i++) for (int j = 1; j <= 5; j++) a[i] += j;", True),
        ("for (int i = 0; i < 40; i++) for (int j = 0; j < 40; j++) a[i] += j;", False),
        ("for (int i = 0; i < n; i++) a[i] = 0;", False),
        ("for (int i = 0; i < 5; i++) for (int j = 0; j < n; j++) a[i] += j;", False),
        ("for (int i = 0; i < 5; i++) while (a[i] > 0) a[i] /= 2;", False),
        ("for (int i = 0; i < 5; i++) a[i] = simulated(i);", False),
    ],
    ids=["one", "two", "many", "unknown", "inner", "while", "call"],
)
def test_few_iterations_are_short_whatever_calls_none(loops: str, expected: bool) -> None:
    function = Function(f"void f(int n, double *a) {{ {loops} }}")
    variables = resolve(function)
    nodes = list(find(function.body, "for_statement"))
    known = [loop for node in nodes if (loop := counted(node, variables, EnclosingScope())) is not None]
    assert short(nodes[0], known) is expected


@pytest.mark.parametrize(
    ("kind", "first", "asked"),
    [
        ("int", "n - 1", "0 <= (int)(n - 1)"),
        ("int", "n", "0 <= n"),
        ("int", "m - 1", "0 <= m - 1"),
        ("size_t", "n - 1", "0 < n - 1"),
    ],
)
def test_a_difference_of_unsigned_numbers_is_asked_as_the_variable_has_it(
    kind: str, first: str, asked: str
) -> None:
    sign = ">" if kind == "size_t" else ">="
    head = "void f(int *y, size_t n, int m)"
    function = Function(f"{head} {{ for ({kind} i = {first}; i {sign} 0; i--) y[i] = 1; }}")
    [node] = find(function.body, "for_statement")
    loop = counted(node, resolve(function), EnclosingScope())
    assert loop is not None and some(loop) == asked
