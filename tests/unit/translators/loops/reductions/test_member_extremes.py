"""Extreme numbers with their places, in arrays that members of structs lead to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.translators.loops.symbols.test_members import text, why_not

BEST = "    {kind} best = 0;\n    int at = 0;\n    {loop}\n    *y = best + at;\n"


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("double", "fabs(g->u[i])"),
        ("double", "g->u[i] - g->v[i]"),
        ("double", "g->flags[i]"),
        ("int", "g->flags[i]"),
        ("double", "c->points[i].x"),
        ("double", "s->grid.u[i]"),
        ("double", "-x[i]"),
    ],
)
def test_members_are_compared_by_their_types(kind: str, value: str, tmp_path: Path) -> None:
    loop = f"for (int i = 0; i < g->n; i++) if ({value} > best) {{ best = {value}; at = i; }}"
    body = BEST.format(kind=kind, loop=loop)
    given = "const Grid *g, Cloud *c, Sim *s, const double *x, double *y"
    assert "#pragma omp critical" in text(tmp_path, body, given=given)


def test_an_element_is_known_by_its_place(tmp_path: Path) -> None:
    body = BEST.format(kind="int", loop="for (int i = 0; i < g->n; i++) if (g->u[i] < g->u[at]) at = i;")
    assert "g->u[at] < g->u[at_overall]" in text(tmp_path, body, given="const Grid *g, double *y")


@pytest.mark.parametrize(
    ("kind", "value", "more"),
    [
        ("float", "g->u[i]", ""),
        ("int", "g->u[i]", ""),
        ("int", "g->wide", ""),
        ("int", "g->flags[i] + g->u[i]", ""),
        ("double", "g->u[i]", "g->u[i + 1] = 0;"),
        ("double", "g->u[i]", "g->u = g->v;"),
    ],
)
def test_what_is_kept_is_what_was_compared(kind: str, value: str, more: str, tmp_path: Path) -> None:
    body = f"if ({value} > best) {{ best = {value}; at = i; }} {more}"
    loop = BEST.format(kind=kind, loop=f"for (int i = 0; i < g->n; i++) {{ {body} }}")
    assert why_not(tmp_path, loop, given="Grid *g, double *y")
