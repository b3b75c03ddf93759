"""Kernels that a launch has to call by more than their address."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.parsers.lowering.nameless import nameless_kernels, names_of_several

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


def test_names_of_several_functions_are_those_that_a_translation_unit_sees(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("__global__ void stale(char *y);\n")
    host = "void k(int n) { k<<<1, 1>>>((float *)0); }\nvoid f(int n) {}\n"
    kernels = "".join(f"__global__ void {name}(float *y) {BODY.decode()}\n" for name in ("k", "stale"))
    (tmp_path / "a.cu").write_text(f'#include "a.h"\n{kernels}{host}')
    (tmp_path / "b.cu").write_text("void f(int n) {}\n")
    source = parsers.read(tmp_path)
    assert names_of_several(source, "a.cu") == {"k", "stale"}
    assert names_of_several(source, "b.cu") == {"stale"}
