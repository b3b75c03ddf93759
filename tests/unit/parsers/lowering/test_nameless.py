"""Kernels that a launch has to call by more than their address."""

from __future__ import annotations

import pytest

from transpile.parsers.lowering.nameless import nameless_kernels

BODY = b"{ y[0] = 1; }"


@pytest.mark.parametrize(
    ("header", "file", "names"),
    [
        (b"", b"__global__ void k(float *y) " + BODY, set()),
        (b"", b"template <class T> __global__ void k(T *y) " + BODY, {"k"}),
        (b"", b"__global__ void k(float *y, int n = 1) " + BODY, {"k"}),
        (b"", b"__global__ void k(float *y) " + BODY + b"__global__ void k(int *y) " + BODY, {"k"}),
        (b"", b"__global__ void k(float *y) " + BODY + b"\nvoid k(int n);", {"k"}),
        (b"__global__ void k(float *__restrict__ out);", b"__global__ void k(float *y) " + BODY, set()),
        (b"__global__ void k(char *y);", b"__global__ void k(float *y) " + BODY, {"k"}),
        (
            b"__global__ void __launch_bounds__(256) k(char *y);",
            b"__global__ void __launch_bounds__(256) k(float *y) " + BODY,
            {"k"},
        ),
        (b"__global__ void k(float *y, int n = 1);", b"__global__ void k(float *y, int n) " + BODY, {"k"}),
        (b"__global__ void other(char *y);", b"__global__ void k(float *y) " + BODY, set()),
    ],
)
def test_names_that_mean_several_functions_are_told(header: bytes, file: bytes, names: set[str]) -> None:
    assert nameless_kernels({"k.cuh": header, "k.cu": file}) == names
