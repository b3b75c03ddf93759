"""Comparisons with what is shifted to the right, which look like instances of templates."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from transpile.parsers import read
from transpile.translators.kernels.shifted_bounds import with_parentheses

TEXT = """template <int count> __device__ int most(int x) { return x; }
__device__ void half(int *a, int length) { for (int k = 0; k < length >> 1; ++k) a[k] += 1; }
__global__ void k(int *a, int n, const int *lengths)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, rest;
    rest = i < lengths[0] >> 2 && n ? most<3>(n) >> 1 : 0;
    if (i < n >> 1) a[i] = rest < (n >> 1);
    if (i < n > 0) a[i] = n >> 2;
}
"""


@pytest.mark.skipif(shutil.which("g++") is None, reason="libclang reads g++'s headers")
def test_what_is_shifted_in_a_comparison_has_parentheses(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(TEXT)
    source = with_parentheses(read(tmp_path))
    expected = TEXT.replace("k < length >> 1", "k < (length >> 1)")
    expected = expected.replace("i < lengths[0] >> 2", "i < (lengths[0] >> 2)")
    assert source.files["a.cu"].decode() == expected.replace("i < n >> 1", "i < (n >> 1)")
    kernel = next(unit for unit in source.units if unit.name == "k")
    assert kernel.text.startswith(b"__global__") and kernel.text.endswith(b"}")
