"""Launches with blocks of one dimension, and others; kernels that count on all axes."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import OPENMP, Rejected, Unbounded
from transpile.translators.kernels.draft import Surroundings
from transpile.translators.kernels.launch_dimensions import in_one_dimension
from transpile.translators.kernels.openmp import translate_kernel
from transpile.translators.translate import propose

KERNEL = """#include <cooperative_groups.h>
__global__ void k(int *out) {
    auto block = cooperative_groups::this_thread_block();
    out[block.thread_rank()] = block.size();
}
"""
LINES = (
    "k<<<1, 64>>>(p);",
    "int threads = 64; k<<<1, threads>>>(p);",
    "k<<<1, dim3(64, 1, 1)>>>(p);",
    "dim3 grid(3, 4), block(64); k<<<grid, block>>>(p);",
    "dim3 block = dim3(n / 2, 1); k<<<1, block>>>(p);",
    "dim3 block{64}; k<<<1, block>>>(p);",
)
PLANES = (
    "k<<<1, dim3(16, 4)>>>(p);",
    "dim3 block(16, 4); k<<<1, block>>>(p);",
    "dim3 block; block.x = 16; k<<<1, block>>>(p);",
    "dim3 block(16); block.y = 4; k<<<1, block>>>(p);",
    "dim3 block(16); block = dim3(16, n); k<<<1, block>>>(p);",
    "dim3 block{16, 4}; k<<<1, block>>>(p);",
)


@pytest.mark.parametrize("launch", (*LINES, *PLANES))
def test_ranks_are_translated_for_blocks_of_one_dimension(launch: str, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(f"{KERNEL}void host(int *p, int n) {{ {launch} }}\n")
    source = parsers.read(tmp_path)
    [unit] = [item for item in source.units if item.name == "k"]
    assert in_one_dimension(source, unit) is (launch in LINES)
    refused = isinstance(propose(source, unit, (), OPENMP), Rejected)
    assert refused or launch in LINES


def test_threads_that_are_all_alike_count_on_all_axes() -> None:
    text = b'__global__ void hello() { printf("hello"); }'
    draft = translate_kernel(text, Unbounded(), Surroundings())
    assert dict(draft.extra) == {
        "int blocks": "gridDim.x * gridDim.y * gridDim.z",
        "int threads": "blockDim.x * blockDim.y * blockDim.z",
    }
    told = b'__global__ void hello() { printf("hello %d", threadIdx.x); }'
    assert "gridDim.x" in translate_kernel(told, Unbounded(), Surroundings()).extra[0]
