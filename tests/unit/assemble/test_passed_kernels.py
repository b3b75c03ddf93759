"""Host functions that launch the kernels that they are given call functions instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.assemble.empty_candidates import port
from transpile import parsers
from transpile.core import Source

KERNELS = """\
#include <cuda_runtime.h>
__global__ void add(int *out, int n) { out[threadIdx.x] += n; }
__global__ void sub(int *out, int n) { out[threadIdx.x] -= n; }
"""
DEDUCED = """\
template <typename Kernel> void timed(const char *name, Kernel kernel, int *out, int n)
{
    kernel<<<n, 8>>>(out, n);
}
"""
POINTER = """\
void timed(const char *name, void (*kernel)(int *, int), int *out, int n)
{
    dim3 grid(n, 2);
    kernel<<<grid, dim3(8, 4), n * 8>>>(out, n);
}
"""
CALLS = """\
void host(int *out, int n)
{
    timed("add", add, out, n);
    timed("sub", sub, out, n);
}
"""


def read(folder: Path, function: str) -> Source:
    (folder / "main.cu").write_text(f"{KERNELS}{function}{CALLS}")
    return parsers.read(folder)


BLOCKS = "out; n; gridDim.x; blockDim.x | int blocks, int threads"


def test_a_function_that_takes_what_launches_pass_is_passed_itself(tmp_path: Path) -> None:
    text = port(read(tmp_path, DEDUCED), add=BLOCKS, sub="out; n")
    assert "    kernel(out, n, n, 8);\n" in text
    assert 'timed("add", add, out, n);' in text
    assert 'timed("sub", [](int *out, int n, int, int) { sub(out, n); }, out, n);' in text


def test_pointers_have_parameters_for_what_launches_say(tmp_path: Path) -> None:
    text = port(read(tmp_path, POINTER), add=BLOCKS, sub="out; n; dynamicShared | size_t bytes")
    assert "void (*kernel)(int *, int, int, int, int, int, size_t)," in text
    assert "kernel(out, n, n, 2, 8, 4, n*8);" in text
    assert "[](int *out, int n, int blocks_x, int, int threads_x, int, size_t) {\n" in text
    assert "        add(out, n, blocks_x, threads_x);\n    }, out, n);" in text
    assert "{\n        sub(out, n, shared_bytes);\n    }, out, n);" in text


def test_a_kernel_that_is_not_kept_is_launched_by_what_is_passed(tmp_path: Path) -> None:
    text = port(read(tmp_path, DEDUCED), add="out; n")
    assert "simt::Configuration(dim3(blocks), dim3(threads)), sub, out, n);" in text
    assert "[](int *out, int n, int blocks, int threads) {" in text


def test_where_nothing_is_kept_nothing_changes(tmp_path: Path) -> None:
    assert 'timed("add", add, out, n);' in port(read(tmp_path, DEDUCED))


@pytest.mark.parametrize("type_", ["unsigned", "long long"])
def test_other_integers_than_those_of_the_pointer_are_not_passed_themselves(
    type_: str, tmp_path: Path
) -> None:
    source = read(
        tmp_path, POINTER.replace("grid, dim3(8, 4), n * 8", "n, 8").replace("    dim3 grid(n, 2);\n", "")
    )
    text = port(source, add=f"out; n; gridDim.x; blockDim.x | {type_} blocks, {type_} threads", sub=BLOCKS)
    assert "add(out, n, blocks, threads);" in text and 'timed("sub", sub, out, n);' in text
