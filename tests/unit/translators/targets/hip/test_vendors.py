"""Parts of a source that are already HIP stay as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import Candidate, Rejected, Source
from transpile.translators.targets.hip import collisions, vendors
from transpile.translators.targets.hip.propose import propose
from transpile.translators.targets.hip.source import in_hip
from transpile.translators.targets.hip.text import ported

KERNEL = "__global__ void k(int *x) { *x = __ballot_sync(~0u, *x); }\n"
HOST = "void f() { int *p; cudaMalloc(&p, 4); k<<<1, 32>>>(p); }\n"


def source(place: Path, **files: str) -> Source:
    for name, text in files.items():
        (place / name.replace("_", ".")).write_text(text)
    return parsers.read(place)


@pytest.mark.parametrize(
    "condition",
    [
        "#ifdef __HIP_PLATFORM_AMD__",
        "#if defined(USE_HIP)",
        "#ifndef __HIPCC__",
        "#if defined(__CUDACC__) && !defined(__HIPCC__)",
        "#if USE_ROCM",
        "#if A\n#elif defined(USE_HIP)",
    ],
)
def test_both_branches_of_a_choice_stay(condition: str) -> None:
    text = f"{condition}\ncudaFree(a);\n#else\ncudaFree(b);\n#endif\n"
    assert ported("a.cuh", text.encode()).decode() == text
    assert ported("a.cuh", text.encode(), single=True).decode() == text


@pytest.mark.parametrize(
    "condition", ["#ifdef USE_CUDA", "#ifndef MY_HIP_H", "#if defined(USE_CUDA) || defined(USE_HIP)"]
)
def test_what_is_for_both_or_for_cuda_alone_is_ported(condition: str) -> None:
    text = f"{condition}\ncudaFree(a);\n#endif\n"
    assert b"hipFree(a);" in ported("a.cuh", text.encode())


def test_files_of_hip_are_told_from_files_of_cuda(tmp_path: Path) -> None:
    found = source(
        tmp_path,
        a_cu='#include "both.h"\n' + KERNEL,
        b_hip='#include "both.h"\n#include "own.h"\n',
        both_h="int f();\n",
        own_h="template <class T> __device__ T g(T x) { return __shfl_down(x, 32); }\n",
        c_cpp="#include <hip/hip_runtime.h>\nint h() { return warpSize; }\n",
    )
    assert vendors.already(found) == {"b.hip", "own.h", "c.cpp"}
    port = in_hip(found)
    for path in ("b.hip", "own.h", "c.cpp"):
        assert port.files[path] == found.files[path]
    assert b"warp32::ballot" in port.files["a.cu"]


def test_units_of_one_vendor_are_left(tmp_path: Path) -> None:
    chosen = f"#ifdef USE_HIP\n{KERNEL}#else\n{KERNEL}#endif\n" + KERNEL.replace("k(", "l(").replace(
        "{", "{\n#ifdef __HIPCC__\n#endif\n"
    )
    found = source(tmp_path, a_cu=chosen)
    left = {unit.id: vendors.is_left(found, unit) for unit in found.units}
    assert left == {"a.cu::k(int*)": True, "a.cu::k(int*)#2": True, "a.cu::l(int*)": False}
    assert vendors.selecting(found) == ("USE_HIP",)


def test_a_choice_that_is_not_understood_keeps_nothing(tmp_path: Path) -> None:
    found = source(tmp_path, a_cu=f"#if BACKEND == BACKEND_HIP\nint x;\n#endif\n{KERNEL}")
    [refused] = [propose(found, unit, ()) for unit in found.units]
    assert isinstance(refused, Rejected)
    assert [(item.code, item.line) for item in refused.diagnostics] == [("TP213", 1)]


@pytest.mark.parametrize(
    "declared",
    [
        "int hipMalloc(int **p, int n);",
        "static void *hipMalloc = nullptr;",
        "#define hipMalloc(p, n) own(p, n)",
    ],
)
def test_a_name_of_hip_that_is_the_programs_is_told(declared: str, tmp_path: Path) -> None:
    found = source(tmp_path, a_cu=f"#include <cuda_runtime.h>\n{declared}\n{KERNEL}{HOST}", b_cu=KERNEL)
    assert [(item.path, item.line, item.name) for item in collisions.collisions(found)] == [
        ("a.cu", 2, b"hipMalloc")
    ]
    for single in (False, True):
        port = in_hip(found, single=single)
        assert b"cudaMalloc(&p, 4)" in port.files["a.cu"]
        assert not any(b"#define cudaMalloc hipMalloc" in data for data in port.files.values())
    proposed = {unit.path: propose(found, unit, ()) for unit in found.units if unit.name == "k"}
    assert isinstance(proposed["a.cu"], Rejected) and proposed["a.cu"].diagnostics[0].code == "TP214"
    assert isinstance(proposed["b.cu"], Candidate)


@pytest.mark.parametrize(
    "text", ["hipMalloc(&p, 4);", "return hipMalloc(&p, 4);", "const hipError_t e = f();"]
)
def test_uses_of_hip_are_no_declarations(text: str, tmp_path: Path) -> None:
    found = source(tmp_path, a_cu=f"#include <cuda_runtime.h>\nint g() {{ {text} }}\n")
    assert not collisions.collisions(found)
