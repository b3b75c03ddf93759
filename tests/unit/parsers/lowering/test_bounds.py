"""Bounds of kernels, as their launches are told."""

from __future__ import annotations

import pytest

from transpile.code.lexer import tokenize
from transpile.parsers.lowering.bounds import launch_bounds


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("__global__ void __launch_bounds__(128) k(int *x) {}", b"128"),
        ("__global__ __launch_bounds__(2 * 64, 4) void k(int *x) {}", b"2 * 64"),
        ("__global__ void k(int *x) __launch_bounds__(128);", b"128"),
        ("#define T 96\n__global__ void __launch_bounds__(T) k(int *x) {}", b"T"),
        ("template <int T> __global__ void __launch_bounds__(T) k(int *x) {}", b""),
        ("__global__ void k(int *x) { if (x) f(x); } void __launch_bounds__(128) g();", b""),
        ("__global__ void __launch_bounds__(128) other(int *x);", b""),
        ("__global__ void __launch_bounds__(128)", b""),
    ],
)
def test_bounds_of_a_kernel(text: str, bound: bytes) -> None:
    assert launch_bounds(tokenize(text.encode())).of(b"k", len(text)) == bound


def test_of_namesakes_the_last_one_before_is_meant() -> None:
    kernels = [b"__global__ void __launch_bounds__(%d) k(int *x);" % bound for bound in (64, 128)]
    text = b" ".join((kernels[0], b"__global__ void k(float *x);", kernels[1]))
    bounds = launch_bounds(tokenize(text))
    assert bounds.of(b"k", 0) == bounds.of(b"k", len(kernels[0])) == b"64"
    assert bounds.of(b"k", text.index(b"float")) == b""
    assert bounds.of(b"k", len(text)) == b"128"
