"""Excerpts of files that lack headers of libraries."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import Source, Span
from transpile.parsers.lowering.emulation import lower
from transpile.parsers.lowering.excerpts import blanked, excerpt, is_left_out, is_of_library

HEADER = """\
#pragma once
#include <absent_solver.h>
#define TILE 8
struct Pair { float first, second; };
__host__ __device__ inline Pair operator+(Pair a, Pair b) { return {a.first + b.first, a.second + b.second}; }
struct Handle { absent_handle_t handle; };
absent_status_t solve(absent_handle_t handle, Pair *pairs);
"""
TEXT = """\
#include "solver.h"
#include <vector>
static absent_handle_t handle;
static std::vector<absent_handle_t> handles;
const int LENGTH = 2 * TILE;
__device__ Pair doubled(Pair a) { return a + a; }
__global__ void twice(Pair *pairs, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i < LENGTH) pairs[i] = doubled(pairs[i]);
}
__global__ void stuck(Handle *handles) { handles[threadIdx.x].handle = 0; }
int main() {
#define SHIFT 3
    absent_init(&handle);
    twice<<<1, TILE>>>(nullptr, 0);
    stuck<<<1, 1>>>(nullptr);
#include <absent_solver.h>
}
__global__ void shifted(int *y) { y[threadIdx.x] += SHIFT; }
"""


@pytest.fixture
def source(tmp_path: Path) -> Source:
    (tmp_path / "solver.h").write_text(HEADER)
    (tmp_path / "main.cu").write_text(TEXT)
    return parsers.read(tmp_path)


def test_only_what_the_kernels_need_is_compiled(source: Source) -> None:
    assert source.absent == {"main.cu": ("absent_solver.h",)}
    left = {unit.name for unit in source.units if is_left_out(source, unit)}
    assert left == {"stuck", "main"}
    files = excerpt(source).files
    assert [len(data) for data in files.values()] == [len(data) for data in source.files.values()]
    text = b"".join(files.values())
    assert b"absent_" not in text
    kept = (
        b"#define TILE 8",
        b"struct Pair",
        b"operator+",
        b"LENGTH = ",
        b"doubled(Pair a)",
        b"#define SHIFT 3",
    )
    assert all(words in text for words in kept)


def test_library_builds_are_of_the_excerpt(source: Source) -> None:
    assert b"absent_" not in b"".join(lower(source, rename_main=True).values())
    assert b"absent_init" in b"".join(lower(source).values())


def test_a_header_of_the_project_may_say_anything(tmp_path: Path) -> None:
    (tmp_path / "main.cu").write_text('#include "settings.h"\n__global__ void one(int *y) { *y = 1; }\n')
    source = parsers.read(tmp_path)
    assert not source.absent
    assert not source.left_out
    assert [item.code for item in source.diagnostics] == ["TP102"]


def test_a_header_that_is_not_included_is_not_missed(tmp_path: Path) -> None:
    text = "#ifdef PARALLEL\n#include <mpi.h>\n#endif\n__global__ void one(int *y) { *y = 1; }\n"
    (tmp_path / "main.cu").write_text(text)
    source = parsers.read(tmp_path)
    assert not source.absent


@pytest.mark.parametrize(
    ("header", "quoted", "foreign"),
    [
        ("mpi.h", True, True),
        ("settings.h", True, False),
        ("settings.h", False, True),
        ("GL/glew.h", True, True),
    ],
)
def test_a_header_in_quotes_is_the_projects_own_but_for_known_libraries(
    header: str, *, quoted: bool, foreign: bool
) -> None:
    assert is_of_library(header, quoted=quoted) is foreign


def test_macros_and_conditions_outlive_the_function_that_they_stand_in() -> None:
    text = b"int f() {\n#define N \\\n  8\n#if N > 4\n  g();\n#endif\n#pragma unroll\n}\n"
    left = blanked(text, [Span(start=0, end=len(text) - 1)])
    assert left.split() == b"#define N \\ 8 #if N > 4 #endif".split()
    assert [len(line) for line in left.split(b"\n")] == [len(line) for line in text.split(b"\n")]
