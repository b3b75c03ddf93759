"""Numbers that a unit mentions, spelled and behind names."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from transpile import parsers
from transpile.contracts.text.named_numbers import Mentioned, mentioned_by

HEADER = """#define EMPTY (-1)
namespace depth { constexpr float INVALID = -2.5f; constexpr int SIDE = 4, AREA = SIDE * SIDE; }
constexpr float STEP = 1.0f / 3.0f;
"""


def mentioned(tmp_path: Path, body: str, callee: str = "") -> Mentioned:
    (tmp_path / "sizes.h").write_text(HEADER)
    text = f'#include "sizes.h"\nusing namespace depth;\n{callee}__global__ void go(float *a) {{ {body} }}\n'
    (tmp_path / "a.cu").write_text(text)
    source = parsers.read(tmp_path)
    return mentioned_by(source, next(unit for unit in source.units if unit.name == "go"))


@pytest.mark.parametrize(
    ("body", "named", "compared"),
    [
        ("if (a[0] == INVALID) a[1] = 7;", (-2.5,), (-2.5,)),
        ("if (a[0] != -3.5f) a[AREA] = EMPTY;", (-1, 16), (-3.5,)),
        ("if (EMPTY == (int)a[0] || a[1] == 0) a[0] = STEP;", (-1,), (-1, 0)),
        ("if (a[0] > INVALID && !(a[0] < 3)) a[0] = 1;", (-2.5,), ()),
        ("if (a[0] > 2 * M_PI) a[0] = 1;", (math.pi, 2 * math.pi), ()),
        ("if (a[0] < -M_PI / 3) a[0] = DBL_EPSILON;", (-math.pi / 3, 2.0**-52, math.pi), ()),
        ("if (a[0] == ~4 || a[1] == a[2]) a[0] = 1;", (), ()),
    ],
)
def test_constants_count_by_their_values(
    tmp_path: Path, body: str, named: tuple[float, ...], compared: tuple[float, ...]
) -> None:
    found = mentioned(tmp_path, body)
    others = {name: getattr(found, name) for name in ("sought", "asked", "beside")}
    assert found == Mentioned(named=named, compared=compared, **others)


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        ("if (mode == 2 || EMPTY != mode) a[0] = 1;", {("mode", 2), ("mode", -1)}),
        ("if (!p.flag) a[0] = other ? 1 : 2;", {("p.flag", 0), ("other", 0)}),
        (
            "if (step % 100 == 1) a[0] = 1; if (!(i % EMPTY)) a[1] = 2;",
            {("step", 1), ("step", 101), ("i", 0), ("i", -1)},
        ),
        ("if (step % every) a[0] = 1;", {("step", 0)}),
        ("if (a[i] != depth || *p == other) a[0] = 1;", {("depth", 2), ("other", 2)}),
        ("if (mode == other || a[i] == 2 || (mode & 1)) a[0] = 1;", set()),
    ],
)
def test_names_are_asked_to_equal_numbers(tmp_path: Path, body: str, asked: set[tuple[str, float]]) -> None:
    assert {*mentioned(tmp_path, body).asked} == asked


@pytest.mark.parametrize(
    ("body", "sought"),
    [
        ("if (k[0] == 0x1ff || EMPTY != k[1]) a[0] = 1;", (511, -1)),
        (
            "switch (k[0]) { case 'x': a[0] = 1; break; case AREA: a[0] = 2; break; default: a[1] = 1; }",
            (120, 16),
        ),
        ("if (k[0] == 70000 && a[0] == 0.5f && k[1] == k[2] && k[3] > 9) a[0] = 1;", (70000,)),
        ("if (!k[0]) a[0] = 1;", (0,)),
        ("a[0] = (k[1]) ? 1 : 2;", (0,)),
        ("if (k[1] == '\\n' && (k[2] & 1)) a[0] = 1;", ()),
        ("if (k[1] > 2 || *k) a[0] = 1;", (0,)),
    ],
)
def test_whole_numbers_are_sought(tmp_path: Path, body: str, sought: tuple[int, ...]) -> None:
    assert mentioned(tmp_path, body).sought == sought


def test_what_is_called_counts(tmp_path: Path) -> None:
    callee = "__device__ bool valid(float x) { return x != INVALID; }\n"
    assert mentioned(tmp_path, "if (valid(a[0])) a[1] = 2;", callee).compared == (-2.5,)


def test_orders_and_cases_name_the_numbers_at_which_they_turn(tmp_path: Path) -> None:
    body = "int m = a[0], k = a[1]; if (m > 2 && a[k] < 7) a[0] = 1; switch (k) { case SIDE: a[1] = 2; }"
    assert mentioned(tmp_path, body).beside == (("k", 4), ("m", 1), ("m", 2), ("m", 3))


def test_characters_and_elements_at_fixed_places_are_asked(tmp_path: Path) -> None:
    body = "char m = a[0]; if (m == 'U' || a[ 1 ] == 3 || a[m] == 4) a[0] = 1; if (a[2] >= 6) a[1] = 2;"
    found = mentioned(tmp_path, body)
    assert found.asked == (("a[1]", 3.0), ("m", 85.0))
    assert found.beside == (("a[2]", 5), ("a[2]", 6), ("a[2]", 7))
