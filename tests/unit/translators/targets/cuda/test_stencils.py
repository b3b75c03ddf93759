"""Tiles of stencils: what blocks load into them, and what prevents it."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest

from tests.unit.translators.targets.cuda import tiled
from transpile.core import ByRules
from transpile.translators.targets.cuda.tiles.shapes import Box, boxes

HEAD = """#define R 3
#define STEP R + 1
struct pair { float v, w; };
void f(int n, int m, int r, const float *a, const float *w, float *b, int *p, const struct pair *q)
{
"""
AREA = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)"
ROW = "for (int i = 1; i < n - 1; i++)"
FIVE = "a[i * m + j] + a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j] + a[(i + 1) * m + j]"
FOUR = "a[i * m + j] + a[i * m + j - 1] + a[i * m - m + j] + a[i * m - m + j - 1]"
THREE = "a[i - 1] + a[i] + a[i + 1]"


def function(body: str) -> str:
    return f"{HEAD}{body}\n}}\n"


def kernel(place: Path, body: str) -> str:
    return tiled.shown(place, function(body)).split("\n}\n")[0]


def test_a_block_of_a_row_loads_its_elements_and_a_halo(tmp_path: Path) -> None:
    shown = kernel(tmp_path, f"{ROW} b[i] = {THREE};")
    assert (
        shown.split("{\n", 1)[1]
        == """\
    __shared__ float a_tile[256 + 2];
    const int column = blockIdx.x * blockDim.x;
    const int columns = n - 2 - column < 256 ? n - 2 - column : 256;
    for (int x = threadIdx.x; x < columns + 2; x += 256)
        a_tile[x] = a[column + x];
    __syncthreads();
    const int i = 1 + column + threadIdx.x;
    if (i < n - 1) {
        b[i] = a_tile[threadIdx.x] + a_tile[threadIdx.x + 1] + a_tile[threadIdx.x + 2];
    }"""
    )


def test_a_block_of_an_area_loads_no_corner_that_nothing_reads(tmp_path: Path) -> None:
    shown = kernel(tmp_path, f"{AREA} b[i * m + j] = {FIVE};")
    assert "__shared__ float a_tile[8 + 2][32 + 2];" in shown
    assert (
        """\
        for (int y = threadIdx.y; y < rows + 2; y += 8)
            for (int x = threadIdx.x; x < columns + 2; x += 32)
                if ((y >= 1 && y < rows + 1) || (x >= 1 && x < columns + 1))
                    a_tile[y][x] = a[(row + y) * m + column + x];
        __syncthreads();
        const int i = 1 + row + threadIdx.y;
        if (j < m - 1 && i < n - 1) {
            b[i * m + j] = a_tile[threadIdx.y + 1][threadIdx.x + 1] + a_tile[threadIdx.y + 1][threadIdx.x]"""
        in shown
    )
    assert shown.endswith("        }\n        __syncthreads();\n    }")


def test_a_box_is_loaded_whole(tmp_path: Path) -> None:
    loops = "for (int k = -1; k <= 1; k++) for (int l = -1; l < 2; ++l)"
    shown = kernel(
        tmp_path, f"{AREA} {{ float s = 0; {loops} s += a[(i + k) * m + j + l]; b[i * m + j] = s; }}"
    )
    assert "x += 32)\n                a_tile[y][x] = a[(row + y) * m + column + x];" in shown
    assert "s += a_tile[threadIdx.y + k + 1][threadIdx.x + l + 1];" in shown


def test_a_radius_keeps_its_name(tmp_path: Path) -> None:
    loop = "for (int k = -R; k <= R; k++) s += a[i + k] * w[k + R];"
    shown = kernel(tmp_path, f"for (int i = R; i < n - R; i++) {{ float s = 0; {loop} b[i] = s; }}")
    assert "__shared__ float a_tile[256 + 2 * R];" in shown and "x < columns + 2 * R;" in shown
    assert "a_tile[x] = a[column + x];" in shown
    assert "s += a_tile[threadIdx.x + R + k] * w[k + R];" in shown


def test_rows_are_told_apart_where_a_radius_is_not_negative(tmp_path: Path) -> None:
    loops = "for (int k = -R; k <= R; k++) for (int l = -R; l <= R; l++)"
    area = AREA.replace("= 1", "= R").replace("- 1", "- R")
    body = f"{area} {{ float s = 0; {loops} s += a[(i + k) * m + j + l]; b[i * m + j] = s; }}"
    found = tiled.variant(tmp_path, function(body))
    assert found is not None and isinstance(found.origin, ByRules)
    assert "a_tile[8 + 2 * R][32 + 2 * R];" in found.replacements[0].shown
    assert "assumes R >= 0" in found.origin.rules
    assert found.origin.proof is not None and "R >= 0" in found.origin.proof.assumptions


def test_a_volume_goes_plane_by_plane(tmp_path: Path) -> None:
    plane = "{0}[(i * n + j) * n + k - 1] + {0}[(i * n + j) * n + k] + {0}[(i * n + j) * n + k + 1]"
    value = f"{plane.format('a')} + a[((i + 1) * n + j) * n + k] + a[((i - 1) * n + j) * n + k]"
    inner = (
        f"for (int j = 1; j < n - 1; j++) for (int k = 1; k < n - 1; k++) b[(i * n + j) * n + k] = {value};"
    )
    shown = tiled.shown(tmp_path, function(f"{ROW} {inner}"))
    assert "a_tile[8][32 + 2];" in shown and "const dim3 block(32, 8, 1);" in shown
    assert "for (int i = 1 + blockIdx.z * blockDim.z + threadIdx.z; i < n - 1;" in shown
    assert "a_tile[y][x] = a[i * n * n + (row + y + 1) * n + column + x];" in shown
    assert "a_tile[threadIdx.y][threadIdx.x + 2] + a[((i + 1) * n + j) * n + k]" in shown


def test_places_in_other_words_are_the_same_places(tmp_path: Path) -> None:
    value = "a[at - 1] + row[j] + *(row + j + 1)"
    body = f"int at = i * m + j; const float *row = a + i * m; b[at] = {value};"
    shown = kernel(tmp_path, f"{AREA} {{ {body} }}")
    assert "a_tile[8][32 + 2];" in shown and "a[(row2 + y + 1) * m + column + x];" in shown


def test_rows_may_be_longer_than_what_is_written(tmp_path: Path) -> None:
    value = "a[i * (m + 2) + j - 1] + a[i * (m + 2) + j] + a[(i + 1) * (m + 2) + j + 1]"
    shown = kernel(tmp_path, f"{AREA} b[i * m + j] = {value};")
    assert "a[(row + y + 1) * (m + 2) + column + x];" in shown
    assert "+ a_tile[threadIdx.y + 1][threadIdx.x + 2];" in shown


def test_numbers_of_elements_are_as_wide_as_the_source_counts(tmp_path: Path) -> None:
    shown = kernel(tmp_path, f"{AREA} b[(long)i * m + j] = {FIVE};")
    assert "a[((long long)row + y) * m + (long long)column + x];" in shown


def test_names_of_the_source_are_its_own(tmp_path: Path) -> None:
    shown = kernel(tmp_path, f"{ROW} {{ float x = 0, column = 1, a_tile = 2; b[i] = {THREE}; }}")
    assert "for (int x2 = threadIdx.x; x2 < columns + 2; x2 += 256)" in shown
    assert "a_tile2[x2] = a[column2 + x2];" in shown


def test_of_two_arrays_one_may_have_a_tile(tmp_path: Path) -> None:
    shown = kernel(tmp_path, f"{ROW} b[i] = {THREE} + (w[i] > 0 ? w[i - 1] + w[i + 1] : 0);")
    assert "a_tile[256 + 2]" in shown and "w_tile" not in shown


@pytest.mark.parametrize(
    ("offsets", "expected"),
    [
        ({(0, -1), (0, 0), (0, 1)}, [Box(0, 0, -1, 1)]),
        ({(0, -1), (0, 1), (-1, 0), (1, 0)}, [Box(0, 0, -1, 1), Box(-1, 1, 0, 0)]),
        ({(r, c) for r in (-1, 0, 1) for c in (-1, 1)}, [Box(-1, 1, -1, 1)]),
        ({(r, c) for r in (-1, 1) for c in (-1, 0, 1)} | {(0, 0)}, [Box(-1, 1, -1, 1)]),
        ({(0, 0), (1, 0), (1, 1)}, [Box(0, 1, 0, 0), Box(1, 1, 0, 1)]),
    ],
)
def test_boxes_hold_what_is_read(offsets: set[tuple[int, int]], expected: list[Box]) -> None:
    assert sorted(boxes(offsets), key=str) == sorted(expected, key=str)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_loaded_is_read_or_lies_between(seed: int) -> None:
    chance = random.Random(seed)
    offsets = {(chance.randint(-2, 2), chance.randint(-2, 2)) for _ in range(chance.randint(1, 9))}
    rows, columns = chance.randint(1, 5), chance.randint(1, 5)
    read = {(i + row, j + column) for row, column in offsets for i in range(rows) for j in range(columns)}
    loaded = {
        place
        for box in boxes(offsets)
        for place in product(range(box.top, box.bottom + rows), range(box.left, box.right + columns))
    }
    assert read <= loaded
    for i, j in loaded - read:
        assert any(row <= i and column <= j for row, column in read)
        assert any(row >= i and column >= j for row, column in read)


SUM = "float s = 0; {} s += a[i + k]; b[i] = s;"
WIDE = """for (int k = 0; k < 100; k++) for (int l = 0; l < 100; l++)
    b[i * m + j] += a[(i + k) * m + j + l];"""
ARMS = "a[i * m + j + k] * a[(i + k) * m + j]"
UNTIL = "float s = 0; for (int k = 0; k < 5; k++) { if (p[k]) break; s += a[i + k]; } b[i] = s;"
NEAR = "a[i + k - 1] + a[i + k] + a[i + k + 1]"
STILL = {
    "read only sometimes": f"{ROW} b[i] = a[i] > 0 ? a[i - 1] : a[i + 1];",
    "read behind a test": f"{ROW} if (p[i]) b[i] = {THREE};",
    "one read behind a test": f"{ROW} {{ b[i] = {THREE}; if (p[i]) b[i] += a[i + 2]; }}",
    "read where another read is not 0": f"{ROW} p[i] = a[i - 1] && a[i] && a[i + 1];",
    "some iterations are left out": f"{ROW} {{ if (i % 2) continue; b[i] = {THREE}; }}",
    "some steps are left out": f"{ROW} {{ {SUM.format('for (int k = 0; k < 3; k++) if (p[k])')} }}",
    "never read at all": f"{ROW} b[i] = sizeof(a[i - 1]) + sizeof(a[i]) + sizeof(a[i + 1]);",
    "no step for sure": f"{ROW} {{ b[i] = 0; for (int k = 3; k < 3; k++) b[i] += {THREE}; }}",
    "no step at a time": f"{ROW} for (int k = 0; k < r; k++) b[i] += {NEAR};",
    "as far as an argument says": f"{ROW} {{ {SUM.format('for (int k = 0; k < r; k++)')} }}",
    "as far as the row": f"{ROW} {{ {SUM.format('for (int k = 0; k < i; k++)')} }}",
    "until one is found": f"{ROW} {{ {UNTIL} }}",
    "in steps": f"{ROW} {{ {SUM.format('for (int k = 0; k < 9; k += 3)')} }}",
    "a macro that is no number": f"{ROW} {{ {SUM.format('for (int k = 0; k < STEP; k++)')} }}",
    "where memory says": f"{ROW} b[i] = a[p[i] - 1] + a[p[i]] + a[p[i] + 1];",
    "one read where memory says": f"{ROW} b[i] = {THREE} + a[p[i]];",
    "written in the nest": "for (int i = 1; i < 9; i++) b[i + 20] = b[i - 1] + b[i] + b[i + 1];",
    "two distances along each axis": f"{AREA} b[i * m + j] = {FOUR};",
    "far from each other": f"{ROW} b[i] = a[i] + a[i + 1] + a[i + 999];",
    "every other element": f"{ROW} b[i] = a[2 * i] + a[2 * i + 1] + a[2 * i + 2];",
    "every other iteration": f"{ROW} b[i] = {THREE};".replace("i++", "i += 2"),
    "backwards": f"for (int i = n - 2; i > 0; i--) b[i] = {THREE};",
    "on a diagonal": f"{AREA} b[i * m + j] = {FIVE};".replace("j]", "j + i]"),
    "in rows of two lengths": f"{AREA} b[i * m + j] = {FIVE};".replace("i * m + j + 1", "i * n + j + 1"),
    "on a cross of some width": f"{AREA} for (int k = -R; k <= R; k++) b[i * m + j] += {ARMS};",
    "along the other axis": f"{AREA} b[i * m + j] = {FIVE};".replace("a[i * m + j", "a[j * m + i"),
    "a row for all rows": f"{AREA} b[i * m + j] = a[j - 1] + a[j] + a[j + 1];",
    "a member of an element": f"{ROW} b[i] = q[i - 1].v + q[i].v + q[i + 1].v;",
    "gathered": f"float s = 0; {ROW} s += {THREE}; b[0] = s;",
    "a long way": f"{ROW} {{ {SUM.format('for (int k = 0; k < 129; k++)')} }}",
    "more than a block has room for": f"{AREA} {WIDE}",
}


@pytest.mark.parametrize("name", STILL)
def test_what_is_not_read_near_by_in_every_iteration_has_no_tile(name: str, tmp_path: Path) -> None:
    assert tiled.variant(tmp_path, function(STILL[name])) is None
