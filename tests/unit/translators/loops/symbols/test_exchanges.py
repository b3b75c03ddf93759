"""Pointers that are exchanged between loops, beside those that are not the same all through one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.translators.loops.symbols import test_members as members
from tests.unit.translators.loops.test_texts import text, why_not
from transpile.core import CUDA, OPENMP, OPENMP_TARGET, Dialect

SWEEP = "for (int i = 1; i < n; i++) to[i] = from[i - 1];"
EXCHANGE = "float *next = from; from = to; to = next;"
TURNS = "    float *from = (float *)x, *to = y;\n    for (int t = 0; t < 9; t++) {{ {} }}\n"
STEPS = "    float *from = y, *to = y;\n    for (int t = 0; t < 9; t++) {{ {} }}\n"


def test_buffers_that_are_exchanged_are_asked_whether_they_overlap_where_they_are_used(
    tmp_path: Path,
) -> None:
    found = text(tmp_path, STEPS.format(f"\n        {SWEEP}\n        {EXCHANGE}\n    "), OPENMP)
    asked = "if ((to + n <= from || from + n <= to) && n - 1 > 10000)"
    assert f"        #pragma omp parallel for {asked}\n        {SWEEP}" in found


def test_several_questions_are_asked_after_each_exchange(tmp_path: Path) -> None:
    sweep = SWEEP.replace(";}", "").replace("from[i - 1];", "from[i - 1] + x[i];")
    found = text(tmp_path, STEPS.format(f"\n        {sweep}\n        {EXCHANGE}\n    "), OPENMP)
    assert found.index("for (int t") < found.index("const int apart")


@pytest.mark.parametrize(
    "turn",
    [
        f"{SWEEP[:-1]}, from = to;",
        f"float *old = from; {EXCHANGE} {SWEEP.replace('from[', 'old[')}",
        f"float *old = from + 1; {EXCHANGE} {SWEEP.replace('from[', 'old[')}",
        f"{SWEEP} from = to + 1;",
        f"{SWEEP} from++;",
        f"{SWEEP} float **all = &from; *all = to;",
    ],
    ids=["in the loop", "an old one", "behind an old one", "moved on", "stepped", "by its address"],
)
def test_other_pointers_that_change_are_not_known(turn: str, tmp_path: Path) -> None:
    assert why_not(tmp_path, STEPS.format(turn), OPENMP)


def test_buffers_of_unknown_lengths_are_not_exchanged(tmp_path: Path) -> None:
    assert why_not(tmp_path, TURNS.format(f"{SWEEP} {EXCHANGE}"), OPENMP)


ROTATION = """    for (int t = 0; t < 9; t++) {
        for (int i = 0; i < g->m; i++) LAST[i] = x[i] + y[i + 1];
        double *next = x; x = y; y = LAST; LAST = next;
    }
"""


def test_buffers_in_turns_are_as_long_as_the_longest_of_them(tmp_path: Path) -> None:
    found = members.text(
        tmp_path, ROTATION.replace("LAST", "w"), given="const Grid *g, double *x, double *y, double *w"
    )
    longest = "(100 > g->n ? 100 : g->n)"
    assert f"w + {longest} <= x || x + {longest} <= w" in found
    assert f"w + {longest} <= y || y + {longest} <= w" in found


@pytest.mark.parametrize("last", ["double *z", "Point *points"])
def test_buffers_of_which_one_is_of_unknown_length_or_another_type(last: str, tmp_path: Path) -> None:
    body = ROTATION.replace("LAST", last.rpartition("*")[2])
    assert members.why_not(tmp_path, body, given=f"const Grid *g, double *x, double *y, {last}")


@pytest.mark.parametrize("target", [CUDA, OPENMP_TARGET])
def test_devices_are_given_arrays_and_no_exchanged_pointers(target: Dialect, tmp_path: Path) -> None:
    assert why_not(tmp_path, STEPS.format(f"{SWEEP} {EXCHANGE}"), target)
