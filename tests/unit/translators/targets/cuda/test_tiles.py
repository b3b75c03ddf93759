"""Tiles of matrix products: what blocks load into them, and what prevents it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.translators.targets.cuda import tiled
from transpile.core import Candidate

HEAD = """struct pair { float v, w; };
void f(int n, int m, int l, const float *a, const float *b, float *c, int *p, const struct pair *q)
{
"""
BAND = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)"
PRODUCT = "a[i * l + k] * b[k * m + j]"


def variant(place: Path, body: str) -> Candidate | None:
    return tiled.variant(place, f"{HEAD}{body}\n}}\n")


def text(place: Path, body: str) -> str:
    return tiled.shown(place, f"{HEAD}{body}\n}}\n")


def summed(product: str, loop: str = "for (int k = 0; k < l; k++)") -> str:
    return f"{BAND} {{ float s = 0; {loop} s += {product}; c[i * m + j] = s; }}"


def test_each_thread_loads_an_element_of_both_tiles_and_sums_in_order(tmp_path: Path) -> None:
    shown = text(tmp_path, summed(PRODUCT))
    assert "__shared__ float a_tile[16][16];" in shown and "__shared__ float b_tile[16][16];" in shown
    assert "if (i < n && k_x < l) a_tile[threadIdx.y][threadIdx.x] = a[i * l + k_x];" in shown
    assert "if (j < m && k_y < l) b_tile[threadIdx.y][threadIdx.x] = b[k_y * m + j];" in shown
    assert "for (int k = start; k < l && k - start < 16; k++) {" in shown
    assert "s += a_tile[threadIdx.y][k - start] * b_tile[k - start][threadIdx.x];" in shown
    assert "const dim3 block(16, 16);" in shown and "/ 16" in shown


def test_what_lies_along_the_other_axis_is_loaded_turned(tmp_path: Path) -> None:
    shown = text(tmp_path, summed("a[k * n + i] * b[j * l + k]"))
    assert "if (i_x < n && k_y < l) a_tile[threadIdx.x][threadIdx.y] = a[k_y * n + i_x];" in shown
    assert "if (j_y < m && k_x < l) b_tile[threadIdx.x][threadIdx.y] = b[j_y * l + k_x];" in shown
    assert "a_tile[16][17]" in shown and "b_tile[16][17]" in shown
    assert "s += a_tile[threadIdx.y][k - start] * b_tile[k - start][threadIdx.x];" in shown


def test_a_turned_tile_needs_the_name_of_the_axis_in_the_text(tmp_path: Path) -> None:
    body = summed("a[i * l + k] * b[at + k]").replace("float s", "int at = j * l; float s")
    shown = text(tmp_path, body)
    assert "if (j < m && k_y < l) b_tile[threadIdx.y][threadIdx.x] = b[at + k_y];" in shown


@pytest.mark.parametrize(
    "product",
    ["*(a + i * l + k) * *(b + k * m + j)", f"{PRODUCT} + {PRODUCT}", "(a[i * l + k]) * b[k * m + j]"],
)
def test_reads_in_other_words_are_the_same_reads(product: str, tmp_path: Path) -> None:
    shown = text(tmp_path, summed(product))
    assert shown.count("__shared__") == 2 and shown.count("__syncthreads") == 2


def test_sums_in_memory_are_for_threads_that_have_an_element(tmp_path: Path) -> None:
    body = f"{BAND} {{ c[i * m + j] *= 2; for (int k = 0; k < l; k++) c[i * m + j] += {PRODUCT}; }}"
    shown = text(tmp_path, body)
    within = shown[shown.index("const bool within") : shown.index("__syncthreads")]
    assert "if (within) {\n            c[i * m + j] *= 2;\n        }" in within


def test_names_of_the_source_are_its_own(tmp_path: Path) -> None:
    body = summed(PRODUCT).replace("float s = 0;", "float s = 0, start = 1, a_tile = 2;")
    shown = text(tmp_path, body)
    assert "a_tile2[16][16]" in shown and "for (int start2 = 0; start2 < l; start2 += 16)" in shown


ONE_AXIS = """for (int i = 0; i < n; i++) {
    float s = 0;
    for (int k = 0; k < l; k++) s += a[i * l + k] * b[k];
    c[i] = s;
}"""
WRITTEN = """for (int i = 0; i < n; i++) for (int j = 0; j < 32; j++) {
    float s = 0;
    for (int k = 0; k < 32; k++) s += ARRAY[i * 64 + k] * b[k * 32 + j];
    c[i * 64 + 32 + j] = s;
}"""
STEP = f"{{ if (k == i) continue; c[i * m + j] += {PRODUCT}; }}"
NAMED = "{ int at = i * l + k; c[i * m + j] += a[at] * b[k * m + j]; }"
NOT_TILED = {
    "read only sometimes": summed("(k != i ? a[i * l + k] : 0) * b[k * m + j]"),
    "read behind a test": summed(PRODUCT, "for (int k = 0; k < l; k++) if (k != i)"),
    "read where another read is not 0": summed("(a[i * l + k] && b[k * m + j])"),
    "some steps end early": f"{BAND} for (int k = 0; k < l; k++) {STEP}",
    "until one is found": f"{BAND} for (int k = 0; k < l; k++) {STEP.replace('continue', 'break')}",
    "as far as the row": summed(PRODUCT, "for (int k = 0; k <= i; k++)"),
    "from the row on": summed(PRODUCT, "for (int k = i; k < i + l; k++)"),
    "a few steps": summed(PRODUCT, "for (int k = 0; k < 3; k++)"),
    "in steps": summed(PRODUCT, "for (int k = 0; k < l; k += 2)"),
    "one operand alone": summed("a[i * l + k] * k"),
    "an operand that stays": summed("a[i] * b[k * m + j]"),
    "a name that is set in the loop": f"{BAND} for (int k = 0; k < l; k++) {NAMED}",
    "three axes": f"for (int h = 0; h < n; h++) {summed(PRODUCT)}".replace("c[i", "c[h * n * m + i"),
    "operands of one axis": summed("a[i * l + k] * b[i * l + k]"),
    "operands of both axes at once": summed("a[(i + j) * l + k] * b[k * m + j]"),
    "where memory says": summed("a[p[i] + k] * b[k * m + j]"),
    "written beside": WRITTEN.replace("ARRAY", "c"),
    "a member of an element": summed("q[i * l + k].v * q[k * m + j].v"),
    "some rows are left out": summed(PRODUCT).replace("float s", "if (i % 2) continue; float s"),
    "the loop is not for all": f"{BAND} if (i % 2) for (int k = 0; k < l; k++) c[i * m + j] += {PRODUCT};",
    "where it ended is asked for": "int k; "
    + summed(PRODUCT, "for (k = 0; k < l; k++)").replace("= s;", "= s + k;"),
    "what is declared is read": summed(PRODUCT).replace("float s = 0", "float s = b[j]"),
    "a line for the compiler": summed(PRODUCT).replace("float s", "\n#pragma STDC FENV_ACCESS ON\nfloat s"),
    "one axis": ONE_AXIS,
}


def test_an_array_that_nothing_writes_has_tiles(tmp_path: Path) -> None:
    assert "__shared__" in text(tmp_path, WRITTEN.replace("ARRAY", "a"))


@pytest.mark.parametrize("name", NOT_TILED)
def test_what_threads_do_not_all_read_alike_has_no_tiles(name: str, tmp_path: Path) -> None:
    assert variant(tmp_path, NOT_TILED[name]) is None
