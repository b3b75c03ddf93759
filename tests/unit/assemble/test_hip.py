"""A source as a port to HIP: names of files, what is not kept, build files."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.assemble import Assembly, assemble, hip_cmake, makefile
from transpile.assemble.hip import defines
from transpile.assemble.makefile import HIPCC
from transpile.core import HIP, HIP_OR_CUDA, Dialect, Source
from transpile.translators.targets.hip.propose import propose

KERNELS = """#include "grid.cuh"

__global__ void kept(float *x) { x[0] = 1; }
__global__ void votes(unsigned *x) { x[0] = __ballot_sync(0xffffffff, threadIdx.x > 3); }
__global__ void lacks(unsigned *x) { *x = __vnegss4(*x); }
int main() { votes<<<1, 64>>>(nullptr); }
"""
NAMES = {"main.cu": "main.hip", "grid.cuh": "grid.cuh"}


@pytest.fixture
def source(tmp_path: Path) -> Source:
    (tmp_path / "main.cu").write_text(KERNELS)
    (tmp_path / "grid.cuh").write_text("#pragma once\n#include <cuda_runtime.h>\n")
    return parsers.read(tmp_path)


def ported(source: Source, *names: str, unproven: bool = False) -> Assembly:
    """Return the port that holds the kernels of these names."""
    kept = {unit.id: propose(source, unit, ()) for unit in source.units if unit.name in names}
    reasons = {unit.id: "it differs" for unit in source.units}
    return assemble(source, kept, reasons=reasons, target=HIP, unproven=unproven)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "reading", "macros"),
    [
        ("a.cu", HIP, ("SIMT_HIP", "USE_HIP")),
        ("a.cu", HIP_OR_CUDA.readings[1], ()),
        ("a.c", HIP, ("SIMT_HIP",)),
    ],
)
def test_what_chooses_hip_is_asked_of_cuda_read_as_hip_alone(
    name: str, reading: Dialect, macros: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / name).write_text("#ifdef USE_HIP\nint a;\n#else\nint b;\n#endif\n")
    assert defines(parsers.read(tmp_path), reading) == macros


def test_files_are_hip_and_helpers_stand_beside_them(source: Source) -> None:
    port = ported(source, "kept", "votes")
    text = port.files["main.hip"].decode()
    assert "warp32::ballot(threadIdx.x > 3)" in text
    assert '#include "warp32.h"' in text and b"namespace warp32" in port.files["warp32.h"]
    assert port.files["grid.cuh"] == b"#pragma once\n#include <hip/hip_runtime.h>\n"
    assert [unit.path for unit in port.translation_units] == ["main.hip"]
    assert b"%.o: %.hip\n\t$(HIPCC)" in port.files["Makefile"]


def test_what_is_not_kept_is_the_source_and_says_why(source: Source) -> None:
    port = ported(source, "kept")
    text = port.files["main.hip"].decode()
    assert "// Not kept: it differs. It is the source's text.\n__global__ void votes" in text
    assert "__ballot_sync(0xffffffff" in text and "kept(float" in text
    # What a compiler for AMD reads all the same has all of it.
    assert b"warp32::ballot(threadIdx.x > 3)" in port.device["main.hip"]
    assert {(item.code, item.line) for item in port.diagnostics} == {("TP502", 4), ("TP502", 5), ("TP212", 7)}


def test_what_was_not_shown_stands_there_where_that_is_asked_for(source: Source) -> None:
    text = ported(source, "kept", unproven=True).files["main.hip"].decode()
    assert "Its translation stands here all the same.\n__global__ void votes" in text
    assert "warp32::ballot(threadIdx.x > 3)" in text


def test_a_makefile_of_nvcc_becomes_one_of_hipcc() -> None:
    text = """\
CC = nvcc
ARCH = sm_60
CFLAGS := $(EXTRA) -std=c++14 -Xcompiler -Wall -arch=$(ARCH) --extended-lambda
LIBS = -lcublas -lcudart -lm

main: main.o
\t$(CC) $(CFLAGS) main.o -o $@ $(LIBS)

%.o: %.cu grid.cuh
\t$(CC) $(CFLAGS) -dc $< -o $@
"""
    assert (
        makefile.flagged(makefile.translated(text, NAMES, HIPCC), include=(), driver=HIPCC)
        == """\
CC = hipcc
CFLAGS := $(EXTRA) -std=c++14 -Wall -fgpu-rdc
LIBS = -lhipblas -lamdhip64 -lm

main: main.o
\t$(CC) $(CFLAGS) main.o -o $@ $(LIBS)

%.o: %.hip grid.cuh
\t$(CC) $(CFLAGS) -fgpu-rdc -c $< -o $@
"""
    )


def test_cmake_knows_hip_as_a_language() -> None:
    text = """\
cmake_minimum_required(VERSION 3.18)
project(heat LANGUAGES CXX CUDA)
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CUDA_ARCHITECTURES 70)
set(CMAKE_CUDA_FLAGS "-arch=sm_70 -O3 --expt-relaxed-constexpr -Xcompiler -Wall")
find_package(CUDAToolkit REQUIRED)
add_executable(heat main.cu host.cpp)
set_target_properties(heat PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
target_compile_options(heat PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>)
target_link_libraries(heat PRIVATE CUDA::cudart CUDA::cublas m)
"""
    assert (
        hip_cmake.ported(text, NAMES)
        == """\
cmake_minimum_required(VERSION 3.21)
project(heat LANGUAGES CXX HIP)
set(CMAKE_HIP_STANDARD 17)
set(CMAKE_HIP_FLAGS "-O3 -Wall")
find_package(hip REQUIRED)
find_package(hipblas REQUIRED)
add_executable(heat main.hip host.cpp)
target_link_libraries(heat PRIVATE hip::host roc::hipblas m)
"""
    )
