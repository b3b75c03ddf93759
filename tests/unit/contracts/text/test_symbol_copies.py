"""Host variables that are copied into constant memory."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from transpile.contracts.text.callers import altering
from transpile.contracts.text.symbol_copies import copied
from transpile.parsers import read

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="libclang reads g++'s headers")

KERNEL = """
struct Grid { int columns, rows; };
__constant__ int width;
__constant__ Grid grid;
__device__ int count;
__global__ void k(int *x) { x[0] = width + grid.rows + count; }
int choose(int *n);
void change(int &n) { n = 3; }
"""
COPY = "cudaMemcpyToSymbol(width, &w, sizeof(int));"
LAUNCH = "k<<<1, 32>>>(x);"


def found(root: Path, host: str, other: str = "") -> dict[str, str]:
    (root / "a.cu").write_text(KERNEL + host)
    (root / "b.cu").write_text(other)
    source = read(root)
    launch = source.launches[0]
    return copied(source, launch, source.signatures[launch.unit][0], altering(source))


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (f"int w = n; {COPY} {LAUNCH}", {"width": "w"}),
        (f"int w = n; w += 2; {COPY} for (int i = 0; i < n; ++i) {{ {LAUNCH} }}", {"width": "w"}),
        (f"int w = n; if ({COPY[:-1]} != cudaSuccess) return; {LAUNCH}", {"width": "w"}),
        (f"for (int w = 1; w < n; ++w) {{ {COPY} {LAUNCH} }}", {"width": "w"}),
        (f"int w = n; while (w > 1) {{ {COPY} {LAUNCH} w /= 2; }}", {}),
        ("Grid g = {4, n}; cudaMemcpyToSymbol(grid, &g, sizeof g); " + LAUNCH, {"grid.rows": "n"}),
        ("Grid g = {n, 2 * n}; cudaMemcpyToSymbol(grid, &g, sizeof g); " + LAUNCH, {"grid.rows": "g.rows"}),
        ("Grid g = {n}; cudaMemcpyToSymbol(grid, &g, sizeof g); " + LAUNCH, {"grid.rows": "g.rows"}),
        ("Grid g; g.rows = n; cudaMemcpyToSymbol(grid, &g, sizeof g); " + LAUNCH, {"grid.rows": "n"}),
        (
            "Grid g; g.rows = n; n = 2; cudaMemcpyToSymbol(grid, &g, sizeof g); " + LAUNCH,
            {"grid.rows": "g.rows"},
        ),
        (
            "Grid g; g.rows = n; cudaMemcpyToSymbol(grid, &g, sizeof g); n = 2; " + LAUNCH,
            {"grid.rows": "g.rows"},
        ),
        (
            "Grid g; if (n) g.rows = n; cudaMemcpyToSymbol(grid, &g, sizeof g); " + LAUNCH,
            {"grid.rows": "g.rows"},
        ),
        (
            "Grid g = {n, n}; g.rows += n; cudaMemcpyToSymbol(grid, &g, sizeof g); " + LAUNCH,
            {"grid.rows": "g.rows"},
        ),
        ("Grid g = {n, n}; cudaMemcpyToSymbol(grid, &g, sizeof g); g.rows = 3; " + LAUNCH, {}),
        (f"int w = n; {COPY} w = 3; {LAUNCH}", {}),
        (f"int w = n; {COPY} change(w); {LAUNCH}", {}),
        (f"int w = n; {COPY} choose(&w); {LAUNCH}", {}),
        (f"int w = n; if (n > 3) {COPY} {LAUNCH}", {}),
        (f"int w = n; if (n > 3) {{ {COPY} }} {LAUNCH}", {}),
        (f"int w = n; {LAUNCH} {COPY}", {}),
        (f"int w = n; {COPY} w = 2 * n; {COPY} {LAUNCH}", {}),
        ("int w[2] = {n, n}; cudaMemcpyToSymbol(width, w, sizeof(int)); " + LAUNCH, {}),
        ("int w = n; cudaMemcpyToSymbol(width, &w, 2, 2); " + LAUNCH, {}),
        ("int w = n; cudaMemcpyToSymbol(count, &w, sizeof(int)); " + LAUNCH, {}),
        (f"int w = n; {COPY} void *p; cudaGetSymbolAddress(&p, width); {LAUNCH}", {}),
    ],
)
def test_what_one_copy_sets_is_known_at_the_launch(body: str, told: dict[str, str], tmp_path: Path) -> None:
    assert found(tmp_path, f"void run(int *x, int n) {{ {body} }}") == told


def test_variables_of_the_file_and_copies_elsewhere_tell_nothing(tmp_path: Path) -> None:
    own = f"int w = 5; void run(int *x) {{ {COPY} {LAUNCH} }}"
    assert found(tmp_path, own) == {}
    apart = f"void set(int w) {{ {COPY} }} void run(int *x) {{ {LAUNCH} }}"
    assert found(tmp_path, apart) == {}
    also = f"extern __constant__ int width; void reset(int w) {{ {COPY} }}"
    here = f"void run(int *x, int w) {{ {COPY} {LAUNCH} }}"
    assert found(tmp_path, here) == {"width": "w"}
    assert found(tmp_path, here, also) == {}
