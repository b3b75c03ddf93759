"""Arrays of indices that are members of structs."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import OPENMP, STDPAR, ArrayFact, Asked, Candidate, Contract, Dialect, Rejected, Role

HEAD = """\
double exp(double x);
typedef struct { int n; int *start, *col; long *far; unsigned *wide; double *val; } Rows;
typedef struct { Rows rows; Rows *other; double *val; } Graph;
void sorted(Rows *a);
"""
WRITTEN = ("y", "val", "flags")


def proposed(
    place: Path, body: str, target: Dialect = OPENMP, *, ascending: bool = False
) -> Candidate | Rejected:
    given = "Rows *a, Graph *g, Rows v, const double *x, double *y, int *flags"
    (place / "a.c").write_text(f"{HEAD}void f({given})\n{{\n{body}\n}}\n")
    source = parsers.read(place)
    [unit] = source.units
    [signature] = source.signatures[unit.id]
    facts = [
        ArrayFact(
            name=item.name,
            role=Role.INOUT if item.name.endswith(WRITTEN) else Role.IN,
            extent="1" if item.least else "100",
            ascending=ascending and item.name.endswith("start"),
            stated=True,
        )
        for item in signature.parameters
        if item.pointer
    ]
    contract = Contract(signature=signature, arrays=tuple(facts), scalars=(), law=None)
    return translators.propose(source, unit, (contract,), target)


def asks(place: Path, body: str) -> tuple[Asked, ...]:
    """Return what a port asks of its arrays; nothing where it is none."""
    found = proposed(place, body)
    return found.asks if isinstance(found, Candidate) else ()


ROWS = "for (int i = 0; i < a->n; i++) for (int k = a->start[i]; k < a->start[i + 1]; k++) y[k] *= x[i];"
PUT = "for (int i = 0; i < a->n; i++) y[a->col[i]] = exp(x[i]);"


@pytest.mark.parametrize(
    ("body", "name", "order"),
    [
        (ROWS, "a.start", "ascending"),
        (ROWS.replace("y[k]", "a->val[k]"), "a.start", "ascending"),
        (ROWS.replace("a->", "v."), "v.start", "ascending"),
        (ROWS.replace("a->", "g->rows."), "g.rows.start", "ascending"),
        (ROWS.replace("a->", "g->other->"), "g.other.start", "ascending"),
        (ROWS.replace("a->start", "a->far").replace("int k", "long k"), "a.far", "ascending"),
        ("int *s = a->start; " + ROWS.replace("a->start", "s"), "a.start", "ascending"),
        (
            "Rows *r = &g->rows; int *s = r->start; " + ROWS.replace("a->start", "s"),
            "g.rows.start",
            "ascending",
        ),
        ("int *s = a->start; " + ROWS.replace("a->start[i]", "s[i]"), "a.start", "ascending"),
        (PUT, "a.col", "distinct"),
        (PUT.replace("y[a->col[i]]", "g->val[a->col[i]]"), "a.col", "distinct"),
    ],
)
def test_members_are_asked_whether_they_are_in_order(
    body: str, name: str, order: str, tmp_path: Path
) -> None:
    assert asks(tmp_path, body) == (Asked(array=name, order=order),)


@pytest.mark.parametrize(
    "body",
    [
        # elements, or where they are, change
        ROWS.replace("y[k] *=", "a->start[k] = 1, y[k] *="),
        ROWS.replace("for (int k", "{ a->start = a->col; for (int k") + " }",
        ROWS.replace("for (int k", "{ a->start++; for (int k") + " }",
        ROWS.replace("for (int k", "{ *a = v; for (int k") + " }",
        "int **s = &a->start; " + ROWS.replace("for (int k", "{ *s = a->col; for (int k") + " }",
        "int *s = a->start; "
        + ROWS.replace("a->start", "s").replace("for (int k", "{ s++; for (int k")
        + " }",
        f"for (int t = 0; t < 9; t++) {{ {ROWS} for (int j = 0; j < a->n; j++) a->start[j] = t; }}",
        f"sorted(a); {ROWS}",
        # not where rows begin
        "int *s = a->start + 1; " + ROWS.replace("a->start[i]", "s[i]"),
        ROWS.replace("a->start[i]", "g->other->start[i]"),
        ROWS.replace("a->start[i + 1]", "a->start[i + 2]"),
        # numbers that a variable may not hold
        ROWS.replace("a->start", "a->far"),
        ROWS.replace("a->start", "a->wide"),
        # not in each iteration
        ROWS.replace("for (int k", "if (x[i] > 0) for (int k"),
        # several places say it
        PUT.replace("exp(x[i])", "exp(y[i])"),
    ],
)
def test_members_that_are_not_asked(body: str, tmp_path: Path) -> None:
    assert asks(tmp_path, body) == ()


def test_what_is_written_may_be_the_indices(tmp_path: Path) -> None:
    found = proposed(tmp_path, ROWS.replace("y[k] *= x[i]", "flags[k] = i"))
    assert isinstance(found, Candidate)
    shown = found.replacements[0].shown
    assert "a->start + 100 <= flags || flags + 100 <= a->start" in shown
    assert "(const void *)(a + 1) <= (const void *)flags" in shown


def test_a_set_of_places_has_a_function_of_its_own(tmp_path: Path) -> None:
    found = proposed(tmp_path, PUT.replace("a->", "g->other->"))
    assert isinstance(found, Candidate)
    assert "f_g_other_col_distinct(g->other->col, " in found.replacements[0].shown


@pytest.mark.parametrize(("ascending", "kept"), [(True, True), (False, False)])
def test_targets_that_ask_nothing_take_the_word_of_the_contract(
    ascending: bool, kept: bool, tmp_path: Path
) -> None:
    found = proposed(tmp_path, ROWS.replace("a->", "v."), STDPAR, ascending=ascending)
    outer = isinstance(found, Candidate) and "[=](int i)" in found.replacements[0].shown
    assert outer == kept, found
