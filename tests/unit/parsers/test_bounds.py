"""How many threads a kernel's blocks may have, as its launches are told."""

from __future__ import annotations

import pytest

from transpile.parsers.bounds import launch_bounds
from transpile.parsers.lexer import tokenize


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("__global__ void __launch_bounds__(128) k(int *x) {}", {b"k": b"128"}),
        ("__global__ __launch_bounds__(2 * 64, 4) void k(int *x) {}", {b"k": b"2 * 64"}),
        ("#define T 96\n__global__ void __launch_bounds__(T) k(int *x) {}", {b"k": b"T"}),
        ("template <int T> __global__ void __launch_bounds__(T) k(int *x) {}", {}),
        ("__global__ void k(int *x) __launch_bounds__(128); void f(int);", {}),
        (
            "__global__ void __launch_bounds__(128) k(int *x); __global__ void __launch_bounds__(64) k(float *x);",
            {},
        ),
        ("__launch_bounds__(128)", {}),
    ],
)
def test_bounds_of_kernels(text: str, found: dict[bytes, bytes]) -> None:
    assert launch_bounds(tokenize(text.encode())) == found
