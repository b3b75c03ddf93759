"""Arrays that lie in structs, and not behind pointers in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import CUDA, OPENMP, ArrayFact, Candidate, Contract, Dialect, Role
from transpile.translators.loops.iteration import trips

HEAD = """typedef struct { double x, y; } Point;
typedef struct {
    int n; double w[9], total, m[4][4], cells[100], next[100]; int bins[16]; Point at[50]; double tail[1];
} Fixed;
typedef struct { int k; Fixed *f; Fixed own; } Outer;
typedef struct { int id; double v[3]; } Body;
typedef struct { int n; Body *list; } Box;
"""
GIVEN = "Fixed *f, Fixed *h, Outer *o, const double *x, const int *at"


@pytest.fixture(autouse=True)
def _short_loops_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a team of threads begin for the few iterations of these texts."""
    monkeypatch.setattr(trips, "_FEW", 1)


def shown(place: Path, body: str, given: str = GIVEN, target: Dialect = OPENMP) -> str:
    """Return a port of a function; empty where there is none."""
    (place / "a.c").write_text(f"{HEAD}void f_({given})\n{{\n    {body}\n}}\n")
    source = parsers.read(place)
    [unit] = source.units
    [signature] = source.signatures[unit.id]
    facts = tuple(
        ArrayFact(name=item.name, role=Role.INOUT, extent="1" if item.least else "100")
        for item in signature.parameters
        if item.pointer
    )
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    found = translators.propose(source, unit, (contract,), target)
    return found.replacements[0].shown if isinstance(found, Candidate) else ""


SWEEP = "for (int i = 1; i < f->n; i++) f->next[i] = f->total * (f->cells[i - 1] + f->w[3]);"


@pytest.mark.parametrize(
    "body",
    [
        SWEEP,
        SWEEP.replace("f->", "o->f->"),
        SWEEP.replace("f->", "o->own."),
        f"Fixed *g = &o->own; {SWEEP.replace('f->', 'g->')}",
        "for (int i = 0; i < 16; i++) f->bins[i] = f->n;",
        "for (int i = 0; i < 50; i++) f->at[i].x = f->at[i].y;",
    ],
)
def test_arrays_in_a_struct_lie_beside_its_other_members(body: str, tmp_path: Path) -> None:
    assert f"#pragma omp parallel for\n    {body[body.index('for') :]}" in shown(tmp_path, body)


def test_rows_in_a_struct_are_memory_of_their_own(tmp_path: Path) -> None:
    body = "for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) f->m[i][j] = x[i];"
    apart = "(const void *)(f + 1) <= (const void *)x || (const void *)(x + 100) <= (const void *)f"
    assert f"collapse(2) if ({apart})\n" in shown(tmp_path, body)


def test_arrays_of_two_structs_are_asked_for(tmp_path: Path) -> None:
    body = "for (int i = 1; i < 99; i++) f->next[i] = h->next[i - 1];"
    assert "if (f + 1 <= h || h + 1 <= f)" in shown(tmp_path, body)


def test_updates_that_meet_are_atomic(tmp_path: Path) -> None:
    body = "for (int i = 0; i < 1000; i++) f->bins[at[i]] += 1;"
    marked = "i++)\n        #pragma omp atomic\n        f->bins[at[i]] += 1;"
    assert marked in shown(tmp_path, body)


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 1; i < 99; i++) f->next[i] = f->next[i - 1];",
        "Fixed *g = &o->own; for (int i = 1; i < 99; i++) o->own.next[i] = g->next[i - 1];",
        "for (int i = 1; i < 49; i++) f->at[i].x = f->at[i - 1].x;",
        "for (int i = 1; i < 99; i++) f->next[at[i]] = f->next[i - 1];",
        # by ways that are not followed, or are those of all of the struct
        "for (int i = 1; i < 99; i++) f->next[i] = (*(f + 0)).next[i - 1];",
        "double *u = f->next; for (int i = 1; i < 99; i++) u[i] = f->next[i - 1];",
        "double *u = &f->next[0]; for (int i = 1; i < 99; i++) u[i] = f->next[i - 1];",
        "for (int i = 1; i < 99; i++) *(f->next + i) = f->next[i - 1];",
        "for (int i = 1; i < 4; i++) { double *row = f->m[i - 1]; f->m[i][0] = row[0]; }",
        "for (int i = 1; i < 99; i++) { Fixed c = *f; f->next[i] = c.total; }",
        "for (int i = 1; i < 50; i++) { f->at[i] = f->at[i - 1]; f->at[i].y = f->n; }",
        # may be longer than it says
        "for (int i = 0; i < 99; i++) f->tail[i] = 1;",
        # other members are written
        "for (int i = 0; i < f->n; i++) { f->next[i] = 1; f->n = 3; }",
        "for (int i = 1; i < 99; i++) { f->total = f->cells[i]; f->next[i] = f->total; }",
        "for (int i = 1; i < 99; i++) { *h = *f; f->next[i] = 0; }",
        "for (int i = 1; i < 99; i++) { o->f = h; o->f->next[i] = 0; }",
    ],
)
def test_arrays_in_structs_that_meet_or_are_not_told_apart(body: str, tmp_path: Path) -> None:
    assert shown(tmp_path, body) == ""


def test_restrict_says_nothing_of_parts_of_one_struct(tmp_path: Path) -> None:
    body = "for (int i = 1; i < 99; i++) f->next[i] = f[0].next[i - 1];"
    assert shown(tmp_path, body, given="Fixed *restrict f") == ""


def test_arrays_in_elements_count_as_the_elements(tmp_path: Path) -> None:
    body = "for (int i = 0; i < b->n; i++) for (int j = 0; j < 3; j++) b->list[i].v[j] *= 2;"
    found = shown(tmp_path, body, given="Box *b")
    assert "#pragma omp parallel for" in found and found.count("for (int i") == 2  # with the source's own
    body = "for (int i = 0; i < b->n; i++) b->list[i].v[0] = b->list[i + 1].v[1];"
    assert shown(tmp_path, body, given="Box *b") == ""


def test_devices_take_no_arrays_out_of_structs_that_they_write(tmp_path: Path) -> None:
    assert shown(tmp_path, SWEEP, given="Fixed *f", target=CUDA) == ""


def test_devices_take_arrays_out_of_structs_that_they_read(tmp_path: Path) -> None:
    body = "for (int i = 0; i < 9; i++) y[i] = f->w[i];"
    assert "f->w[i]" in shown(tmp_path, body, given="const Fixed *f, double *y", target=CUDA)
