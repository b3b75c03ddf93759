"""Small arrays that iterations add to: which of them are copied, and what stands around the copies."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.translators.loops.test_texts import proposed
from transpile.code.syntax import Function
from transpile.code.variables import resolve
from transpile.core import CUDA, OPENMP, Candidate
from transpile.translators.loops.planning.bins import Bins
from transpile.translators.targets.cuda.blocks import Copies

COUNT = "    for (int i = 0; i < n; i++) {\n        y[(int)x[i]] += 1;\n    }\n"


def marked(place: Path, body: str, extent: str) -> str:
    found = proposed(place, body, OPENMP, extent, stated=True)
    assert isinstance(found, Candidate)
    return found.replacements[0].shown


def test_what_may_overlap_is_counted_as_before_beside_the_copies(tmp_path: Path) -> None:
    assert marked(tmp_path, COUNT, "64").endswith("""{
    if (y + 64 <= x || x + 64 <= y) {
        #pragma omp parallel for reduction(+ : y[:64])
        for (int i = 0; i < n; i++) {
            y[(int)x[i]] += 1;
        }
    } else {
        for (int i = 0; i < n; i++) {
            y[(int)x[i]] += 1;
        }
    }
}""")


def test_an_array_of_the_function_is_copied_by_its_declaration(tmp_path: Path) -> None:
    count = COUNT.replace("y[", "h[")
    found = marked(tmp_path, f"    int h[16] = {{0}};\n{count}    *y = h[0];\n", "64")
    assert "    #pragma omp parallel for reduction(+ : h[:16])\n    for" in found and "atomic" not in found


@pytest.mark.parametrize(
    ("body", "extent"),
    [
        (COUNT, "n"),
        (COUNT, "5000"),
        ("    float *h = y;\n" + COUNT.replace("y[", "h["), "64"),
        ("    float *h = y + 8;\n" + COUNT.replace("y[", "h["), "64"),
        (COUNT.replace("y[(int)x[i]]", "*(y + (int)x[i])"), "64"),
        (f"    int h[020];\n{COUNT.replace('y[', 'h[')}", "64"),
        (f"    int h[n];\n{COUNT.replace('y[', 'h[')}", "64"),
    ],
)
def test_what_is_long_or_known_by_another_name_is_updated_where_it_is(
    body: str, extent: str, tmp_path: Path
) -> None:
    found = marked(tmp_path, body, extent)
    assert "#pragma omp atomic" in found and "[:" not in found


@pytest.mark.parametrize(
    "body",
    [
        COUNT.replace("+= 1", "+= y[0]"),
        COUNT.replace("+= 1;", "+= 1; y[i] *= 2;"),
        COUNT.replace("y[(int)x[i]] += 1", "y[(int)y[i]] += 1"),
        COUNT.replace("y[(int)x[i]] += 1", "y[(int)x[i]] = y[i] + 1"),
    ],
)
def test_what_is_also_read_is_not_gathered(body: str, tmp_path: Path) -> None:
    assert not isinstance(proposed(tmp_path, body, OPENMP, "64"), Candidate)


def test_a_block_adds_to_its_own_copy(tmp_path: Path) -> None:
    found = proposed(tmp_path, COUNT, CUDA, "64", stated=True)
    assert isinstance(found, Candidate)
    shown = found.replacements[0].shown
    assert (
        """
    __shared__ float y_block[64];
    for (int bin = threadIdx.x; bin < 64; bin += blockDim.x)
        y_block[bin] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&y_block[(int)x[i]], 1);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < 64; bin += blockDim.x)
        atomicAdd(&y[bin], y_block[bin]);
}"""
        in shown
    )
    assert "<<<(n + 255) / 256 < 1024 ? (n + 255) / 256 : 1024, 256>>>" in shown


def test_a_block_has_no_copies_beyond_its_memory_or_of_what_atomics_do_not_add() -> None:
    function = Function("void f(float *y, short *z) { }")
    y, z = resolve(function).all
    known = Bins(base="y", variable=y, operator="+", length=4096)
    adds = frozenset(("float",))
    assert Copies(function, [known], adds)
    assert not Copies(function, [known, replace(known, base="h")], adds)
    assert not Copies(function, [replace(known, operator="*")], adds)
    assert not Copies(function, [replace(known, variable=z)], adds)
