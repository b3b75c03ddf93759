"""Loops that run in parallel where arrays of indices are in order: which, by what, and what is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, permutations, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transpile import parsers, translators
from transpile.code.syntax import Function
from transpile.code.variables import resolve
from transpile.core import (
    CUDA,
    OPENMP,
    STDPAR,
    ArrayFact,
    Asked,
    ByRules,
    Candidate,
    Contract,
    Dialect,
    Rejected,
    Role,
    Signature,
)
from transpile.translators.loops.analysis.analysis import nests
from transpile.translators.loops.analysis.idioms import ALL_IDIOMS
from transpile.translators.loops.analysis.indirect import freed
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.planning.choice import formed
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope

HEAD = "void f(double *y, const double *x, const int *at, const long *far, const unsigned *up, int n, int m)"
FACTS = tuple(ArrayFact(name=name, role=Role.IN, extent="n") for name in ("at", "far", "up"))
CONTRACT = Contract(signature=Signature(name="f"), arrays=FACTS, scalars=(), law=None)
ROW = "for (int j = at[i]; j < at[i + 1]; j++)"


def outcome(body: str) -> tuple[str, ...]:
    """Return what a function rests on in whose loop over i alone iterations run in parallel; else nothing."""
    found = formed(f"{HEAD} {{ {body} }}", CONTRACT, EnclosingScope(), idioms=ALL_IDIOMS, asking=True)
    outer = [part.loops[0] for part in found.parts if isinstance(part, Band)]
    return found.rules if [item.loop.variable.name for item in outer] == ["i"] else ()


@pytest.mark.parametrize(
    "body",
    [
        f"for (int i = 0; i < n; i++) {{ {ROW} y[j] = y[j] / x[i]; }}",
        f"for (int i = 0; i < n; i++) {{ double s = 0; {ROW} s += y[j]; {ROW} y[j] = x[j] / s; }}",
        "int i, j; for (i = 0; i < n; i++) { int e = at[i + 1]; for (j = at[i]; j < e; j++) y[j] = x[i]; }",
        "for (int i = n; i > 0; i--) for (int j = at[i] - 1; j >= at[i - 1]; j--) y[j] = x[i] * y[j];",
        "for (int i = 0; i < n; i++) for (long j = at[i]; j < at[i + 1]; j++) y[j] = x[i];",
        f"for (int t = 0; t < m; t++) {{ for (int i = 0; i < n; i++) {{ {ROW} y[j] = (y[j] + t) / 2; }} }}",
    ],
)
def test_rows_are_asked_whether_they_ascend(body: str) -> None:
    assert outcome(body) == ("asks whether at is ascending",)


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < n; i++) y[at[i]] = exp(x[i]);",
        "for (int i = 1; i < n; i++) { int k = at[i - 1]; y[k] = y[k] / 2 + sin(x[i]); }",
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[at[i] * m + j] = x[i * m + j];",
        "for (int i = 0; i < n; i++) { double s = 0; for (int j = 0; j < m; j++) s += x[j]; y[at[i]] = s; }",
    ],
)
def test_indices_are_asked_whether_they_differ(body: str) -> None:
    assert outcome(body) == ("asks whether at is distinct",)


@pytest.mark.parametrize(
    "body",
    [
        # iterations meet all the same
        "for (int i = 0; i < n; i++) for (int j = at[i]; j <= at[i + 1]; j++) y[j] = x[i];",
        f"for (int i = 0; i < n; i++) {{ {ROW} y[j + 1] = y[j] / 2; }}",
        "for (int i = 0; i < n; i++) for (int j = at[i]; j < at[i + 2]; j++) y[j] = x[i];",
        "for (int i = 0; i < n; i++) y[at[i]] = exp(y[i]);",
        "for (int i = 0; i < n; i++) for (int j = 0; j <= m; j++) y[at[i] * m + j] = x[i * m + j];",
        # the type of a variable is too narrow for an offset
        "for (int i = 0; i < n; i++) for (int j = far[i]; j < far[i + 1]; j++) y[j] = x[i];",
        "for (int i = 0; i < n; i++) { int e = far[i + 1]; for (long j = far[i]; j < e; j++) y[j] = x[j]; }",
        "for (int i = 0; i < n; i++) for (long j = up[i]; j < (long)up[i + 1] - 1 + 1; j++) y[j] = x[i];",
        # the program cannot ask what the source does not read
        f"for (int i = 0; i < n; i++) {{ if (x[i] > 0) {ROW} y[j] = x[j]; }}",
        f"for (int i = 0; i < n; i++) {{ if (x[i] > 0) continue; {ROW} y[j] = x[j]; }}",
        f"for (int i = 0; i < n; i += 2) {{ {ROW} y[j] = x[j]; }}",
        "for (int i = 0; i < n; i++) if (x[i] > 0) y[at[i]] = exp(x[i]);",
        # updates wait for each other instead
        "for (int i = 0; i < n; i++) y[at[i]] += exp(x[i]);",
        # it takes as long to ask
        "for (int i = 0; i < n; i++) y[at[i]] = x[i];",
        "for (int i = 0; i < n; i++) y[at[i]] = sqrt(x[i]);",
        # offsets that change
        f"for (int i = 0; i < n; i++) {{ int *p = (int *)at; p[i] = 0; {ROW} y[j] = x[j]; }}",
        f"for (int i = 0; i < n; i++) {{ at++; {ROW} y[j] = x[j]; }}",
    ],
)
def test_what_is_not_asked(body: str) -> None:
    assert outcome(body) == ()


@pytest.mark.parametrize(
    ("stated", "loops", "rules"), [(False, "i", ()), (True, "ij", ("assumes at is distinct",))]
)
def test_a_loop_with_a_check_of_its_own_joins_no_other(
    stated: bool, loops: str, rules: tuple[str, ...]
) -> None:
    text = (
        "void f(double y[][99], const double *x, const int *at, int n, int m, int steps) {"
        " for (int t = 0; t < steps; t++) { for (int i = 0; i < n; i++) {"
        " for (int j = 0; j < m; j++) { y[i][at[j]] = exp(x[j] + y[i][at[j]]); } } } }"
    )
    contract = replace(CONTRACT, arrays=(replace(FACTS[0], distinct=stated),))
    found = formed(text, contract, EnclosingScope(), idioms=ALL_IDIOMS, asking=True)
    [band] = found.parts
    assert isinstance(band, Band) and "".join(item.loop.variable.name for item in band.loops) == loops
    assert not band.loops[0].checks and found.rules == rules


RISING = set(combinations_with_replacement(range(4), 5))
ORDERED = {"ascending": RISING, "distinct": set(permutations(range(5)))}
N, M = 3, 2


@st.composite
def bodies(draw: st.DrawFn) -> tuple[str, str]:
    """Return what is done in iteration i, as C, and the elements that it writes, as Python."""
    a, b, c, d, e = (draw(st.integers(0, 1)) for _ in range(5))
    if draw(st.booleans()):
        loop = f"for (int j = at[i + {a}] + {b}; j < at[i + {c}] + {d}; j++) y[j + {e}] = x[j];"
        return loop, f"[j + {e} for j in range(at[i + {a}] + {b}, at[i + {c}] + {d})]"
    return (
        f"for (int j = 0; j < m + {a}; j++) {{"
        f" y[at[i] * m + j] = x[i]; y[at[i + {b}] * m + {c} * j] = x[j]; }}",
        f"[k for j in range(m + {a}) for k in (at[i] * m + j, at[i + {b}] * m + {c} * j)]",
    )


def touched(python: str, at: tuple[int, ...]) -> Iterator[set[int]]:
    for i in range(N):
        yield set(eval(python, {"at": at, "i": i, "m": M, "range": range}))


@settings(max_examples=25, deadline=None)
@given(bodies())
def test_iterations_that_meet_are_never_said_to_be_free(body: tuple[str, str]) -> None:
    function = Function(f"{HEAD} {{ for (int i = 0; i < n; i++) {{ {body[0]} }} }}")
    variables = resolve(function)
    [nest] = nests(function, variables)
    for item in freed(nest, variables, EnclosingScope()):
        if item.known.loop.variable.name != "i":
            continue
        kinds = {order.kind.value for order in item.orders}
        for at in set.intersection(*(ORDERED[kind] for kind in kinds)):
            for one, other in product(enumerate(touched(body[1], at)), repeat=2):
                assert one[0] == other[0] or not one[1] & other[1], (body[0], at)


def proposed(place: Path, body: str, target: Dialect, *facts: ArrayFact) -> Candidate | Rejected:
    (place / "a.c").write_text(f"#include <math.h>\n{HEAD}\n{{\n{body}\n}}\n")
    source = parsers.read(place)
    [unit] = source.units
    [signature] = source.signatures[unit.id]
    known = {"y": "n", "x": "n", "at": "n + 1", "far": "n", "up": "n"}
    arrays = {name: ArrayFact(name=name, role=Role.IN, extent=extent) for name, extent in known.items()}
    arrays |= {fact.name: fact for fact in facts}
    contract = Contract(signature=signature, arrays=tuple(arrays.values()), scalars=(), law=None)
    return translators.propose(source, unit, (contract,), target)


SCATTER = "    for (int i = 0; i < n; i++)\n        y[at[i]] = x[i];"


@pytest.mark.parametrize("target", [OPENMP, CUDA, STDPAR])
def test_what_a_contract_says_is_supposed(target: Dialect, tmp_path: Path) -> None:
    fact = ArrayFact(name="at", role=Role.IN, extent="n", distinct=True)
    found = proposed(tmp_path, SCATTER, target, fact)
    assert isinstance(found, Candidate) and isinstance(found.origin, ByRules) and not found.asks
    assert "assumes at is distinct" in found.origin.rules
    assert found.origin.proof is not None and "at is distinct" in found.origin.proof.assumptions


@pytest.mark.parametrize("value", ["x[i]", "exp(x[i])"])
@pytest.mark.parametrize("distinct", [True, False])
def test_nothing_is_known_of_arrays_that_the_function_writes(
    value: str, distinct: bool, tmp_path: Path
) -> None:
    fact = ArrayFact(name="at", role=Role.INOUT, extent="n", distinct=distinct)
    assert isinstance(proposed(tmp_path, SCATTER.replace("x[i]", value), OPENMP, fact), Rejected)


@pytest.mark.parametrize("value", ["x[i]", "exp(x[i])"])
def test_what_a_contract_may_say_is_foreseen(value: str, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(f"#include <math.h>\n{HEAD}\n{{\n{SCATTER.replace('x[i]', value)}\n}}\n")
    source = parsers.read(tmp_path)
    assert translators.foreseen(source, source.units[0], OPENMP) is None


def test_rows_are_asked_above_their_loop(tmp_path: Path) -> None:
    rows = f"    for (int i = 0; i < n; i++) {{\n        {ROW} y[j] = y[j] / x[i];\n    }}"
    found = proposed(tmp_path, rows, OPENMP)
    assert isinstance(found, Candidate) and found.asks == (Asked(array="at", order="ascending"),)
    text = found.replacements[0].shown
    check = "    for (int i = 0; i < n; i++)\n        at_ascending &= at[i] <= at[i + 1];\n"
    assert f"    int at_ascending = 1;\n{check}    #pragma omp parallel for schedule(guided) if (" in text
    assert "&& at_ascending)\n" in text
    for target in (CUDA, STDPAR):
        other = proposed(tmp_path, rows, target)
        assert isinstance(other, Rejected) or not other.asks


def test_indices_are_asked_by_a_function_beside(tmp_path: Path) -> None:
    found = proposed(tmp_path, SCATTER.replace("x[i]", "exp(x[i])").replace("= 0", "= m"), OPENMP)
    assert isinstance(found, Candidate) and found.asks == (Asked(array="at", order="distinct"),)
    assert found.headers == ("<stdlib.h>",)
    text = found.replacements[0].shown
    assert "\nstatic int f_at_distinct(const int *index, long long count)\n" in text
    assert "const int at_distinct = f_at_distinct(at + m, n - m);" in text
