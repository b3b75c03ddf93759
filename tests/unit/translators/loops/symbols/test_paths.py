"""Names of contracts for objects behind expressions."""

from __future__ import annotations

import pytest

from transpile.code.syntax import Function, field, find
from transpile.code.variables import resolve
from transpile.translators.loops.symbols.paths import element, in_c, path

HEAD = "void f(Sim *s, Sim v, Sim &r, Sim **far, Sim (*rows)[4], Sim *moved, std::vector<int> c)"
BODY = """
    Grid *g = &s->grid, *behind = s->next, copy = s->grid, *other = &s->grid, *late;
    Grid &same = s->grid, *cells = s->cells + 1, *none[2];
    static Grid *kept = s->next;
    late = other = g;
    moved++;
"""


@pytest.mark.parametrize(
    ("text", "name", "of_elements"),
    [
        ("s->grid.u", "s.grid.u", "s.grid.u"),
        ("(*s).grid.u", "s.grid.u", "s.grid.u"),
        ("(&s->grid)->u", "s.grid.u", "s.grid.u"),
        ("v.grid.u", "v.grid.u", "v.grid.u"),
        ("g->u", "s.grid.u", "s.grid.u"),
        ("behind->u", "s.next.u", "s.next.u"),
        ("copy.u", "s.grid.u", "s.grid.u"),
        ("s->points[i].x", "", "s.points.x"),
        ("g->u[i]", "", "s.grid.u"),
        ("r.grid.u", "", "r.grid.u"),
        ("moved->grid.u", "", "moved.grid.u"),
        ("(*far)->grid.u", "", "far.grid.u"),
        ("rows[0]->grid.u", "", "rows.grid.u"),
        ("outside.u", "", "outside.u"),
        *((f"{item}u", "", "") for item in ("other->", "late->", "same.", "cells->", "kept->", "none[0]->")),
    ],
)
def test_ways_to_objects_have_names(text: str, name: str, of_elements: str) -> None:
    function = Function(f"{HEAD} {{ {BODY} x = {text}; }}")
    [*_, last] = find(function.body, "assignment_expression")
    variables = resolve(function)
    value = field(last, "right")
    assert (path(value, variables), element(value, variables)) == (name, of_elements)


def test_names_are_written_as_c() -> None:
    pointers = frozenset(("s", "s.grid"))
    assert in_c("s.grid.at.x", pointers) == "s->grid->at.x"
    assert in_c("n", pointers) == "n"
