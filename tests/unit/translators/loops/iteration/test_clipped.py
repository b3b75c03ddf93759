"""Loops that end at the lesser of two numbers, as those of tiles do at the edge."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.translators.loops.analysis.idioms import ALL_IDIOMS
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.planning.work import work

TILES = """#include <algorithm>
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
void f(int n, int m, unsigned u, double *x)
{
    for (int tile = 0; tile < n; tile += 8) {
        %s
        for (int i = tile; i < end; i++)
            x[%s] = 1;
    }
}
"""


def outermost(text: str, root: Path) -> list[str]:
    """Return the variables of the outermost loops that run in parallel."""
    (root / "a.cpp").write_text(text)
    source = parsers.read(root)
    parts = work(source, source.units[0], (), idioms=ALL_IDIOMS).choice.parts
    return [part.outer.variable.name for part in parts if isinstance(part, Band)]


@pytest.mark.parametrize(
    "end",
    [
        "int end = tile + 8 > n ? n : tile + 8;",
        "int end = n <= tile + 8 ? n : (tile + 8);",
        "const int end = LEAST(tile + 8, n);",
        "int end = std::min(n, tile + 8);",
        "int end; end = LEAST(n, LEAST(tile + 8, m));",
    ],
)
def test_tiles_in_rows_do_not_meet(end: str, tmp_path: Path) -> None:
    assert outermost(TILES % (end, "2 * n + i] = x[n + i"), tmp_path) == ["tile"]


@pytest.mark.parametrize(
    "end",
    [
        "int end = tile + 8 < n ? n : tile + 8;",  # the greater one
        "int end = tile + 8 > n ? m : tile + 8;",
        "int end = tile + 9 > n ? n : tile + 9;",  # tiles overlap
        "int end = std::max(n, tile + 8);",
        "unsigned end = tile + 8 > u ? u : tile + 8;",
        "int end = tile + 8 > n ? n : tile + 8; if (m) end++;",
        "int end = std::min(n, tile + 8) + 1;",
    ],
)
def test_an_end_that_is_not_the_lesser_of_both_frees_no_tiles(end: str, tmp_path: Path) -> None:
    assert outermost(TILES % (end, "2 * n + i] = x[n + i"), tmp_path) != ["tile"]


@pytest.mark.parametrize(
    "loop",
    [
        "int begin = tile > 1 ? tile : 1; for (int i = begin; i < tile + 8; i++)",
        "int begin = tile < 1 ? 1 : tile; for (int i = tile + 7; i >= begin; i--)",
    ],
)
def test_a_loop_from_the_greater_of_two_begins_behind_both(loop: str, tmp_path: Path) -> None:
    text = "void f(int n, double *x) { for (int tile = 0; tile < n; tile += 8) { %s x[i] = 1; } }"
    assert outermost(text % loop, tmp_path) == ["tile"]
    lesser = loop.replace(" > ", " ! ").replace(" < 1", " > 1").replace(" ! ", " < ")
    assert outermost(text % lesser, tmp_path) != ["tile"]
