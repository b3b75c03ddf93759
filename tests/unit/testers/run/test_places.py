"""Text beside a candidate for a function of C."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import CUDA, OPENMP
from transpile.testers.run.places import candidate_place

TEXT = """
struct counted { int none; };
void none(int *y) { y[0] = 0; }
static int deeper(int v) { return v; }
static void first(int *y) { y[0] = deeper(1); }
static void second(int *y) { y[0] = 2; }
void f(int *y) { y[0] = 3; }
"""


@pytest.mark.parametrize(
    ("variables", "kept"),
    [
        ("", set()),
        ("void first(int *); int none(int *);", set()),
        ("void (*table[])(int *) = {f, second};", {"f", "second"}),
        ("struct { void (*run)(int *); } one = {.run = &first};", {"first", "deeper"}),
        ("void (*run)(int *) = (void (*)(int *))second;", {"second"}),
    ],
)
def test_functions_in_tables_stay(tmp_path: Path, variables: str, kept: set[str]) -> None:
    (tmp_path / "a.c").write_text(TEXT + variables)
    source = parsers.read(tmp_path)
    functions = {item.id: item.name for item in source.units}
    inserted = next(name for name, function in functions.items() if function == "f")
    place = candidate_place(source, source.translation_units[0], [{inserted: b""}], CUDA)
    assert set(functions.values()) - {functions[name] for name in place.without} == kept


def test_a_candidate_in_c_stands_beside_all_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(TEXT)
    source = parsers.read(tmp_path)
    place = candidate_place(source, source.translation_units[0], [{}], OPENMP)
    assert place.in_c and not place.of_c and not place.without and place.unit.path == "a.c"
