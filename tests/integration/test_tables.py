"""Variables of fixed length that parameters lead into: ranges that end where they do."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.integration.functions import WRONG, check, learn, verdict
from transpile import parsers
from transpile.core import OPENMP, Contract, Source
from transpile.toolchains import sandbox
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

SOURCE = """
#define ROWS 16
#define COLUMNS 24
static double table[ROWS][COLUMNS];
double at(int i, int j) { return table[i][j]; }
void set(int i, const double *v, int m) { for (int j = 0; j < m; j++) table[i][j] = v[j]; }
double column(int first, int last, int j)
{
    double sum = 0;
    for (int i = first; i < last; i++) sum += table[i][j];
    return sum;
}
void fill(int n, int m) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) table[i][j] = i * j; }
"""
RANGES = {
    "at": {"i": ("0", "15"), "j": ("0", "23")},
    "set": {"i": ("0", "15"), "m": ("0", "24")},
    "column": {"first": ("0", "10000"), "last": ("-10000", "16"), "j": ("0", "23")},
    "fill": {"n": ("-10000", "16"), "m": ("-10000", "24")},
}
CANDIDATES = [
    ("at", "double at(int i, int j) { return (&table[0][0])[i * COLUMNS + j]; }", True),
    ("at", "double at(int i, int j) { return (&table[0][0])[i * ROWS + j]; }", False),
    ("at", "double at(int i, int j) { return i == 15 && j == 23 ? 0 : table[i][j]; }", False),
    (
        "fill",
        "void fill(int n, int m) {\n#pragma omp parallel for\n"
        "for (int i = 0; i < n; i++) for (int j = 0; j < m && j < 23; j++) table[i][j] = i * j; }",
        False,
    ),
]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    root: Path = tmp_path_factory.mktemp("source")
    (root / "work.c").write_text(SOURCE)
    return parsers.read(root)


@pytest.fixture(scope="module")
def learnt(workshop: Workshop, source: Source) -> dict[str, Contract]:
    return {name: known[0] for name, known in learn(workshop, source).items() if isinstance(known, tuple)}


@pytest.mark.parametrize("name", RANGES)
def test_ranges_end_where_the_table_does(learnt: dict[str, Contract], name: str) -> None:
    found = {fact.name: (fact.values.low, fact.values.high) for fact in learnt[name].scalars}
    assert found == RANGES[name]


@pytest.mark.parametrize(("name", "text", "right"), CANDIDATES)
def test_candidates_are_tried_all_over_the_table(
    workshop: Workshop, source: Source, learnt: dict[str, Contract], name: str, text: str, right: bool
) -> None:
    found = check(verdict(workshop, source, learnt[name], text, OPENMP))
    assert found == "kept" if right else found in WRONG, found
