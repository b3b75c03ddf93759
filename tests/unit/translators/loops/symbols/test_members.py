"""Members of structs behind parameters, as sizes and as pointers to arrays."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import (
    CUDA,
    OPENMP,
    OPENMP_TARGET,
    ArrayFact,
    ByRules,
    Candidate,
    Contract,
    Dialect,
    Rejected,
    Role,
    Source,
    Unit,
)
from transpile.translators.loops.iteration import trips
from transpile.translators.targets.openmp.variants import variants

HEAD = """typedef struct { int n, m; unsigned wide; double scale, total; double *u, *v; int *flags; } Grid;
typedef struct { int steps; Grid grid; double factor; } Sim;
typedef struct { int steps; Grid *grid; double factor; } Far;
typedef struct { double x, y; } Point;
typedef struct { int n; Point *points; Point origin; } Cloud;
typedef struct { int n; double *data; } Block;
typedef Sim *link;
#ifdef SINGLE
typedef float real;
#else
typedef double real;
#endif
double fabs(double x);
void grow(Grid *g);
"""
LENGTHS = {
    "g": "1",
    "h": "1",
    "w": "100",
    "x": "100",
    "y": "g.n",
    "g.u": "g.n * g.m",
    "g.v": "g.n * g.m",
    "g.flags": "g.n",
    "h.u": "h.n",
    "b": "1",
    "b.data": "b.n",
    "s": "1",
    "s.grid": "1",
    "s.grid.u": "s.grid.n * s.grid.m",
    "s.grid.v": "s.grid.n * s.grid.m",
    "s.grid.flags": "s.grid.n",
    "c": "1",
    "c.points": "c.n",
}


@pytest.fixture(autouse=True)
def _short_loops_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a team of threads begin for the few iterations of these texts."""
    monkeypatch.setattr(trips, "_FEW", 1)


def asked(place: Path, body: str, given: str) -> tuple[Source, Unit, Contract]:
    (place / "a.c").write_text(f"{HEAD}void f({given})\n{{\n{body}}}\n")
    source = parsers.read(place)
    [unit] = [item for item in source.units if item.name == "f"]
    [signature] = source.signatures[unit.id]
    known = {item.name for item in signature.parameters if item.pointer}
    facts = tuple(
        ArrayFact(name=name, role=Role.INOUT, extent=extent, stated=True)
        for name, extent in LENGTHS.items()
        if name in known
    )
    return source, unit, Contract(signature=signature, arrays=facts, scalars=(), law=None)


def proposed(
    place: Path, body: str, target: Dialect = OPENMP, given: str = "Grid *g"
) -> Candidate | Rejected:
    source, unit, contract = asked(place, body, given)
    return translators.propose(source, unit, (contract,), target)


def text(place: Path, body: str, target: Dialect = OPENMP, given: str = "Grid *g") -> str:
    found = proposed(place, body, target, given)
    assert isinstance(found, Candidate), found
    return found.replacements[0].shown


def why_not(place: Path, body: str, target: Dialect = OPENMP, given: str = "Grid *g") -> str:
    found = proposed(place, body, target, given)
    assert isinstance(found, Rejected), found
    return found.diagnostics[0].message


STENCIL = """    for (int i = 1; i < g->n - 1; i++)
        for (int j = 1; j < g->m - 1; j++)
            g->v[i * g->m + j] = g->u[(i - 1) * g->m + j] + g->u[i * g->m + j + 1];
"""


def test_sizes_and_arrays_of_a_struct_are_as_those_of_parameters(tmp_path: Path) -> None:
    found = text(tmp_path, STENCIL)
    apart = "g->v + ((long long)g->n * g->m) <= g->u || g->u + ((long long)g->n * g->m) <= g->v"
    assert f"#pragma omp parallel for collapse(2) if ({apart})\n{STENCIL}" in found


def test_what_types_tell_is_said(tmp_path: Path) -> None:
    found = proposed(tmp_path, STENCIL)
    assert isinstance(found, Candidate) and isinstance(found.origin, ByRules) and found.origin.proof
    assert any("C11 6.5p7" in item for item in found.origin.proof.assumptions)


def test_a_struct_by_value_is_a_copy(tmp_path: Path) -> None:
    body = "    for (int i = 0; i < g.n; i++) g.flags[i] = g.m;\n"
    assert f"#pragma omp parallel for\n{body}" in text(tmp_path, body, given="Grid g")


def test_a_bound_that_may_be_written_is_read_as_the_source_reads_it(tmp_path: Path) -> None:
    body = "    for (int i = 0; i < g->n; i++) g->flags[i] = 0;\n"
    found = text(tmp_path, body)
    assert "if ((const void *)(g + 1) <= (const void *)g->flags || " in found
    assert found.count("for (int i = 0; i < g->n; i++)") == 2


def test_a_number_that_may_be_written_is_asked_for(tmp_path: Path) -> None:
    body = "    for (int i = 0; i < g->n; i++) g->u[i] = g->scale;\n"
    assert "if ((const void *)(g + 1) <= (const void *)g->u || " in text(tmp_path, body)


def test_what_is_added_to_an_array_in_a_struct_is_of_its_type(tmp_path: Path) -> None:
    body = "    for (int i = 0; i < g->n; i++) g->u[at[i]] += 0.5;\n"
    assert "#pragma omp atomic\ng->u[at[i]] += 0.5;" in text(
        tmp_path, body.replace("++) ", "++)\n"), given="Grid *g, const int *restrict at"
    )
    body = body.replace("g->u", "g->flags")
    found = why_not(tmp_path, body, given="Grid *g, const int *restrict at")
    assert "is an integer that floating-point values go into" in found


def test_a_member_may_be_called_as_the_elements_of_containers(tmp_path: Path) -> None:
    body = "    for (int i = 0; i < b->n; i++)\nb->data[at[i]] += 0.5;\n"
    found = text(tmp_path, body, given="Block *restrict b, const int *restrict at")
    assert "#pragma omp atomic\nb->data[at[i]] += 0.5;" in found


def test_arrays_of_two_structs_may_be_one(tmp_path: Path) -> None:
    body = "    for (int i = 0; i < g->n; i++) g->u[i] += h->u[i];\n"
    assert "h->u + h->n <= g->u" in text(tmp_path, body, given="Grid *g, Grid *h")


def test_a_pointer_out_of_a_struct_is_the_member(tmp_path: Path) -> None:
    body = "    double *u = g->u;\n    for (int i = 0; i < g->n - 1; i++) u[i] = g->u[i + 1];\n"
    assert "loop-carried dependence on `g.u`" in why_not(tmp_path, body)


LOOP = "    for (int i = 0; i < g->n; i++) g->v[i] = g->u[i];\n"


@pytest.mark.parametrize(
    "body",
    [
        f"    g->n /= 2;\n{LOOP}",
        f"    int *n = &g->n;\n    *n = 3;\n{LOOP}",
        f"    *g = *h;\n{LOOP}",
        f"    h->n = 3;\n{LOOP}",
        f"    grow(g);\n{LOOP}",
        f"    double *swap = g->u;\n    g->u = g->v;\n    g->v = swap;\n{LOOP}",
        f"    g = h;\n{LOOP}",
        LOOP.replace("g->v[i] =", "g->n ="),
        LOOP.replace("g->v[i] =", "g->total +="),
    ],
    ids=[
        "size changed",
        "size by its address",
        "whole struct",
        "size of another struct",
        "an unknown call",
        "swapped",
        "another struct",
        "written in the loop",
        "added to",
    ],
)
def test_members_that_may_change_are_not_known(body: str, tmp_path: Path) -> None:
    assert why_not(tmp_path, body, given="Grid *g, Grid *h")


@pytest.mark.parametrize("target", [CUDA, OPENMP_TARGET])
def test_devices_do_not_follow_pointers_in_structs(target: Dialect, tmp_path: Path) -> None:
    assert "a member of a struct" in why_not(tmp_path, LOOP, target)


def test_lengths_on_a_device_may_be_sizes_of_a_struct(tmp_path: Path) -> None:
    body = "    for (int i = 0; i < g->n; i++) y[i] = 1;\n"
    found = text(tmp_path, body, CUDA, "const Grid *g, double *y")
    assert "sizeof(double) * g->n" in found


PATHS = """    for (int k = 0; k < g->n; k++)
        for (int i = 0; i < g->n; i++)
            for (int j = 0; j < g->n; j++)
                g->u[i * g->n + j] += g->u[i * g->n + k] * g->u[k * g->n + j];
"""


def test_sizes_of_a_struct_bound_parts(tmp_path: Path) -> None:
    assert "const int i_parts[] = {0, k, k + 1, g->n};" in text(tmp_path, PATHS)


def test_a_proof_of_parts_says_what_it_takes_of_types(tmp_path: Path) -> None:
    found = proposed(tmp_path, PATHS)
    assert isinstance(found, Candidate) and isinstance(found.origin, ByRules)
    assert found.origin.proof is not None
    assert any("C11 6.5p7" in item for item in found.origin.proof.assumptions)


def test_parts_are_not_bounded_by_what_may_be_written(tmp_path: Path) -> None:
    assert "loop-carried dependence" in why_not(tmp_path, PATHS.replace("g->u", "g->flags"))


NESTED = STENCIL.replace("g->", "s->grid.")


@pytest.mark.parametrize("way", ["s->grid.", "(*s).grid.", "s->grid->"])
def test_structs_in_structs_are_known_by_the_way_there(way: str, tmp_path: Path) -> None:
    body = STENCIL.replace("g->", way)
    given, plain = ("Far *s", "s->grid->") if way == "s->grid->" else ("Sim *s", "s->grid.")
    length = f"((long long){plain}n * {plain}m)"
    apart = f"{plain}v + {length} <= {plain}u || {plain}u + {length} <= {plain}v"
    assert f"#pragma omp parallel for collapse(2) if ({apart})\n{body}" in text(tmp_path, body, given=given)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ("Sim *s", "Grid *g = &s->grid"),
        ("Far *s", "Grid *g = s->grid"),
        ("Far *s", "Grid *const g = s->grid"),
    ],
)
def test_another_name_leads_to_the_same_struct(given: str, named: str, tmp_path: Path) -> None:
    body = f"    {named};\n{STENCIL}"
    assert "#pragma omp parallel for collapse(2) if (s->grid" in text(tmp_path, body, given=given)
    shifted = "    for (int i = 0; i < g->n; i++) g->u[i] = s->grid.u[i + 1];\n"
    shifted = shifted if given == "Sim *s" else shifted.replace("grid.", "grid->")
    assert "loop-carried dependence on `s.grid.u`" in why_not(
        tmp_path, f"    {named};\n{shifted}", given=given
    )


def test_a_copy_of_a_struct_leads_where_the_struct_does(tmp_path: Path) -> None:
    body = "    Grid g = s->grid;\n    for (int i = 0; i < g.n; i++) g.u[i] = s->grid.u[i + 1];\n"
    assert "loop-carried dependence on `s.grid.u`" in why_not(tmp_path, body, given="Sim *s")


def test_a_copy_from_before_a_call_may_lead_elsewhere(tmp_path: Path) -> None:
    loop = "    for (int i = 0; i < 100; i++) copy.u[i] = s->grid->u[i];\n"
    copy, call = "    Grid copy = *s->grid;\n", "    grow(s->grid);\n"
    assert "#pragma omp" in text(tmp_path, copy + loop, given="Far *s")
    assert "is not understood" in why_not(tmp_path, copy + call + loop, given="Far *s")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (f"    s->grid.n /= 2;\n{NESTED}", "loop-carried dependence on `s.grid.v`"),
        (f"    Grid *h = &s->grid;\n    h->n = 3;\n{NESTED}", "loop-carried dependence on `s.grid.v`"),
        (f"    Grid *h = &s->grid;\n    grow(h);\n{NESTED}", "the length of `s.grid.v` is not known"),
        (f"    s->grid = *g;\n{NESTED}", "is not understood"),
        (f"    *s = *t;\n{NESTED}", "is not understood"),
        (f"    Grid *h = &s->grid;\n    *h = *g;\n{NESTED}", "is not understood"),
        (f"    int *n = &s->grid.n;\n    *n = 3;\n{NESTED}", "is not understood"),
        (f"    int *n = (int *)&s->grid;\n    *n = 3;\n{NESTED}", "is not understood"),
        (f"    double *u = s->grid.u;\n    s->grid.u = s->grid.v;\n{NESTED}", "is not understood"),
        (f"    link all[2];\n    all[0] = s;\n    all[0][0] = *t;\n{NESTED}", "is not understood"),
        (f"    int *all[2];\n    all[0] = &s->grid.n;\n    all[0][0] = 2;\n{NESTED}", "is not understood"),
        ("    Grid *h = &s->grid;\n    h = &t->grid;\n" + STENCIL.replace("g->", "h->"), "is not understood"),
    ],
)
def test_members_of_structs_in_structs_that_may_change(body: str, why: str, tmp_path: Path) -> None:
    assert why in why_not(tmp_path, body, given="Sim *s, Sim *t, const Grid *g")


def test_elements_of_an_own_array_are_no_member(tmp_path: Path) -> None:
    body = f"    real own[2][3];\n    own[0][1] = 3;\n{NESTED}"
    assert "#pragma omp parallel for" in text(tmp_path, body, given="Sim *s, Sim *t, const Grid *g")


@pytest.mark.parametrize(
    ("given", "read", "asks"),
    [
        ("Sim *s", "s->grid.n", False),
        ("Sim *s", "s->grid.scale", True),
        ("Sim *s", "s->grid.n + s->factor", True),
        ("Cloud *c", "c->n", False),
        ("Cloud *c", "c->origin.x", True),
        ("Cloud *c", "c->points[i].y", True),
    ],
)
def test_types_of_members_that_are_read_tell_structs_and_arrays_apart(
    given: str, read: str, asks: bool, tmp_path: Path
) -> None:
    body = f"    for (int i = 0; i < 100; i++) x[i] = {read};\n"
    found = text(tmp_path, body, given=f"{given}, double *x")
    assert "#pragma omp parallel for" in found and (" <= (const void *)x" in found) == asks


def test_structs_that_a_member_leads_to_are_written(tmp_path: Path) -> None:
    body = "    for (int i = 0; i < c->n; i++) c->points[i].x = c->origin.y;\n"
    found = text(tmp_path, body, given="Cloud *c")
    assert "if ((const void *)(c + 1) <= (const void *)c->points || " in found
    assert found.count("for (int i = 0; i < c->n; i++)") == 2
    body = body.replace("origin.y", "points[i + 1].y")
    assert "loop-carried dependence on `c.points`" in why_not(tmp_path, body, given="Cloud *c")


PRODUCT = """    for (int i = 0; i < g->n; i++)
        for (int j = 0; j < g->m; j++)
            for (int k = 0; k < g->n; k++)
                g->v[i * g->m + j] += x[i * g->n + k] * g->u[k * g->m + j];
"""


def test_loops_over_arrays_in_structs_are_put_into_another_order(tmp_path: Path) -> None:
    source, unit, contract = asked(tmp_path, PRODUCT, "Grid *g, const double *restrict x")
    [found] = variants(source, unit, [contract])
    assert "for (int j_block = 0; j_block < g->m; j_block += 256)" in found.replacements[0].shown
